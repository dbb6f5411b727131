import ArgumentParser
import Foundation
import Logging

/// Runs the server until it is told to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server: the JSON API and the S3 endpoint of one machine."
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings: Settings
        do {
            settings = try await options.read()
        } catch let problems as SettingsProblems {
            FileHandle.standardError.write(Data("\(problems)\n".utf8))
            throw ExitCode(78)
        }
        do {
            try await Live(settings).run()
        } catch let problem as StartProblem {
            FileHandle.standardError.write(Data("photolala-server cannot start: \(problem)\n".utf8))
            throw ExitCode(69)
        }
    }
}
