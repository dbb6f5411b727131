import ArgumentParser

/// Reads the settings as `serve` would, and says what it read.
struct CheckSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-settings", abstract: "Check the settings without starting anything."
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try await options.read()
            print("environment  \(settings.environment.rawValue)")
            print("data         \(settings.data)")
            print("listen       \(settings.listen) as \(settings.publicURL)")
            print(
                "s3.listen    \(settings.storage.listen) as \(settings.storage.endpoint), bucket \(settings.storage.bucket)"
            )
            print("providers    \(settings.providers.map { "\($0.name)" }.joined(separator: ", "))")
            let keys = [settings.masterKey].compactMap { $0?.id } + settings.previousMasterKeys.map(\.id)
            print("keys         \(keys.isEmpty ? "made in the data folder" : keys.joined(separator: ", "))")
        }
    }
}
