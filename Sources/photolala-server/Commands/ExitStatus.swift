import ArgumentParser
import Foundation
import ServiceWiring
import Transport

/// A command that was refused because of the state of what it names. Exit status 1.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Exit statuses besides 0 and 64, as in BSD's sysexits.
enum ExitStatus {
    /// A proof found nothing, but could not look for everything.
    static let incomplete = ExitCode(3)
    /// The store or another required service is unavailable.
    static let unavailable = ExitCode(69)
    /// The settings are invalid.
    static let configuration = ExitCode(78)

    /// Runs a command and reports its failure on standard error.
    static func reporting(_ command: () async throws -> Void) async throws {
        do {
            try await command()
        } catch let problems as SettingsProblems {
            printLines("\(problems)")
            throw configuration
        } catch let problem as StartProblem {
            printError("\(problem)")
            throw unavailable
        } catch let refusal as CommandRefusal {
            printError("\(refusal)")
            throw ExitCode.failure
        }
    }

    /// Prints a message for the operator on standard error.
    static func printError(_ text: String) { printLines("photolala-server: \(text)") }

    /// Prints lines on standard error. The control characters of arguments and settings are replaced.
    static func printLines(_ text: String) {
        let message = TerminalText.message(text, quoting: CommandLine.arguments)
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
    }
}
