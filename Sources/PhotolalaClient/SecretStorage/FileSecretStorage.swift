import Foundation
import Secrets

/// Stores secrets as sealed files (AES-256-GCM) next to their key. The folder has mode 0700 and the files have mode
/// 0600; files are replaced atomically and synced.
///
/// Sealing protects secrets from backups and searches that copy single files, and binds each secret to its name. It
/// does not protect against a process that can read the whole folder as this user.
public struct FileSecretStorage: SecretStorage {
    private let folder: PrivateFolder
    private let keys: KeyRing
    private let randomness: Randomness

    private static let keyFile = "key"

    /// Opens the folder, and creates it and its key if missing.
    /// - Throws: An error if other users can read the folder or the key, or if the key is damaged.
    public init(folder: URL) throws(SecretStorageError) {
        try self.init(folder: folder.path, randomness: .system)
    }

    package init(folder path: String, randomness: Randomness) throws(SecretStorageError) {
        folder = try PrivateFolder(path, randomness: randomness)
        self.randomness = randomness
        if try folder.read(Self.keyFile) == nil {
            let key = "file:\(Data(randomness.bytes(32)).base64EncodedString())\n"
            _ = try folder.create(Self.keyFile, Data(key.utf8))
        }
        let text = try folder.read(Self.keyFile).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let key = MasterKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw SecretStorageError(
                detail: "\(folder.path(of: Self.keyFile)) is damaged; secrets sealed with it cannot be opened.",
                isUnusable: true, cause: FailureCause(.secretUnreadable, ["path": folder.path(of: Self.keyFile)]))
        }
        keys = KeyRing(current: key)
    }

    /// Returns the secret, or `nil` if there is none.
    public func load(_ name: String) throws(SecretStorageError) -> Data? {
        guard let sealed = try folder.read(file(name)) else { return nil }
        do {
            return try keys.open(String(decoding: sealed, as: UTF8.self), for: .clientSecrets, context: name)
        } catch {
            throw SecretStorageError(
                detail: "\(folder.path(of: file(name))) cannot be opened: damaged, or sealed with another key.",
                isUnusable: true, cause: FailureCause(.secretUnreadable, ["path": folder.path(of: file(name))]))
        }
    }

    /// Stores a secret, replacing the previous one.
    public func save(_ secret: Data, as name: String) throws(SecretStorageError) {
        let sealed: String
        do {
            sealed = try keys.seal(secret, for: .clientSecrets, context: name, randomness: randomness)
        } catch {
            throw SecretStorageError(detail: "Cannot seal the secret.")
        }
        try folder.replace(file(name), with: Data(sealed.utf8))
    }

    /// Removes a secret.
    public func delete(_ name: String) throws(SecretStorageError) { try folder.remove(file(name)) }

    /// Removes an unusable key, so that the next opening creates a new one.
    static func forgetKey(folder path: String, randomness: Randomness) throws(SecretStorageError) {
        try PrivateFolder(path, randomness: randomness).remove(keyFile)
    }

    /// Returns the paths of the files in a folder, except the key.
    static func secrets(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0 != keyFile }.map { "\(folder)/\($0)" }
    }

    private func file(_ name: String) -> String { "\(name).sealed" }
}
