import Accounts
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The configured store.
package enum LiveStore {
    /// Compares the store's manifest with the settings, before any other write: the store may belong to another
    /// environment.
    /// - Parameter stampingNew: Whether a store without a manifest is new and gets one. Otherwise that is an error.
    package static func checkManifest(
        _ store: any ObjectStore, _ settings: Settings, stampingNew: Bool = false
    ) async throws -> StoreManifest {
        if !stampingNew, try await store.head(ObjectKey(known: StorageLayout.storeManifest)) == nil {
            throw StartProblem("no store found in \(settings.store.location)")
        }
        return try await StoreManifest.check(
            store, retry: retry, environment: settings.environment, subjects: settings.subjects,
            keyRing: { try makeKeyRing(settings, creatingKey: stampingNew) }, now: Date()
        )
    }

    /// Compares the store's manifest with the settings. Returns the key ring, and the watch that reads the manifest
    /// again.
    package static func watchManifest(
        _ store: any ObjectStore, _ settings: Settings, stampingNew: Bool = false
    ) async throws -> (naming: ManifestCache, keyRing: KeyRing) {
        let before = Date()
        let stamp = try await checkManifest(store, settings, stampingNew: stampingNew)
        let keyRing = try makeKeyRing(settings, creatingKey: stampingNew)
        let naming = try ManifestCache(
            stamp, readAt: before, store: store, keyRing: keyRing, retry: retry, now: { Date() }
        )
        return (naming, keyRing)
    }

    /// Returns the accounts of a store that matches the settings.
    package static func accounts(_ store: any ObjectStore, _ settings: Settings) async throws -> AccountDirectory {
        let (naming, keyRing) = try await watchManifest(store, settings)
        return Live.makeAccounts(
            store, keyRing, naming, settings, logger: settings.log.makeLogger("photolala.accounts"))
    }

    /// - Parameter creatingKey: Whether `dev` generates a missing master key. Otherwise that is an error.
    package static func makeKeyRing(_ settings: Settings, creatingKey: Bool = false) throws -> KeyRing {
        KeyRing(
            current: try settings.masterKey ?? DevelopmentSecrets.masterKey(of: settings.store, creating: creatingKey),
            previous: settings.previousMasterKeys,
            environment: settings.environment.rawValue)
    }

    /// The retry policy for conflicts and temporary failures of the store.
    package static let retry = RetryPolicy(backoff: backoff)

    package static let backoff = Backoff(first: .milliseconds(20), randomness: .system) {
        try? await Task.sleep(for: $0)
    }
}
