import Foundation
import GRDB
import NIOCore
import ObjectStorage
import Synchronization

/// The database of one data folder: every object's row, and the bytes of those that `ObjectRouting` keeps here.
///
/// One connection writes; readers have connections of their own and wait for nobody. Each statement reads a snapshot
/// taken when it starts, so it sees every commit that returned before, in whichever process.
final class ObjectIndex: Sendable {
    static let fileName = "photolala.sqlite"

    private static let readerCount = 4
    private static let factsQuery = "SELECT \(ObjectRow.facts) FROM objects WHERE key = ?"
    private static let bytesQuery = "SELECT \(ObjectRow.facts), bytes FROM objects WHERE key = ?"

    let lane: CommitLane
    private let path: String
    private let writer: DatabaseQueue
    private let readers: [DatabaseQueue]
    private let turn = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// Blocks; call it under the opening lock.
    init(root: String) throws(ObjectStoreError) {
        path = "\(root)/\(Self.fileName)"
        // SQLite would make it readable for everybody; its log files take over the mode. One that is there is let alone:
        // who closes it ends all locks that other stores of this process have on it (close(2)).
        try OpenFile.creating(path)?.synchronize()
        do {
            let writer = try ObjectIndexSchema.openWriter(path)
            let configuration = ObjectIndexSchema.readerConfiguration
            self.writer = writer
            readers = try (0..<Self.readerCount).map { [path] _ in
                try DatabaseQueue(path: path, configuration: configuration)
            }
            lane = CommitLane(writer, at: path)
        } catch {
            throw .database(error, path)
        }
    }

    /// The object's row, with its bytes when they are here and no more than `byteLimit`.
    func row(_ key: ObjectKey, byteLimit: Int? = nil) async throws(ObjectStoreError) -> ObjectRow? {
        try await read { db in try Self.fetch(db, key, byteLimit) }
    }

    /// The same for callers on a thread of their own.
    func rowBlocking(_ key: ObjectKey) throws(ObjectStoreError) -> ObjectRow? {
        do {
            return try nextReader().unsafeRead { db in
                try checkOpen()
                return try Self.fetch(db, key, nil)
            }
        } catch {
            throw .database(error, path)
        }
    }

    /// A page of the rows from `lower` (included) to `upper` (excluded), and whether more follow.
    func page(from lower: Data, to upper: Data, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await read { db in
            let rows = try Row.fetchCursor(
                try db.cachedStatement(
                    sql: """
                        SELECT key, etag, size, modified FROM objects
                        WHERE key >= ? AND key < ? ORDER BY key LIMIT ?
                        """
                ),
                arguments: [lower, upper, limit + 1]
            )
            var objects: [ListedObject] = []
            while let row = try rows.next() {
                if objects.count == limit { return ObjectPage(objects: objects, isTruncated: true) }
                objects.append(try Self.listed(row))
            }
            return ObjectPage(objects: objects, isTruncated: false)
        }
    }

    /// What stands below each of these prefixes, as of one moment.
    func totals(below prefixes: [String]) async throws(ObjectStoreError) -> [String: ObjectTotals] {
        try await read { db in
            // One statement sees one snapshot; several need a transaction to see the same.
            var totals: [String: ObjectTotals] = [:]
            try db.inTransaction(.deferred) {
                for prefix in prefixes {
                    let total = try PrefixTotals.totals(db, below: prefix)
                    if total.objects > 0 { totals[prefix] = total }
                }
                return .commit
            }
            return totals
        }
    }

    /// The objects whose files have not been moved to their own paths, with the names they were staged under.
    func stagedBlocking() throws(ObjectStoreError) -> [(key: ObjectKey, name: String)] {
        try blockingKeys("SELECT key, staged FROM objects WHERE staged IS NOT NULL").map { ($0.key, $0.text ?? "") }
    }

    /// The deleted objects whose files may still be there.
    func removalsBlocking() throws(ObjectStoreError) -> [ObjectKey] {
        try blockingKeys("SELECT key, NULL FROM removals").map(\.key)
    }

    /// Whether an object's only copy is among the files that this owner staged.
    func refersBlocking(to owner: String) throws(ObjectStoreError) -> Bool {
        try stagedBlocking().contains { StagingArea.owner(of: $0.name) == owner }
    }

    /// Waits for the commits under way and closes every connection.
    func close() throws(ObjectStoreError) {
        lane.close()
        isClosed.store(true, ordering: .sequentiallyConsistent)
        do {
            try writer.close()
            for reader in readers { try reader.close() }
        } catch {
            throw .database(error, path)
        }
    }

    private func nextReader() -> DatabaseQueue {
        readers[Int(UInt(bitPattern: turn.wrappingAdd(1, ordering: .relaxed).newValue) % UInt(readers.count))]
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
            throw .database(error, path)
        }
    }

    private func blockingKeys(_ sql: String) throws(ObjectStoreError) -> [(key: ObjectKey, text: String?)] {
        do {
            return try writer.unsafeRead { db in
                try checkOpen()
                return try Row.fetchAll(db, sql: sql).map { row in (try Self.key(row), row[1]) }
            }
        } catch {
            throw .database(error, path)
        }
    }

    /// A connection's queue may still hold jobs when it is closed.
    private func checkOpen() throws(ObjectStoreError) {
        if isClosed.load(ordering: .sequentiallyConsistent) { throw .notStarted }
    }

    private static func fetch(_ db: Database, _ key: ObjectKey, _ byteLimit: Int?) throws -> ObjectRow? {
        try BoundStatement.run(db, byteLimit == nil ? factsQuery : bytesQuery) { statement in
            statement.bind(blob: key.description, at: 1)
            return try statement.step() ? ObjectRow(statement, byteLimit: byteLimit) : nil
        }
    }

    private static func key(_ row: Row) throws -> ObjectKey {
        let stored: Data = row[0]
        guard let key = ObjectKey(String(decoding: stored, as: UTF8.self)) else {
            throw ObjectStoreError.corrupted("a key in the database")
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
