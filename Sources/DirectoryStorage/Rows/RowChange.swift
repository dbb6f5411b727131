import Foundation
import GRDB
import NIOCore
import ObjectStorage

/// A change of the database, whose condition is checked in the same transaction.
enum RowChange: Sendable {
    case put(ObjectKey, ObjectRow, if: PutCondition, within: StorageQuota? = nil)
    case delete(ObjectKey, if: DeleteCondition, until: Deadline? = nil)
    /// The file staged under this name is now at its own path.
    case markInPlace(ObjectKey, staged: String)
    /// The file of a deleted object has been removed.
    case markRemoved(ObjectKey)
    /// A file that was copied or touched still matches its ETag.
    case updateFingerprint(ObjectKey, ObjectRow, as: FileFingerprint)

    /// The number of bytes it adds to the database, without row headers.
    var byteCount: Int {
        guard case .put(_, let row, _, _) = self, case .row(let bytes) = row.location else { return 0 }
        return bytes?.readableBytes ?? 0
    }

    /// Whether it stores an object.
    var isGrowth: Bool { if case .put = self { true } else { false } }

    /// The time from which a change must not be made. The clock is read while the transaction holds the lock between
    /// processes, so a process suspended afterwards blocks all other writers until it has committed.
    struct Deadline: Sendable {
        let date: Date
        let now: @Sendable () -> Date
    }

    /// Makes the change unless its deadline has passed or its quota forbids it. The quota is checked against the
    /// state within the transaction.
    func apply(_ db: Database) throws -> GroupCommitQueue.Outcome {
        if case .delete(_, _, let deadline?) = self, deadline.now() >= deadline.date {
            return .failure(.unavailable("deletion deadline exceeded"))
        }
        guard try fitsQuota(db) else { return .failure(.quotaExceeded) }
        return .success(try change(db))
    }

    private func fitsQuota(_ db: Database) throws -> Bool {
        guard case .put(let key, let row, _, let quota?) = self else { return true }
        let charge = StorageCharge.bytes(of: key, size: row.info.size, attributes: row.info.attributes)
        return try quota.allows(
            charge, replacing: try PrefixTotals.charge(db, of: key),
            totals: { try PrefixTotals.totals(db, below: $0) }, sum: { try PrefixTotals.sum(db, below: $0) })
    }

    /// Returns `false` if the condition does not hold.
    private func change(_ db: Database) throws -> Bool {
        switch self {
        case .put(let key, let row, let condition, _): try Self.put(db, key, row, condition)
        case .delete(let key, let condition, _): try Self.delete(db, key, condition)
        case .markInPlace(let key, let staged):
            try Self.change(db, "UPDATE objects SET staged = NULL WHERE key = ? AND staged = ?", key) { statement in
                statement.bind(staged, at: 2)
            }
        case .markRemoved(let key): try Self.change(db, "DELETE FROM removals WHERE key = ?", key)
        case .updateFingerprint(let key, let row, let fingerprint):
            try Self.change(db, "UPDATE objects SET inode = ?2, changed = ?3 WHERE key = ?1 AND etag = ?4", key) {
                $0.bind(fingerprint.inode, at: 2)
                $0.bind(fingerprint.modified, at: 3)
                $0.bind(row.info.etag.description, at: 4)
            }
        }
    }

    private static let insertion = """
        INSERT INTO objects (key, etag, size, modified, attributes, inode, changed, staged, bytes)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """
    private static let assignments = """
        SET etag = ?2, size = ?3, modified = ?4, attributes = ?5, inode = ?6, changed = ?7, staged = ?8, bytes = ?9
        """
    private static let create = "\(insertion) ON CONFLICT (key) DO NOTHING"
    private static let replace = "\(insertion) ON CONFLICT (key) DO UPDATE \(assignments)"
    private static let swap = "UPDATE objects \(assignments) WHERE key = ?1 AND etag = ?10"

    private static func put(
        _ db: Database, _ key: ObjectKey, _ row: ObjectRow, _ condition: PutCondition
    ) throws -> Bool {
        switch condition {
        case .absent: try put(db, create, key, row)
        case .always: try put(db, replace, key, row)
        case .matches(let etag): try put(db, swap, key, row) { $0.bind(etag.description, at: 10) }
        }
    }

    /// The most frequent change: large values are bound without copying.
    private static func put(
        _ db: Database, _ sql: String, _ key: ObjectKey, _ row: ObjectRow, bind: (BoundStatement) -> Void = { _ in }
    ) throws -> Bool {
        try BoundStatement.run(db, sql) { statement in
            var inRow: ByteBuffer?
            switch row.location {
            case .row(let bytes): inRow = bytes
            case .file(let file, let staged):
                statement.bind(file.inode, at: 6)
                statement.bind(file.modified, at: 7)
                statement.bind(staged, at: 8)
            }
            statement.bind(row.info.size, at: 3)
            statement.bind(row.info.lastModified.timeIntervalSinceReferenceDate, at: 4)
            statement.bind(AttributeCoding.encode(row.info.attributes), at: 5)
            bind(statement)
            return try statement.withBound(blob: key.description, at: 1) {
                try statement.withBound(row.info.etag.description, at: 2) {
                    try statement.withBound(inRow, at: 9) { try finish(statement) }
                }
            }
        }
    }

    private static func delete(_ db: Database, _ key: ObjectKey, _ condition: DeleteCondition) throws -> Bool {
        let isGone =
            switch condition {
            case .always: try change(db, "DELETE FROM objects WHERE key = ?", key)
            case .matches(let etag):
                try change(db, "DELETE FROM objects WHERE key = ? AND etag = ?", key) { statement in
                    statement.bind(etag.description, at: 2)
                }
            }
        if isGone, ObjectRouting(key) == .file {
            // The row lists the file for removal at the next opening until it has been removed.
            _ = try change(db, "INSERT OR IGNORE INTO removals (key) VALUES (?)", key)
        }
        return isGone || condition == .always
    }

    /// Runs a statement whose first parameter is the key, and returns whether it changed a row.
    private static func change(
        _ db: Database, _ sql: String, _ key: ObjectKey, bind: (BoundStatement) -> Void = { _ in }
    ) throws -> Bool {
        try BoundStatement.run(db, sql) { statement in
            statement.bind(blob: key.description, at: 1)
            bind(statement)
            return try finish(statement)
        }
    }

    private static func finish(_ statement: BoundStatement) throws -> Bool {
        while try statement.step() {}
        return statement.changedRows > 0
    }
}
