import Foundation
import Logging
import NIOCore
import NIOPosix
import ObjectStorage

/// An object store in a folder on one machine, shared by any number of processes on that machine.
///
/// Object types that are always small are stored in a database, all others as plain files (`ObjectRouting`). The
/// database is authoritative for both. Writes are durable when they return: SQLite commits with `synchronous=FULL`,
/// and files and their parent folders are synced before their row is committed.
package final class DirectoryObjectStore: MeteredObjectStore, DatedDeletion, StoreStatusReporting,
    DeletedDataErasure
{
    package let isLocal = true
    let databases: ObjectDatabases
    let files: FileFinder
    /// The components that writes need; `nil` for a folder opened for reading only.
    let writing: Writing?
    let reserve: SpaceReserve
    let health: StoreHealth
    let verification = VerificationGate()
    /// The threads that read files.
    let readers: NIOThreadPool
    /// The threads that write files. Writers may wait for a key's lock, and readers must not wait behind them.
    let writers: NIOThreadPool
    let now: @Sendable () -> Date

    struct Writing: Sendable {
        let staging: StagingArea
        let fileStore: ObjectFileStore
    }

    init(
        databases: ObjectDatabases, files: FileFinder, writing: Writing?, reserve: SpaceReserve, health: StoreHealth,
        threads: StoreThreads, now: @escaping @Sendable () -> Date
    ) {
        self.databases = databases
        self.files = files
        self.writing = writing
        self.reserve = reserve
        self.health = health
        readers = threads.readers
        writers = threads.writers
        self.now = now
    }

    deinit { StoreThreads(readers: readers, writers: writers).stop() }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        guard let row = try databases[key].row(key, byteLimit: limit) else { return nil }
        guard row.info.size <= Int64(limit) else { throw .tooLarge(limit: limit) }
        if case .row(let bytes) = row.location {
            guard let bytes else { throw RowBytes.corrupted(key) }
            return StoredObject(bytes: bytes, etag: row.info.etag)
        }
        guard let found = try await find(key, row) else { return nil }
        // A larger object may have replaced it since.
        guard found.row.info.size <= Int64(limit) else { throw .tooLarge(limit: limit) }
        let bytes = try await run(on: readers) { () throws(ObjectStoreError) in
            try found.file.bytes(at: 0, count: Int(found.row.info.size))
        }
        return StoredObject(bytes: bytes, etag: found.row.info.etag)
    }

    /// Empties the logs of both databases, and removes empty folders, whose names are parts of keys. Deleted and replaced
    /// rows were overwritten in their pages.
    package func eraseDeletedData(below prefixes: [String]) async throws(ObjectStoreError) {
        guard let writing else { return }
        try await run(on: writers) { [databases] () throws(ObjectStoreError) in
            for index in databases.all { try index.emptyLog() }
            for prefix in prefixes { writing.fileStore.removeEmptyFolders(below: prefix) }
        }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        guard let row = try databases[key].row(key) else { return nil }
        guard case .file = row.location else { return row.info }
        return try await find(key, row)?.row.info
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        guard let row = try databases[key].row(key, byteLimit: ObjectRouting.rowLimit) else { return nil }
        if case .row(let bytes) = row.location {
            guard let bytes else { throw RowBytes.corrupted(key) }
            let offsets = try Self.resolve(range, row.info)
            let start = bytes.readerIndex + Int(offsets.lowerBound)
            guard let slice = bytes.getSlice(at: start, length: offsets.count) else { throw RowBytes.corrupted(key) }
            return StreamedObject(info: row.info, offsets: offsets, body: ObjectBody(slice))
        }
        guard let found = try await find(key, row, bytesIn: range) else { return nil }
        let offsets = try Self.resolve(range, found.file.row.info)
        if let bytes = found.bytes {
            return StreamedObject(info: found.file.row.info, offsets: offsets, body: ObjectBody(bytes))
        }
        let chunks = FileChunks(file: found.file.file, offsets: offsets, pool: readers)
        return StreamedObject(
            info: found.file.row.info, offsets: offsets, body: ObjectBody(size: Int64(offsets.count), chunks: chunks)
        )
    }

    /// A body up to this size, in bytes, is read when its file is opened: one passing to another thread instead of two.
    private static let smallBody = 64 << 10

    /// Opens a row's file and reads a small body from it.
    private func find(
        _ key: ObjectKey, _ row: ObjectRow, bytesIn range: ByteRange?
    ) async throws(ObjectStoreError) -> (file: FileFinder.Found, bytes: ByteBuffer?)? {
        let size = ByteRange.resolve(range, size: row.info.size)?.count ?? .max
        guard size <= Self.smallBody else { return try await find(key, row).map { ($0, nil) } }
        let found = try await run(on: readers) { [files] () throws(ObjectStoreError) in
            guard case .found(let found) = try files.find(key, row), found.row.info.size == row.info.size,
                let offsets = ByteRange.resolve(range, size: row.info.size)
            else { return Optional<(file: FileFinder.Found, bytes: ByteBuffer?)>.none }
            return (found, try found.file.bytes(at: offsets.lowerBound, count: offsets.count))
        }
        guard let found else { return try await find(key, row).map { ($0, nil) } }
        return found
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        try await databases.page(prefix: prefix, after: after, limit: min(max(limit, 1), 1000))
    }

    package func totals(below prefixes: [String]) async throws(ObjectStoreError) -> [String: ObjectTotals] {
        let totals = zip(prefixes, try databases.users.totals(below: prefixes))
        return Dictionary(totals.filter { $0.1.objects > 0 }) { first, _ in first }
    }

    /// Whether the folder was opened for writing.
    package var acceptsWrites: Bool { writing != nil }

    /// Returns whether users' objects exist but no account or service objects: the accounts were lost.
    package func lacksAccounts() async throws(ObjectStoreError) -> Bool {
        try await run(on: readers) { [databases] () throws(ObjectStoreError) in try databases.lackAccountsBlocking() }
    }

    /// Copies both databases into another folder, each as a consistent snapshot. Object files are not copied.
    package func backUpDatabases(to folder: String) async throws(ObjectStoreError) {
        try await run(on: writers) { [files] () throws(ObjectStoreError) in
            try DatabaseBackup(root: files.root, logger: files.logger).write(to: folder)
        }
    }

    package func status() -> StoreStatus { health.status(reserve) }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        guard try await remove(key, if: condition, until: nil) else { throw .preconditionFailed }
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        guard try await remove(key, if: .always, until: .init(date: deadline, now: now)) else {
            throw .preconditionFailed
        }
    }

    private func remove(
        _ key: ObjectKey, if condition: DeleteCondition, until deadline: RowChange.Deadline?
    ) async throws(ObjectStoreError) -> Bool {
        switch ObjectRouting(key) {
        case .row:
            if DatabaseKind(key) == .accounts { try await verification.pass() }
            return try await databases[key].commitQueue.commit(.delete(key, if: condition, until: deadline))
        case .file:
            return try await run(on: writers) { [writing] () throws(ObjectStoreError) in
                guard let writing else { throw .readOnlyFolder }
                return try writing.fileStore.remove(key, if: condition, until: deadline)
            }
        }
    }

    func find(_ key: ObjectKey, _ row: ObjectRow) async throws(ObjectStoreError) -> FileFinder.Found? {
        let result = try await run(on: readers) { [files] () throws(ObjectStoreError) in try files.find(key, row) }
        switch result {
        case .found(let found): return found
        case .absent: return nil
        case .fingerprintMismatch:
            return try await run(on: writers) { [files] () throws(ObjectStoreError) in try files.findByContent(key) }
        }
    }

    private static func resolve(_ range: ByteRange?, _ info: ObjectInfo) throws(ObjectStoreError) -> Range<Int64> {
        guard let offsets = ByteRange.resolve(range, size: info.size) else {
            throw .rangeNotSatisfiable(size: info.size)
        }
        return offsets
    }

    /// Runs a blocking job on a pool thread. A job that the pool rejects has had no effect.
    func run<Value: Sendable>(
        on pool: NIOThreadPool, _ job: @escaping @Sendable () throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        do {
            return try await pool.runIfActive(job)
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .notStarted
        }
    }
}
