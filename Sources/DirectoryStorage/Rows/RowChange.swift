import Foundation
import GRDB
import NIOCore
import ObjectStorage

/// One change of the database; its condition is checked in the transaction that makes it.
enum RowChange: Sendable {
    case put(ObjectKey, ObjectRow, if: PutCondition)
    case delete(ObjectKey, if: DeleteCondition)
    /// The file staged under this name now stands at its own path.
    case settle(ObjectKey, staged: String)
    /// The file of a deleted object is gone.
    case removed(ObjectKey)
    /// A file that was copied or touched still has the bytes that the tag promises.
    case recognise(ObjectKey, ObjectRow, as: FileFingerprint)

    /// Gives `false` when the condition does not hold.
    func apply(_ db: Database) throws -> Bool {
        switch self {
        case .put(let key, let row, let condition): try Self.put(db, key, row, condition)
        case .delete(let key, let condition): try Self.delete(db, key, condition)
        case .settle(let key, let staged):
            try db.cachedStatement(sql: "UPDATE objects SET staged = NULL WHERE key = ? AND staged = ?")
                .change(db, [Self.blob(key), staged])
        case .removed(let key):
            try db.cachedStatement(sql: "DELETE FROM removals WHERE key = ?").change(db, [Self.blob(key)])
        case .recognise(let key, let row, let fingerprint):
            try db.cachedStatement(sql: "UPDATE objects SET inode = ?, changed = ? WHERE key = ? AND etag = ?")
                .change(db, [fingerprint.inode, fingerprint.modified, Self.blob(key), row.info.etag.description])
        }
    }

    static func blob(_ key: ObjectKey) -> Data { Data(key.description.utf8) }

    private static let insertion = """
        INSERT INTO objects (etag, size, modified, attributes, inode, changed, staged, bytes, key)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO
        """

    private static func put(
        _ db: Database, _ key: ObjectKey, _ row: ObjectRow, _ condition: PutCondition
    ) throws -> Bool {
        var values: [(any DatabaseValueConvertible)?] = [
            row.info.etag.description, row.info.size, row.info.lastModified.timeIntervalSinceReferenceDate,
            AttributeCoding.encode(row.info.attributes),
        ]
        switch row.place {
        case .row(let bytes): values += [nil, nil, nil, bytes.map { Data($0.readableBytesView) }]
        case .file(let file, let staged): values += [file.inode, file.modified, staged, nil]
        }
        values.append(blob(key))
        switch condition {
        case .absent:
            return try db.cachedStatement(sql: "\(insertion) NOTHING").change(db, values)
        case .always:
            return try db.cachedStatement(
                sql: """
                    \(insertion) UPDATE SET etag = excluded.etag, size = excluded.size, modified = excluded.modified,
                    attributes = excluded.attributes, inode = excluded.inode, changed = excluded.changed,
                    staged = excluded.staged, bytes = excluded.bytes
                    """
            ).change(db, values)
        case .matches(let etag):
            return try db.cachedStatement(
                sql: """
                    UPDATE objects SET etag = ?, size = ?, modified = ?, attributes = ?, inode = ?, changed = ?,
                    staged = ?, bytes = ? WHERE key = ? AND etag = ?
                    """
            ).change(db, values + [etag.description])
        }
    }

    private static func delete(_ db: Database, _ key: ObjectKey, _ condition: DeleteCondition) throws -> Bool {
        let isGone = switch condition {
        case .always:
            try db.cachedStatement(sql: "DELETE FROM objects WHERE key = ?").change(db, [blob(key)])
        case .matches(let etag):
            try db.cachedStatement(sql: "DELETE FROM objects WHERE key = ? AND etag = ?")
                .change(db, [blob(key), etag.description])
        }
        if isGone, ObjectRouting(key) == .file {
            // Until the file is gone it is on the list of what the next opening removes.
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO removals (key) VALUES (?)").change(db, [blob(key)])
        }
        return isGone || condition == .always
    }
}

extension Statement {
    /// Runs the statement and tells whether it changed a row.
    @discardableResult
    fileprivate func change(_ db: Database, _ values: [(any DatabaseValueConvertible)?]) throws -> Bool {
        try execute(arguments: StatementArguments(values))
        return db.changesCount > 0
    }
}
