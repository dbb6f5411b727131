import ArgumentParser
import Foundation
import ServiceWiring

/// The settings that have command line options. All others come from the environment or the file.
struct SettingsOptions: ParsableArguments {
    /// The environment's variables.
    @TaskLocal static var variables = ProcessInfo.processInfo.environment

    @Option(help: "dev, stage or prod; no default.")
    var environment: String?

    @Option(help: "The data folder. Only `serve` and `recover --apply` create it.")
    var data: String?

    @Option(help: "Listen address of the JSON API, HOST:PORT (default 127.0.0.1:8080).")
    var listen: String?

    @Option(help: "Listen address of the S3 endpoint, HOST:PORT (default 127.0.0.1:9000).")
    var s3Listen: String?

    @Option(help: "A JSON file with settings (also PHOTOLALA_CONFIG).")
    var config: String?

    /// Reads and validates all settings.
    /// - Parameter pairingHost: In pairing mode, the default host of the listeners.
    func read(pairingHost: String? = nil) throws -> Settings {
        var flags: [SettingName: String] = [:]
        flags[.environment] = environment
        flags[.data] = data
        flags[.listen] = listen
        flags[.s3Listen] = s3Listen
        let path = config ?? Self.variables[SettingsVariables.file] ?? ""
        let file = path.isEmpty ? nil : try SettingsFile(path: path)
        return try Settings.read(
            SettingsReader(
                flags: flags, environment: Self.variables, file: file, pairingHost: pairingHost))
    }
}
