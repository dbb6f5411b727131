import ArgumentParser
import ServiceWiring

/// Reads the settings like `serve` and prints the effective configuration.
struct CheckSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-settings", abstract: "Check the settings without starting the server."
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await ExitStatus.reporting { print(SettingsReport(try options.read())) }
    }
}
