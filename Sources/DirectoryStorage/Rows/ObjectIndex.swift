import Foundation
import GRDB
import Logging
import NIOCore
import ObjectStorage
import Synchronization

/// One database of a data folder: the rows of its objects, and the bytes of those that `ObjectRouting` stores in
/// rows.
///
/// One connection writes; readers have their own connections and never wait. Each statement reads a snapshot taken
/// when it starts, so it sees every commit that returned before in any process; so does each use of the cache.
final class ObjectIndex: Sendable {
    static let fileName = "photolala.sqlite"

    private static let readerCount = 2
    /// The number of rows that are listed on the caller's thread.
    private static let shortPage = 16
    private static let metadataQuery = "SELECT \(ObjectRow.metadataColumns) FROM objects WHERE key = ?"
    private static let bytesQuery = "SELECT \(ObjectRow.metadataColumns), bytes FROM objects WHERE key = ?"

    let kind: DatabaseKind
    let commitQueue: GroupCommitQueue
    private let path: String
    private let writer: DatabaseQueue?
    private let readers: [DatabaseQueue]
    private let longReaders = Mutex<[DatabaseQueue]>([])
    private let health: StoreHealth
    /// `nil` for a folder that is only read.
    private let cache: RowCache?
    private let readerCounter = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// Opens a database, and makes it where there is none. Blocks; call it under the opening lock.
    /// - Parameter state: what was found in the folder and passed its checks.
    init(
        _ kind: DatabaseKind, _ state: FolderState, _ marks: [DatabaseKind: CommitMark], _ dependencies: Dependencies
    ) throws(ObjectStoreError) {
        let path = Self.path(state.root, kind)
        (self.kind, self.path, health) = (kind, path, dependencies.health)
        do {
            // SQLite would make it readable for everybody; its log files take over the mode.
            try OpenFile.creating(path)?.synchronize()
            // Before the tables: a database that has them and no mark has lost it.
            if let mark = marks[kind], dependencies.createsMarks || mark.exists || !state[kind].hasTables {
                try mark.begin(at: state[kind].commits, other: state[kind.other].commits)
            }
            let writer = try ObjectIndexSchema.openWriter(path, kind)
            self.writer = writer
            readers = try (0..<Self.readerCount).map { _ in try ObjectIndexSchema.openReader(path) }
            cache = writer.writeWithoutTransaction { db in
                LogIndexHeader.address(db).map { RowCache($0, kind == .accounts ? .accounts : .users) }
            }
            commitQueue = GroupCommitQueue(
                writer, at: path, kind: kind, mark: marks[kind], otherMark: marks[kind.other],
                reserve: dependencies.reserve, health: dependencies.health, cache: cache)
        } catch {
            throw .database(error, path)
        }
    }

    /// Opens a database of a folder that cannot be written to.
    init(reading root: String, kind: DatabaseKind, health: StoreHealth) throws(ObjectStoreError) {
        let path = Self.path(root, kind)
        (self.kind, self.path, self.health, writer, cache) = (kind, path, health, nil, nil)
        do {
            let access = Self.readOnlyAccess(path)
            readers = try (0..<Self.readerCount).map { _ in try ObjectIndexSchema.openReader(path, access) }
            commitQueue = GroupCommitQueue(nil, at: path, kind: kind)
        } catch {
            throw .database(error, path)
        }
    }

    /// Creates an empty in-memory database, for a folder that has none.
    init(emptyIn root: String, kind: DatabaseKind, health: StoreHealth) throws(ObjectStoreError) {
        let path = Self.path(root, kind)
        (self.kind, self.path, self.health, writer, cache) = (kind, path, health, nil, nil)
        do {
            readers = [try ObjectIndexSchema.makeEmpty(path, kind)]
            commitQueue = GroupCommitQueue(nil, at: path, kind: kind)
        } catch {
            throw .database(error, path)
        }
    }

    /// Returns the object's row, with its verified bytes if they are stored in it and no larger than `byteLimit`.
    ///
    /// Reads on the caller's thread: finding a row takes some 10 µs, a third of what passing it to another thread and
    /// back takes.
    /// - Throws: `corrupted` for bytes that do not have the row's ETag.
    func row(_ key: ObjectKey, byteLimit: Int? = nil) throws(ObjectStoreError) -> ObjectRow? {
        var header: LogIndexHeader?
        switch cache?.row(key) {
        case .found(let row): return row
        case .unknown(let current): header = current
        case nil: break
        }
        let row = try readBlocking { db in try Self.fetch(db, key, byteLimit) }
        if let row, case .row(let bytes) = row.location {
            guard let byteLimit, row.info.size <= byteLimit else { return row }
            try RowBytes.verify(bytes, row.info.etag, key)
        }
        cache?.insert(row, at: key, readAfter: header)
        return row
    }

    /// Returns a page of the rows below a prefix, and whether more follow. A few are read on the caller's thread.
    func page(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        let isCached = after == nil && prefix.utf8.last == UInt8(ascii: "/")
        var header: LogIndexHeader?
        if isCached, let cache {
            switch cache.page(below: prefix) {
            case .found(let page) where page.objects.count <= limit: return page
            case .found: break
            case .unknown(let current): header = current
            }
        }
        let range = KeyRange(prefix: prefix, after: after)
        let first = min(limit, Self.shortPage)
        var page = try readBlocking { db in try Self.page(db, range, limit: first) }
        if page.isTruncated, first < limit {
            page = try await read { db in try Self.page(db, range, limit: limit) }
        }
        if isCached { cache?.insert(page, below: prefix, readAfter: header) }
        return page
    }

    /// Returns a page of all rows.
    func list(after key: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await page(prefix: "", after: key, limit: limit)
    }

    /// Returns whether the database has no rows.
    func isEmptyBlocking() throws(ObjectStoreError) -> Bool {
        try readBlocking { db in try Row.fetchOne(db, sql: "SELECT 1 FROM objects LIMIT 1") == nil }
    }

    /// Returns whether there is an object below a prefix.
    func hasObjectsBlocking(below prefix: String) throws(ObjectStoreError) -> Bool {
        let range = KeyRange(prefix: prefix, after: nil)
        return try readBlocking { db in
            try Row.fetchOne(
                db, sql: "SELECT 1 FROM objects WHERE key >= ? AND key < ? LIMIT 1",
                arguments: [range.lower, range.upper]) != nil
        }
    }

    private static func page(_ db: Database, _ range: KeyRange, limit: Int) throws -> ObjectPage {
        let rows = try Row.fetchCursor(
            try db.cachedStatement(
                sql: """
                    SELECT key, etag, size, modified FROM objects
                    WHERE key >= ? AND key < ? ORDER BY key LIMIT ?
                    """
            ),
            arguments: [range.lower, range.upper, limit + 1]
        )
        var objects: [ListedObject] = []
        while let row = try rows.next() {
            if objects.count == limit { return ObjectPage(objects: objects, isTruncated: true) }
            objects.append(try listed(row))
        }
        return ObjectPage(objects: objects, isTruncated: false)
    }

    /// Returns the totals below each prefix, which ends in a slash, as of one snapshot. Reads on the caller's thread.
    func totals(below prefixes: [String]) throws(ObjectStoreError) -> [ObjectTotals] {
        var header: LogIndexHeader?
        switch cache?.totals(below: prefixes) {
        case .found(let totals): return totals
        case .unknown(let current): header = current
        case nil: break
        }
        let totals = try readBlocking { db in
            // One statement sees one snapshot; several need a transaction to see the same one.
            var totals: [ObjectTotals] = []
            try db.inTransaction(.deferred) {
                totals = try prefixes.map { try PrefixTotals.totals(db, below: $0) }
                return .commit
            }
            return totals
        }
        cache?.insert(totals, below: prefixes, readAfter: header)
        return totals
    }

    /// Returns the objects whose files have not been moved to their own paths, with their staged names.
    func stagedBlocking() throws(ObjectStoreError) -> [(key: ObjectKey, name: String)] {
        try blockingKeys("SELECT key, staged FROM objects WHERE staged IS NOT NULL").map { ($0.key, $0.text ?? "") }
    }

    /// Returns the deleted objects whose files may still exist.
    func removalsBlocking() throws(ObjectStoreError) -> [ObjectKey] {
        try blockingKeys("SELECT key, NULL FROM removals").map(\.key)
    }

    /// Returns whether a file that this owner staged is an object's only copy.
    func refersBlocking(to owner: String) throws(ObjectStoreError) -> Bool {
        try stagedBlocking().contains { StagingArea.owner(of: $0.name) == owner }
    }

    /// Returns SQLite's integrity findings, at most 20 lines; empty for an intact database. Reads all of it.
    /// - Parameter isDeep: Also compares each index with its table.
    func findings(isDeep: Bool) throws(ObjectStoreError) -> [String] {
        let sql = isDeep ? "PRAGMA integrity_check(20)" : "PRAGMA quick_check(20)"
        let lines = try readAlone { db in try String.fetchAll(db, sql: sql) }
        guard lines != ["ok"] else { return [] }
        health.recordReadError(.corrupted(path), of: kind)
        return lines.map { "\(kind.fileName): \($0)" }
    }

    /// Waits for running commits, copies the log into the database and closes every connection.
    func close() throws(ObjectStoreError) {
        commitQueue.close()
        cache?.close()
        isClosed.store(true, ordering: .sequentiallyConsistent)
        do {
            // The last connection to close copies and deletes the log, which a read-only one could not.
            for reader in readers { try reader.close() }
            let copying = Result { try writer?.writeWithoutTransaction { db in try Self.copyLog(db) } }
            try writer?.close()
            try copying.get()
        } catch {
            throw .database(error, path)
        }
    }

    /// Copies the log into the database. If another process does so or the disk is full, the log stays and no data is
    /// lost.
    private static func copyLog(_ db: Database) throws {
        do {
            _ = try db.checkpoint(.passive)
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) {}
    }

    /// Copies the log into the database and empties it, because it contains earlier versions of rows. Delays commits by a
    /// tenth of a second at most.
    /// - Throws: `unavailable` if others read from the log.
    func emptyLog() throws(ObjectStoreError) {
        do {
            try writer?.writeWithoutTransaction { db in
                let log = try db.checkpoint(.passive)
                guard log.walFrameCount == log.checkpointedFrameCount else {
                    throw DatabaseError(resultCode: .SQLITE_BUSY)
                }
                try db.execute(sql: "PRAGMA busy_timeout = 100")
                defer { try? db.execute(sql: "PRAGMA busy_timeout = \(Int(ObjectIndexSchema.busyTimeout * 1000))") }
                _ = try db.checkpoint(.truncate)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw .unavailable("the log of \(path) is in use")
        } catch {
            throw .database(error, path)
        }
    }

    private func nextReader() -> DatabaseQueue {
        readers[Int(UInt(bitPattern: readerCounter.wrappingAdd(1, ordering: .relaxed).newValue) % UInt(readers.count))]
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(ObjectStoreError) -> Value {
        do {
            return try await nextReader().unsafeRead { db in
                try checkOpen()
                return try body(db)
            }
        } catch {
            throw storeError(error)
        }
    }

    private func readBlocking<Value: Sendable>(_ body: (Database) throws -> Value) throws(ObjectStoreError) -> Value {
        do {
            return try nextReader().unsafeRead { db in
                try checkOpen()
                return try body(db)
            }
        } catch {
            throw storeError(error)
        }
    }

    /// Reads for long, on a connection of its own: others would wait for a shared one.
    private func readAlone<Value: Sendable>(_ body: (Database) throws -> Value) throws(ObjectStoreError) -> Value {
        guard writer != nil else { return try readBlocking(body) }
        do {
            try checkOpen()
            let reader = try ObjectIndexSchema.openReader(path)
            longReaders.withLock { $0.append(reader) }
            defer { longReaders.withLock { $0.removeAll { $0 === reader } } }
            let value = Result { try reader.unsafeRead(body) }
            try reader.close()
            return try value.get()
        } catch {
            throw storeError(error)
        }
    }

    /// Ends running `findings` with an error.
    func interruptFindings() { longReaders.withLock { for reader in $0 { reader.interrupt() } } }

    private func storeError(_ error: any Error) -> ObjectStoreError {
        let error = ObjectStoreError.database(error, path)
        health.recordReadError(error, of: kind)
        return error
    }

    /// Reads after all submitted changes, so that it sees them.
    private func blockingKeys(_ sql: String) throws(ObjectStoreError) -> [(key: ObjectKey, text: String?)] {
        do {
            return try (writer ?? nextReader()).unsafeRead { db in
                try checkOpen()
                return try Row.fetchAll(db, sql: sql).map { row in (try Self.key(row), row[1]) }
            }
        } catch {
            throw storeError(error)
        }
    }

    /// A connection's queue may still hold jobs when it is closed.
    private func checkOpen() throws(ObjectStoreError) {
        if isClosed.load(ordering: .sequentiallyConsistent) { throw .notStarted }
    }

    private static func fetch(_ db: Database, _ key: ObjectKey, _ byteLimit: Int?) throws -> ObjectRow? {
        try BoundStatement.run(db, byteLimit == nil ? metadataQuery : bytesQuery) { statement in
            statement.bind(blob: key.description, at: 1)
            return try statement.step() ? ObjectRow(statement, byteLimit: byteLimit) : nil
        }
    }

    private static func key(_ row: Row) throws -> ObjectKey {
        let stored: Data = row[0]
        let text = stored.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard let key = ObjectKey(text, allowingFolderMarker: true) else {
            throw ObjectStoreError.corrupted("malformed key in the database")
        }
        return key
    }

    private static func listed(_ row: Row) throws -> ListedObject {
        ListedObject(
            key: try key(row), etag: ETag(row[1]), size: row[2],
            lastModified: Date(timeIntervalSinceReferenceDate: row[3])
        )
    }
}
