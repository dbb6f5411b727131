import ArgumentParser
import Foundation

/// Settings on the command line; every other one comes from the environment or the file.
struct SettingsOptions: ParsableArguments {
    @Option(help: "dev, stage or prod; there is no default.")
    var environment: String?

    @Option(help: "The folder of the store; made when it is missing.")
    var data: String?

    @Option(help: "Where the JSON server listens, HOST:PORT (default 127.0.0.1:8080).")
    var listen: String?

    @Option(help: "Where the S3 endpoint listens, HOST:PORT (default 127.0.0.1:9000).")
    var s3Listen: String?

    @Option(help: "A JSON file with settings (also PHOTOLALA_CONFIG).")
    var config: String?

    /// Reads and checks all settings.
    func read() async throws -> Settings {
        var flags: [String: String] = [:]
        flags[SettingName.environment.rawValue] = environment
        flags[SettingName.data.rawValue] = data
        flags[SettingName.listen.rawValue] = listen
        flags[SettingName.s3Listen.rawValue] = s3Listen
        let variables = ProcessInfo.processInfo.environment
        let file = config ?? variables["PHOTOLALA_CONFIG"]
        if let file, !FileManager.default.isReadableFile(atPath: file) {
            throw SettingsProblems(problems: ["\(file): the settings file cannot be read"])
        }
        let reader: SettingsReader
        do {
            reader = try await SettingsReader(flags: flags, environment: variables, file: file)
        } catch {
            throw SettingsProblems(problems: ["\(file ?? "settings"): the settings file is not JSON"])
        }
        return try Settings.read(reader)
    }
}
