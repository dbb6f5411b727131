import Foundation
import PhotolalaClient

/// The files in which AWS programs look for profiles.
struct AWSConfigLocation {
    let config: String
    let credentials: String
    /// The link that leads to the configuration file; `nil` if there is none.
    private let link: String?

    private static let limit = 1 << 20

    /// - Throws: If the configuration file is a link that leads to itself.
    init(environment: [String: String]) throws(CommandFailure) {
        func path(_ variable: String, _ name: String) -> String {
            let given = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? "~/.aws/\(name)"
            let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
            return URL(filePath: given.hasPrefix("~/") ? home + given.dropFirst(1) : given).path
        }
        let given = path("AWS_CONFIG_FILE", "config")
        config = try Self.target(of: given)
        link = given == config ? nil : given
        credentials = path("AWS_SHARED_CREDENTIALS_FILE", "credentials")
    }

    /// Returns the file to which links lead, which is replaced or created. The links stay.
    private static func target(of path: String) throws(CommandFailure) -> String {
        var target = path
        // As many links as Linux follows.
        for _ in 0...40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { return target }
            let folder = (target as NSString).deletingLastPathComponent as NSString
            target = next.hasPrefix("/") ? next : folder.appendingPathComponent(next)
        }
        throw CommandFailure("Cannot use \(path): the link leads to itself.", code: .fileUnusable)
    }

    /// Changes the configuration file, which is created if it is missing.
    func change<Result>(_ edit: (inout AWSConfigFile) throws -> Result) throws -> Result {
        var found = stat()
        let exists = stat(config, &found) == 0
        var file = AWSConfigFile(try bytes(of: config))
        let old = file.bytes
        let result = try edit(&file)
        guard file.bytes != old else { return result }
        // The disk of the link's target may not be mounted.
        if let link, LocalPath.kind(of: (config as NSString).deletingLastPathComponent) != .folder {
            throw CommandFailure(
                "Cannot write \(link): it is a link to \(config), whose folder does not exist.", code: .fileUnusable)
        }
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
