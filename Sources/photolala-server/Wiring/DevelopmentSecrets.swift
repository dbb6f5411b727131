import Foundation
import IdentityProviders
import PhotolalaAPI
import Secrets

/// What `dev` makes for itself and keeps in the data folder, so that a restart knows its own values: the master key and
/// the development provider's keys. Files are created whole and readable by their owner only; of several processes
/// that start at once the first one's file counts.
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
        let bytes = try keep("master.key") { Data(Randomness.system.bytes(32)) }
        guard let key = MasterKey(id: Self.masterKeyID, bytes: bytes) else {
            throw StartProblem("\(folder.path)/master.key is damaged: it must hold 32 bytes")
        }
        return key
    }

    func signingKey(_ provider: ProviderName) throws -> DevelopmentSigningKey {
        let bytes = try keep("\(provider).der") { try DevelopmentSigningKey.generate().derRepresentation }
        do {
            return try DevelopmentSigningKey(derRepresentation: bytes)
        } catch {
            throw StartProblem("\(folder.path)/\(provider).der is damaged: it must hold an RSA private key")
        }
    }

    private func keep(_ name: String, make: () throws -> Data) throws -> Data {
        let file = folder.appendingPathComponent(name)
        if let known = try? Data(contentsOf: file) { return known }
        let fresh = folder.appendingPathComponent("\(name).\(Randomness.system.uuid().uuidString)")
        do {
            // The folder is its owner's alone.
            try make().write(to: fresh, options: .withoutOverwriting)
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
