import Foundation
import Secrets

/// The master key that `dev` makes for itself and keeps in the data folder, so that a restart knows its own values.
/// The file is created whole and readable by its owner only; of several processes that start at once the first one's
/// counts.
struct DevelopmentSecrets {
    /// The id of the master key that is made.
    static let masterKeyID = "dev"

    private let folder: URL

    static func folder(_ data: String) -> String { "\(data)/development-secrets" }

    init(data: String) throws {
        folder = URL(fileURLWithPath: Self.folder(data), isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw StartProblem("\(folder.path) cannot be made: \(error.localizedDescription)")
        }
    }

    func masterKey() throws -> MasterKey {
        guard let key = MasterKey(id: Self.masterKeyID, bytes: try keep("master.key", Randomness.system.bytes(32)))
        else {
            throw StartProblem("\(folder.path)/master.key is damaged: it must hold 32 bytes")
        }
        return key
    }

    private func keep(_ name: String, _ bytes: [UInt8]) throws -> Data {
        let file = folder.appendingPathComponent(name)
        if let known = try? Data(contentsOf: file) { return known }
        let fresh = folder.appendingPathComponent("\(name).\(Randomness.system.uuid().uuidString)")
        do {
            // The folder is its owner's alone.
            try Data(bytes).write(to: fresh, options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fresh.path)
            // Fails when another process was faster; then its file counts.
            try? FileManager.default.linkItem(at: fresh, to: file)
            try FileManager.default.removeItem(at: fresh)
            return try Data(contentsOf: file)
        } catch {
            try? FileManager.default.removeItem(at: fresh)
            throw StartProblem("\(file.path) cannot be kept: \(error.localizedDescription)")
        }
    }
}
