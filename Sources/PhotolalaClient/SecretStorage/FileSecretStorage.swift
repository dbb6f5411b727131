import Foundation
import Secrets

/// Keeps secrets as sealed files (AES-256-GCM) beside their key: folder 0700, files 0600, replaced whole and synced.
///
/// The seal keeps secrets out of backups and searches that take single files and binds each to its name; it does not
/// protect from somebody who can read the whole folder as this user.
public struct FileSecretStorage: SecretStorage {
    private let folder: PrivateFolder
    private let keys: KeyRing
    private let randomness: Randomness

    private static let keyFile = "key"

    /// Opens the folder; makes it and its key where they are missing.
    /// - Throws: when others can read the folder or the key, or the key is damaged.
    public init(folder: URL) throws(SecretStorageError) {
        try self.init(folder: folder.path, randomness: .system)
    }

    package init(folder path: String, randomness: Randomness) throws(SecretStorageError) {
        folder = try PrivateFolder(path, randomness: randomness)
        self.randomness = randomness
        if try folder.read(Self.keyFile) == nil {
            let fresh = "file:\(Data(randomness.bytes(32)).base64EncodedString())\n"
            _ = try folder.create(Self.keyFile, Data(fresh.utf8))
        }
        let text = try folder.read(Self.keyFile).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let key = MasterKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw SecretStorageError(
                detail: "\(folder.path(of: Self.keyFile)) is damaged: what it sealed cannot be opened.",
                isUnusable: true
            )
        }
        keys = KeyRing(current: key)
    }

    /// The secret, or `nil` when there is none.
    public func load(_ name: String) throws(SecretStorageError) -> Data? {
        guard let sealed = try folder.read(file(name)) else { return nil }
        do {
            return try keys.open(String(decoding: sealed, as: UTF8.self), for: .clientSecrets, context: name)
        } catch {
            throw SecretStorageError(
                detail: "\(folder.path(of: file(name))) cannot be opened: it is damaged, or another key sealed it.",
                isUnusable: true
            )
        }
    }

    /// Keeps a secret in place of what was there.
    public func save(_ secret: Data, as name: String) throws(SecretStorageError) {
        let sealed: String
        do {
            sealed = try keys.seal(secret, for: .clientSecrets, context: name, randomness: randomness)
        } catch {
            throw SecretStorageError(detail: "The secret could not be sealed.")
        }
        try folder.replace(file(name), with: Data(sealed.utf8))
    }

    /// Forgets a secret.
    public func delete(_ name: String) throws(SecretStorageError) { try folder.remove(file(name)) }

    /// Removes a key that cannot be used, so that the next opening makes another one.
    static func forgetKey(folder path: String, randomness: Randomness) throws(SecretStorageError) {
        try PrivateFolder(path, randomness: randomness).remove(keyFile)
    }

    private func file(_ name: String) -> String { "\(name).sealed" }
}
