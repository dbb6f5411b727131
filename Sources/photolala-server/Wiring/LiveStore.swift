import Accounts
import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import Secrets

/// The store of one machine.
enum LiveStore {
    /// Opens the store, and closes it whatever becomes of the work with it.
    static func use(
        _ settings: Settings, logger: Logger, _ work: (DirectoryObjectStore) async throws -> Void
    ) async throws {
        let store = try await open(settings, logger)
        do {
            try await work(store)
        } catch {
            try? await store.close()
            throw StartProblem(error, settings)
        }
        do {
            try await store.close()
        } catch {
            throw StartProblem(error, settings)
        }
    }

    /// Compares the store with the settings, before anything else is made in the data folder: it may be another
    /// environment's.
    static func checkStamp(_ store: any ObjectStore, _ settings: Settings) async throws -> StoreStamp {
        try await StoreStamp.check(
            store, retry: retry, environment: settings.environment, subjects: settings.subjects,
            keyRing: { try makeKeyRing(settings) }, now: Date()
        )
    }

    /// Compares the store with the settings, and gives the keys with what keeps an eye on the stamp from then on.
    static func watchStamp(
        _ store: any ObjectStore, _ settings: Settings
    ) async throws -> (naming: NamingWatch, keyRing: KeyRing) {
        let before = Date()
        let stamp = try await checkStamp(store, settings)
        let keyRing = try makeKeyRing(settings)
        let naming = try NamingWatch(
            stamp, readAt: before, store: store, keyRing: keyRing, retry: retry, now: { Date() }
        )
        return (naming, keyRing)
    }

    /// The accounts of a store that fits the settings, for commands that work on them.
    static func accounts(_ store: any ObjectStore, _ settings: Settings) async throws -> AccountDirectory {
        let (naming, keyRing) = try await watchStamp(store, settings)
        return Live.makeAccounts(store, keyRing, naming)
    }

    static func makeKeyRing(_ settings: Settings) throws -> KeyRing {
        let master = try settings.masterKey ?? DevelopmentSecrets(data: settings.data).masterKey()
        return KeyRing(
            current: master, previous: settings.previousMasterKeys, environment: settings.environment.rawValue)
    }

    /// For commands that work on what is there and must not make a folder that was misspelt.
    static func requireStore(_ settings: Settings) throws {
        guard FileManager.default.fileExists(atPath: "\(settings.data)/photolala.sqlite") else {
            throw StartProblem("there is no store in \(settings.data)")
        }
    }

    private static func open(_ settings: Settings, _ logger: Logger) async throws -> DirectoryObjectStore {
        try refuseUnusable(settings.data)
        let waiting = Task {
            try await Task.sleep(for: .seconds(5))
            logger.warning(
                "waiting for another process that has the store locked", metadata: ["data": "\(settings.data)"])
        }
        defer { waiting.cancel() }
        do {
            return try await DirectoryObjectStore.open(
                at: URL(fileURLWithPath: settings.data, isDirectory: true), now: { Date() }, randomness: .system,
                logger: logger
            )
        } catch {
            throw StartProblem(error, settings)
        }
    }

    /// Photos without the database that knows their owners are a damaged store, not a new one.
    private static func refuseUnusable(_ data: String) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = true
        if files.fileExists(atPath: data, isDirectory: &isFolder), !isFolder.boolValue {
            throw StartProblem("\(data) is a file; data must name a folder")
        }
        guard !files.fileExists(atPath: "\(data)/photolala.sqlite"), files.fileExists(atPath: "\(data)/photos") else {
            return
        }
        throw StartProblem("\(data) holds photos but no photolala.sqlite: restore that file from a backup first")
    }

    /// How long the store's "try again" is followed.
    static let retry = RetryPolicy(
        backoff: Backoff(first: .milliseconds(20), randomness: .system) { try? await Task.sleep(for: $0) }
    )
}
