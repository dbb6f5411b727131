import Foundation
import Secrets

/// The master key that `dev` generates and stores in the data folder, so that values remain readable after a restart.
/// The file is created atomically and readable only by its owner; of several processes that start together, the first
/// one's file is used.
package struct DevelopmentSecrets {
    /// The id of the generated master key.
    package static let masterKeyID = "dev"

    private let folder: URL

    package static func folder(_ data: String) -> String { "\(data)/development-secrets" }

    init(data: String) { folder = URL(fileURLWithPath: Self.folder(data), isDirectory: true) }

    /// Returns the master key that `dev` generates if none is configured.
    /// - Parameter creating: Whether a missing key is generated.
    static func masterKey(of store: StoreSettings, creating: Bool) throws -> MasterKey {
        guard let folder = store.folder else { throw StartProblem("keys.master: required for a store on S3") }
        let secrets = DevelopmentSecrets(data: folder.data)
        if creating { return try secrets.masterKey() }
        guard let key = try secrets.existingMasterKey() else {
            throw StartProblem(
                "no master key in \(DevelopmentSecrets.folder(folder.data)). Copy development-secrets/ from the store's "
                    + "former data folder to \(folder.data)")
        }
        return key
    }

    /// Returns the master key. Creates it and its folder if missing.
    func masterKey() throws -> MasterKey {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw StartProblem("cannot create \(folder.path): \(error.localizedDescription)")
        }
        return try existingMasterKey() ?? key(try create(Randomness.system.bytes(32)))
    }

    /// Returns the master key; `nil` if there is none.
    func existingMasterKey() throws -> MasterKey? { try (try? Data(contentsOf: file)).map(key) }

    private var file: URL { folder.appendingPathComponent("master.key") }

    private func key(_ bytes: Data) throws -> MasterKey {
        guard let key = MasterKey(id: Self.masterKeyID, bytes: bytes) else {
            throw StartProblem("\(file.path) is damaged: must be 32 bytes")
        }
        return key
    }

    private func create(_ bytes: [UInt8]) throws -> Data {
        let fresh = folder.appendingPathComponent("master.key.\(Randomness.system.uuid().uuidString)")
        do {
            // The folder is accessible only to its owner.
            try Data(bytes).write(to: fresh, options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fresh.path)
            // Fails if another process was faster; that process's file is used.
            try? FileManager.default.linkItem(at: fresh, to: file)
            try FileManager.default.removeItem(at: fresh)
            return try Data(contentsOf: file)
        } catch {
            try? FileManager.default.removeItem(at: fresh)
            throw StartProblem("cannot write \(file.path): \(error.localizedDescription)")
        }
    }
}
