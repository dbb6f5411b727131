import Foundation
import Logging
import ObjectStorage
import Secrets

extension DirectoryObjectStore {
    /// Opens the store in a folder, which is made when there is none, and finishes what a crash left undone.
    ///
    /// Any number of processes of one machine may have the folder open; it must not be on a network file system.
    /// - Throws: `denied` for a folder that this user may not write to or that a newer version wrote, `corrupted` for
    ///   a database that is none.
    package static func open(
        at folder: URL, now: @escaping @Sendable () -> Date, randomness: Randomness, logger: Logger
    ) async throws(ObjectStoreError) -> DirectoryObjectStore {
        let threads = StoreThreads()
        do {
            return try await threads.writers.runIfActive {
                try openBlocking(folder.path, now, randomness, logger, threads)
            }
        } catch {
            threads.stop()
            throw error as? ObjectStoreError ?? .notStarted
        }
    }

    /// Waits for the writes under way and gives up the folder; calls made afterwards throw `unavailable`.
    package func close() async throws(ObjectStoreError) {
        do {
            try await readers.shutdownGracefully()
            try await writers.shutdownGracefully()
        } catch {
            throw .unavailable("threads do not stop: \(error)")
        }
        let closed = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                continuation.resume(returning: Result { () throws(ObjectStoreError) in try closeBlocking() })
            }
        }
        try closed.get()
    }

    private func closeBlocking() throws(ObjectStoreError) {
        try index.close()
        let opening = try shelf.locks.lockOpening()
        defer { withExtendedLifetime(opening) {} }
        staging.close()
    }

    private static func openBlocking(
        _ root: String, _ now: @escaping @Sendable () -> Date, _ randomness: Randomness, _ logger: Logger,
        _ threads: StoreThreads
    ) throws(ObjectStoreError) -> DirectoryObjectStore {
        let folders = DurableFolders(root: root)
        try makeRoot(root, folders)
        let locks = KeyLocks(root: root)
        let opening = try locks.lockOpening()
        defer { withExtendedLifetime(opening) {} }
        let index = try ObjectIndex(root: root)
        try folders.synchronize("")
        let shelf = FileShelf(root: root, index: index, locks: locks, folders: folders, logger: logger)
        let staging = try StagingArea(root: root, randomness: randomness, folders: folders)
        let dead = try StagingArea.deadOwners(root: root)
        try shelf.recover { owner in dead.contains { $0.owner == owner } }
        for (owner, _) in dead where try !index.refersBlocking(to: owner) {
            StagingArea.remove(root: root, owner: owner)
        }
        let finder = FileFinder(root: root, index: index, locks: locks, logger: logger)
        return DirectoryObjectStore(
            index: index, staging: staging, shelf: shelf, finder: finder, threads: threads, now: now
        )
    }

    private static func makeRoot(_ root: String, _ folders: DurableFolders) throws(ObjectStoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .denied("cannot make the data folder \(root)")
        }
        // The folder's own name; a parent that this user may not read was there before.
        try? OpenFile.reading("\(root)/..")?.synchronize()
        try folders.ensure(KeyLocks.folder)
        try folders.ensure(StagingArea.folder)
    }
}
