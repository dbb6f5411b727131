import Foundation

@testable import ServiceWiring

/// Reads settings from a test's values.
enum SettingsFixture {
    static let key = "k1:\(Data(repeating: 1, count: 32).base64EncodedString())"
    /// The minimum for a start in `dev`.
    static let dev: [SettingName: String] = [.environment: "dev", .data: "/tmp/x"]

    /// The minimum for a store on a local engine.
    static let bucket = [
        "PHOTOLALA_STORE": "s3", "PHOTOLALA_S3_ENDPOINT": "http://127.0.0.1:8333", "PHOTOLALA_KEYS_MASTER": key,
        "PHOTOLALA_STS_ROLE_ARN": "arn:aws:iam::000000000000:role/photolala-user",
    ]

    static func read(
        _ variables: [String: String] = [:], flags: [SettingName: String] = [:], file: String? = nil
    ) throws -> Settings {
        guard let file else { return try read(variables, flags, nil) }
        return try withFile(file) { try read(variables, flags, try SettingsFile(path: $0)) }
    }

    /// Returns the problems with the settings. The file's name in a problem is `FILE`.
    static func problems(
        _ variables: [String: String] = [:], flags: [SettingName: String] = [:], file: String? = nil
    ) throws -> [String] {
        do {
            _ = try read(variables, flags: flags, file: file)
            return []
        } catch let error as SettingsProblems {
            return error.problems
        }
    }

    private static func read(
        _ variables: [String: String], _ flags: [SettingName: String], _ file: SettingsFile?
    ) throws -> Settings {
        try Settings.read(SettingsReader(flags: flags, environment: variables, file: file))
    }

    private static func withFile<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            return try body(file.path)
        } catch let error as SettingsProblems {
            throw SettingsProblems(
                problems: error.problems.map { $0.replacingOccurrences(of: file.path, with: "FILE") }
            )
        }
    }
}
