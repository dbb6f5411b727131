import ArgumentParser
import Foundation

/// The exit statuses beside 0 and 64, as in BSD's sysexits.
enum ExitStatus {
    /// The store or something else that is needed cannot be used.
    static let unavailable = ExitCode(69)
    /// The settings are wrong.
    static let configuration = ExitCode(78)

    /// Runs a command and says on standard error why it failed.
    static func reporting(_ command: () async throws -> Void) async throws {
        do {
            try await command()
        } catch let problems as SettingsProblems {
            FileHandle.standardError.write(Data("\(problems)\n".utf8))
            throw configuration
        } catch let problem as StartProblem {
            tell("\(problem)")
            throw unavailable
        }
    }

    /// Says on standard error what a person has to look after.
    static func tell(_ text: String) { FileHandle.standardError.write(Data("photolala-server: \(text)\n".utf8)) }
}
