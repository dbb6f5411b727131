import Foundation
import Logging
import ObjectStorage
import Secrets

extension DirectoryObjectStore {
    /// Opens the store in a folder, creates the folder if necessary, and completes operations that a crash
    /// interrupted.
    ///
    /// Any number of processes on one machine may have the folder open; it must not be on a network file system.
    /// - Parameters:
    ///   - reserve: what users' objects must leave free on the disk.
    ///   - mayLackAccounts: makes the database of accounts where it is missing beside photos: for a recovery.
    ///   - mayUpgrade: brings a folder of an earlier format to this version's, after which older versions refuse it, and makes
    ///     commit marks that are missing.
    /// - Throws: `denied` for a folder that this user may not write to, that a newer version wrote or that may not be
    ///   upgraded, `corrupted` for
    ///   a database that is none, is missing beside the other one, or has lost commits.
    package static func open(
        at folder: URL, now: @escaping @Sendable () -> Date, randomness: Randomness, logger: Logger,
        reserve: StorageReserve = StorageReserve(), mayLackAccounts: Bool = false, mayUpgrade: Bool = true
    ) async throws(ObjectStoreError) -> DirectoryObjectStore {
        try await onThreads { threads throws(ObjectStoreError) in
            let opening = Opening(
                root: folder.path, now: now, randomness: randomness, logger: logger, threads: threads,
                reserve: SpaceReserve(root: folder.path, settings: reserve, logger: logger))
            return try opening.open(mayLackAccounts: mayLackAccounts, mayUpgrade: mayUpgrade)
        }
    }

    /// Opens the store for reading. Nothing in the folder is created or changed; every write throws `denied`.
    /// - Parameter mayLackAccounts: Missing databases read as empty, as `open(at:)` would create them.
    /// - Throws: `denied` for a folder of an earlier format, `corrupted` as `open(at:)`.
    package static func openForReading(
        at folder: URL, now: @escaping @Sendable () -> Date, logger: Logger, mayLackAccounts: Bool = false
    ) async throws(ObjectStoreError) -> DirectoryObjectStore {
        try await onThreads { threads throws(ObjectStoreError) in
            let root = folder.path
            try FolderUpgrade.requireCurrent(root)
            let health = StoreHealth(now: now)
            let databases = try ObjectDatabases(
                reading: root, mayLackAccounts: mayLackAccounts, health: health, logger: logger)
            try MissingFolder.check(root, databases.users)
            return DirectoryObjectStore(
                databases: databases,
                files: FileFinder(root: root, index: databases.users, locks: nil, logger: logger), writing: nil,
                reserve: SpaceReserve(root: root, settings: StorageReserve(), logger: logger), health: health,
                threads: threads, now: now)
        }
    }

    private static func onThreads(
        _ open: @escaping @Sendable (StoreThreads) throws(ObjectStoreError) -> DirectoryObjectStore
    ) async throws(ObjectStoreError) -> DirectoryObjectStore {
        let threads = StoreThreads()
        do {
            return try await threads.writers.runIfActive { try open(threads) }
        } catch {
            threads.stop()
            throw error as? ObjectStoreError ?? .notStarted
        }
    }

    /// Waits for pending writes and releases the folder. Later calls throw `unavailable`.
    package func close() async throws(ObjectStoreError) {
        do {
            try await readers.shutdownGracefully()
            try await writers.shutdownGracefully()
        } catch {
            throw .unavailable("thread shutdown failed: \(error)")
        }
        let closed = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                continuation.resume(returning: Result { () throws(ObjectStoreError) in try closeBlocking() })
            }
        }
        try closed.get()
    }

    private func closeBlocking() throws(ObjectStoreError) {
        guard let writing else { return try databases.close() }
        let opening = try writing.fileStore.locks.lockOpening()
        defer { withExtendedLifetime(opening) {} }
        try databases.close()
        writing.staging.close()
    }
}

/// The parameters for opening a store.
private struct Opening {
    let root: String
    let now: @Sendable () -> Date
    let randomness: Randomness
    let logger: Logger
    let threads: StoreThreads
    let reserve: SpaceReserve

    func open(mayLackAccounts: Bool, mayUpgrade: Bool) throws(ObjectStoreError) -> DirectoryObjectStore {
        let folders = DurableFolders(root: root)
        try makeRoot(folders)
        let locks = KeyLocks(root: root)
        let opening = try locks.lockOpening()
        defer { withExtendedLifetime(opening) {} }
        try FolderUpgrade(root: root, logger: logger).run(mayUpgrade: mayUpgrade)
        let health = StoreHealth(now: now)
        let databases = try ObjectDatabases(
            root: root, mayLackAccounts: mayLackAccounts,
            .init(reserve: reserve, health: health, logger: logger, createsMarks: mayUpgrade))
        try folders.synchronize("")
        let index = databases.users
        try MissingFolder.check(root, index)
        let fileStore = ObjectFileStore(
            root: root, index: index, locks: locks, folders: folders, reserve: reserve, logger: logger)
        let staging = try StagingArea(root: root, randomness: randomness, folders: folders)
        let dead = try StagingArea.deadOwners(root: root)
        try fileStore.recover { owner in dead.contains { $0.owner == owner } }
        for (owner, _) in dead where try !index.refersBlocking(to: owner) {
            StagingArea.remove(root: root, owner: owner)
        }
        reserve.refill()
        return DirectoryObjectStore(
            databases: databases, files: FileFinder(root: root, index: index, locks: locks, logger: logger),
            writing: .init(staging: staging, fileStore: fileStore), reserve: reserve, health: health, threads: threads,
            now: now
        )
    }

    private func makeRoot(_ folders: DurableFolders) throws(ObjectStoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .denied("cannot create the data folder \(root)")
        }
        reserve.releaseIfFull()
        // Makes the folder's own name durable. A parent that is not readable existed before.
        try? OpenFile.reading("\(root)/..")?.synchronize()
        try folders.ensure(KeyLocks.folder)
        try folders.ensure(StagingArea.folder)
    }
}
