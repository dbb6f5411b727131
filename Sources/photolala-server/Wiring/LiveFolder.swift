import DirectoryStorage
import Foundation
import Logging
import Monitoring
import ObjectStorage
import Secrets
import ServiceWiring

/// The purpose for which a store is opened.
enum StorePurpose {
    /// Serving, and commands that modify the store.
    case changes
    /// Commands that only read. The folder may be read-only.
    case reading
    /// Writing a snapshot's accounts into a folder that has photos.
    case recovery
    /// Checking whether a recovery is possible. The folder is not modified.
    case recoveryCheck
}

/// The store in a local folder.
enum LiveFolder {
    /// Opens the folder for the duration of the work, and always closes it.
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

    private static func open(
        _ settings: FolderSettings, _ purpose: StorePurpose, _ logger: Logger
    ) async throws -> DirectoryObjectStore {
        let data = settings.data
        try rejectUnusable(data, purpose)
        let store = try await openAny(settings, purpose, logger)
        guard purpose == .changes || purpose == .reading else { return store }
        // If the database is unreadable here, the check in `serve` or `scrub` reports it.
        guard (try? await store.lacksAccounts()) == true else { return store }
        try await store.close()
        throw ObjectStoreError.corrupted(
            """
            \(data)/photolala.sqlite has no accounts, but user objects exist. Restore a backup or recover a snapshot
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
            logger.warning(
                .storeLocked, "waiting for another process to release the store lock", metadata: ["data": "\(data)"])
        }
        defer { waiting.cancel() }
        return try await DirectoryObjectStore.open(
            at: folder, now: { Date() }, randomness: .system, logger: logger,
            reserve: StorageReserve(bytes: settings.reservedBytes), mayLackAccounts: purpose == .recovery,
            mayUpgrade: purpose == .changes
        )
    }

    /// Rejects a folder with photos but without the account database: the store is damaged, not new.
    private static func rejectUnusable(_ data: String, _ purpose: StorePurpose) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = true
        if files.fileExists(atPath: data, isDirectory: &isFolder), !isFolder.boolValue {
            throw StartProblem("\(data) is a file; data must be a folder")
        }
        guard purpose == .changes || purpose == .reading, !files.fileExists(atPath: "\(data)/photolala.sqlite"),
            files.fileExists(atPath: "\(data)/photos")
        else { return }
        throw StartProblem("\(data) has photos but no photolala.sqlite. Restore that file from a backup")
    }
}
