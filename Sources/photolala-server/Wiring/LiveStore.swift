import Accounts
import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The configured store.
enum LiveStore {
    /// Opens the store for the duration of the work, and always closes it.
    static func use(
        _ settings: Settings, for purpose: StorePurpose = .changes, logger: Logger,
        _ work: (any ObjectStore) async throws -> Void
    ) async throws {
        try await open(settings, for: purpose, logger: logger) { try await work($0.objects) }
    }

    /// Opens the store for work that depends on its kind.
    static func open(
        _ settings: Settings, for purpose: StorePurpose = .changes, logger: Logger,
        _ work: (OpenStore) async throws -> Void
    ) async throws {
        do {
            switch settings.store {
            case .folder(let folder): try await LiveFolder.use(folder, for: purpose, logger: logger, work)
            case .bucket(let bucket):
                try await LiveBucket.use(bucket, passingTraces: settings.traces != nil, logger: logger) {
                    try await work(.bucket($0))
                }
            }
        } catch let refusal as CommandRefusal {
            throw refusal
        } catch {
            throw StartProblem(error, settings)
        }
    }

    /// Compares the store's manifest with the settings, before any other write: the store may belong to another
    /// environment.
    /// - Parameter stampingNew: Whether a store without a manifest is new and gets one. Otherwise that is an error.
    static func checkManifest(
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
    static func watchManifest(
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
    static func accounts(_ store: any ObjectStore, _ settings: Settings) async throws -> AccountDirectory {
        let (naming, keyRing) = try await watchManifest(store, settings)
        return Live.makeAccounts(
            store, keyRing, naming, settings, logger: settings.log.makeLogger("photolala.accounts"))
    }

    /// - Parameter creatingKey: Whether `dev` generates a missing master key. Otherwise that is an error.
    static func makeKeyRing(_ settings: Settings, creatingKey: Bool = false) throws -> KeyRing {
        KeyRing(
            current: try settings.masterKey ?? LiveFolder.masterKey(settings.store, creating: creatingKey),
            previous: settings.previousMasterKeys,
            environment: settings.environment.rawValue)
    }

    /// Fails if the folder has no store, for commands that must not create one at a misspelt path.
    static func requireStore(_ settings: Settings) throws {
        guard let folder = settings.store.folder else { return }
        var status = stat()
        guard stat("\(folder.data)/photolala.sqlite", &status) != 0 else { return }
        throw missingStore(folder.data, errno)
    }

    /// - Parameter code: The error of the system call that looked for the store.
    static func missingStore(_ data: String, _ code: CInt) -> StartProblem {
        switch code {
        case ENOENT, ENOTDIR: StartProblem("no store found in \(data)")
        case EACCES: StartProblem("cannot read \(data): permission denied. Run this command as the server's user")
        default: StartProblem("cannot read \(data): \(String(cString: strerror(code)))")
        }
    }

    /// The retry policy for conflicts and temporary failures of the store.
    static let retry = RetryPolicy(backoff: backoff)

    static let backoff = Backoff(first: .milliseconds(20), randomness: .system) { try? await Task.sleep(for: $0) }
}
