import DirectoryStorage
import Foundation
import Logging
import ObjectStorage
import Secrets

/// What a store is opened for.
enum StorePurpose {
    /// Serving, and commands that change what is stored.
    case changes
    /// Commands that only read: the folder may be one that cannot be written to.
    case reading
    /// Writing a snapshot's accounts beside photos that are there.
    case recovery
    /// Checking whether that can be done: the folder is not changed.
    case recoveryCheck
}

/// The store of one machine.
enum LiveFolder {
    /// Opens the folder, and closes it whatever becomes of the work with it.
    static func use(
        _ settings: FolderSettings, for purpose: StorePurpose, logger: Logger,
        _ work: (OpenStore) async throws -> Void
    ) async throws {
        let store = try await open(settings, purpose, logger)
        do {
            try await work(.folder(store, settings))
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }

    /// What `dev` makes where no master key is given.
    static func masterKey(_ store: StoreSettings) throws -> MasterKey {
        guard let folder = store.folder else { throw StartProblem("keys.master: a store on S3 needs a master key") }
        return try DevelopmentSecrets(data: folder.data).masterKey()
    }

    private static func open(
        _ settings: FolderSettings, _ purpose: StorePurpose, _ logger: Logger
    ) async throws -> DirectoryObjectStore {
        let data = settings.data
        try refuseUnusable(data, purpose)
        let store = try await openAny(settings, purpose, logger)
        guard purpose == .changes || purpose == .reading else { return store }
        // A database that cannot be read here is named by the check of `serve` and by `scrub`.
        guard (try? await store.lacksAccounts()) == true else { return store }
        try await store.close()
        throw ObjectStoreError.corrupted(
            """
            \(data)/photolala.sqlite has no accounts beside users' objects: put it back from a backup or recover a snapshot
            """)
    }

    private static func openAny(
        _ settings: FolderSettings, _ purpose: StorePurpose, _ logger: Logger
    ) async throws -> DirectoryObjectStore {
        let data = settings.data
        let folder = URL(fileURLWithPath: data, isDirectory: true)
        if purpose == .recoveryCheck {
            return try await DirectoryObjectStore.openForReading(
                at: folder, now: { Date() }, logger: logger, mayLackAccounts: true)
        }
        if purpose == .reading, !FileManager.default.isWritableFile(atPath: data) {
            return try await DirectoryObjectStore.openForReading(at: folder, now: { Date() }, logger: logger)
        }
        let waiting = Task {
            try await Task.sleep(for: .seconds(5))
            logger.warning("waiting for another process that has the store locked", metadata: ["data": "\(data)"])
        }
        defer { waiting.cancel() }
        return try await DirectoryObjectStore.open(
            at: folder, now: { Date() }, randomness: .system, logger: logger,
            reserve: StorageReserve(bytes: settings.reservedBytes), mayLackAccounts: purpose == .recovery,
            mayUpgrade: purpose == .changes
        )
    }

    /// Photos without the database that knows their owners are a damaged store, not a new one.
    private static func refuseUnusable(_ data: String, _ purpose: StorePurpose) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = true
        if files.fileExists(atPath: data, isDirectory: &isFolder), !isFolder.boolValue {
            throw StartProblem("\(data) is a file; data must name a folder")
        }
        guard purpose == .changes || purpose == .reading, !files.fileExists(atPath: "\(data)/photolala.sqlite"),
            files.fileExists(atPath: "\(data)/photos")
        else { return }
        throw StartProblem("\(data) holds photos but no photolala.sqlite: restore that file from a backup first")
    }
}
