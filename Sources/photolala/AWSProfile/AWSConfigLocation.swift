import Foundation

/// The files in which AWS programs look for profiles.
struct AWSConfigLocation {
    let config: String
    let credentials: String

    private static let limit = 1 << 20

    init(environment: [String: String]) {
        func path(_ variable: String, _ name: String) -> String {
            let given = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? "~/.aws/\(name)"
            let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
            let expanded = given.hasPrefix("~/") ? home + given.dropFirst(1) : given
            // A link leads to the file that is replaced.
            return URL(filePath: expanded).resolvingSymlinksInPath().path
        }
        config = path("AWS_CONFIG_FILE", "config")
        credentials = path("AWS_SHARED_CREDENTIALS_FILE", "credentials")
    }

    /// Changes the configuration file, which is created if it is missing.
    func change<Result>(_ edit: (inout AWSConfigFile) throws -> Result) throws -> Result {
        var found = stat()
        let exists = stat(config, &found) == 0
        var file = AWSConfigFile(try bytes(of: config))
        let old = file.bytes
        let result = try edit(&file)
        guard file.bytes != old else { return result }
        try FileReplacement.createFolder(of: config)
        try FileReplacement.write(file.bytes, to: config, mode: exists ? found.st_mode & 0o777 : 0o600)
        return result
    }

    /// Refuses a name that has keys in the credentials file, which AWS programs prefer.
    func requireNoKeys(for name: String) throws {
        let text = String(decoding: try bytes(of: credentials), as: UTF8.self)
        let headers = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard !headers.contains("[\(name)]") else {
            throw CommandFailure(
                "\(credentials) has keys for the profile \(name), which AWS programs use first.",
                advice: ["Remove them, or choose another name:  photolala aws-profile NAME"])
        }
    }

    private func bytes(of path: String) throws -> Data {
        guard FileManager.default.fileExists(atPath: path) else { return Data() }
        let bytes = try InputFile.bytes(of: path, limit: Self.limit, content: "profiles", as: .regular)
        guard bytes.count <= Self.limit else { throw CommandFailure("\(path) is longer than 1 MiB.") }
        return bytes
    }
}
