import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI

extension ProfileDirectory {
    /// Returns the stored preferences of an account, or those without an account.
    func preferences(of user: UserID?) throws(PhotolalaError) -> StoredPreferences {
        do {
            guard user != nil, try folder.read(Self.preferencesFile(nil)) != nil else {
                return try read(Self.preferencesFile(user)) ?? StoredPreferences()
            }
        } catch {
            throw PhotolalaError(local: error)
        }
        return try changePreferences(of: user) { $0 }
    }

    /// Changes the stored preferences, with exclusive access among all processes that share the profile.
    func changePreferences<Result>(
        of user: UserID?, _ change: (inout StoredPreferences) -> Result
    ) throws(PhotolalaError) -> Result {
        do {
            return try preferencesLock.withLock { () throws(SecretStorageError) in
                var preferences = try loadPreferences(user)
                let result = change(&preferences)
                guard let bytes = try? WireJSON.encoder().encode(preferences) else {
                    throw SecretStorageError(detail: "A preference value cannot be stored.")
                }
                try folder.replace(Self.preferencesFile(user), with: bytes)
                // Preferences that were set without an account now belong to this account only.
                if user != nil { try folder.remove(Self.preferencesFile(nil)) }
                return result
            }
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    private func loadPreferences(_ user: UserID?) throws(SecretStorageError) -> StoredPreferences {
        var preferences = try read(Self.preferencesFile(user)) ?? StoredPreferences()
        if user != nil, let bytes = try folder.read(Self.preferencesFile(nil)),
            let nobodys = try read(Self.preferencesFile(nil))
        {
            preferences.adopt(nobodys, digest: "\(ContentDigest(of: ByteBuffer(bytes: bytes)))")
        }
        return preferences
    }

    private func read(_ file: String) throws(SecretStorageError) -> StoredPreferences? {
        guard let bytes = try folder.read(file) else { return nil }
        guard let preferences = try? WireJSON.decoder().decode(StoredPreferences.self, from: bytes) else {
            throw SecretStorageError(detail: "\(folder.path(of: file)) is damaged. Remove it to continue without it.")
        }
        return preferences
    }

    private var preferencesLock: FileLock { FileLock(folder.path(of: "preferences.lock")) }

    private static func preferencesFile(_ user: UserID?) -> String {
        user.map { "preferences-\($0).json" } ?? "preferences.json"
    }
}
