import ArgumentParser
import ServiceWiring

/// Runs the server until it receives a stop signal.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server: the JSON API and the S3 endpoint of one machine."
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await ExitStatus.reporting {
            try await Live(try options.read()).run()
        }
    }
}
