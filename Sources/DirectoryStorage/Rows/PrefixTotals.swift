import Foundation
import GRDB
import ObjectStorage

/// The storage totals below each account's prefixes. Triggers update them in the transaction that changes the
/// objects, so they are correct for every writer and every process.
enum PrefixTotals {
    /// The path before an account's id in the keys that are counted.
    static let kinds = ["photos", "thumbnails", "catalogs", "users", "service/uploads"].map { "\($0)/" }
    private static let idLength = 36
    private static let thumbnails = kinds[1]
    /// What follows the id in the keys of previews, which are counted both as thumbnails and by themselves.
    private static let previews = "/previews/"

    /// Creates the table and the triggers, and counts the existing objects: one pass over all rows.
    static func create(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE totals (
                    prefix BLOB PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL, objects INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                INSERT INTO totals SELECT \(prefix(of: "o")) AS prefix, sum(\(charge(of: "o"))), count(*)
                FROM objects o WHERE \(prefix(of: "o")) IS NOT NULL GROUP BY 1;
                CREATE TRIGGER count_inserted AFTER INSERT ON objects BEGIN
                    INSERT INTO totals SELECT \(prefix(of: "NEW")), \(charge(of: "NEW")), 1
                    WHERE \(prefix(of: "NEW")) IS NOT NULL
                    ON CONFLICT (prefix) DO UPDATE SET bytes = bytes + excluded.bytes, objects = objects + 1;
                END;
                CREATE TRIGGER count_updated AFTER UPDATE OF size, attributes ON objects BEGIN
                    UPDATE totals SET bytes = bytes + \(charge(of: "NEW")) - \(charge(of: "OLD"))
                    WHERE prefix = \(prefix(of: "NEW"));
                END;
                CREATE TRIGGER count_deleted AFTER DELETE ON objects BEGIN
                    UPDATE totals SET bytes = bytes - \(charge(of: "OLD")), objects = objects - 1
                    WHERE prefix = \(prefix(of: "OLD"));
                    DELETE FROM totals WHERE prefix = \(prefix(of: "OLD")) AND objects = 0;
                END;
                """)
        try addPreviews(db)
    }

    /// Creates the triggers that count previews, and counts the existing ones, unless the database has the triggers. They
    /// were added within version 3: an earlier program does not see them, and they work for its writes.
    static func addPreviews(_ db: Database) throws {
        guard try !db.triggerExists("count_inserted_preview") else { return }
        let range = KeyRange(prefix: thumbnails, after: nil)
        try db.execute(
            sql: """
                INSERT INTO totals SELECT \(previewPrefix(of: "o")) AS prefix, sum(\(charge(of: "o"))), count(*)
                FROM objects o WHERE key >= ? AND key < ? AND \(isPreview("o")) GROUP BY 1
                """, arguments: [range.lower, range.upper])
        try db.execute(
            sql: """
                CREATE TRIGGER count_inserted_preview AFTER INSERT ON objects WHEN \(isPreview("NEW")) BEGIN
                    INSERT INTO totals VALUES (\(previewPrefix(of: "NEW")), \(charge(of: "NEW")), 1)
                    ON CONFLICT (prefix) DO UPDATE SET bytes = bytes + excluded.bytes, objects = objects + 1;
                END;
                CREATE TRIGGER count_updated_preview AFTER UPDATE OF size, attributes ON objects
                WHEN \(isPreview("NEW")) BEGIN
                    UPDATE totals SET bytes = bytes + \(charge(of: "NEW")) - \(charge(of: "OLD"))
                    WHERE prefix = \(previewPrefix(of: "NEW"));
                END;
                CREATE TRIGGER count_deleted_preview AFTER DELETE ON objects WHEN \(isPreview("OLD")) BEGIN
                    UPDATE totals SET bytes = bytes - \(charge(of: "OLD")), objects = objects - 1
                    WHERE prefix = \(previewPrefix(of: "OLD"));
                    DELETE FROM totals WHERE prefix = \(previewPrefix(of: "OLD")) AND objects = 0;
                END;
                """)
    }

    private static func isPreview(_ row: String) -> String {
        """
        substr(\(row).key, 1, \(thumbnails.utf8.count)) = CAST('\(thumbnails)' AS BLOB)
        AND substr(\(row).key, \(thumbnails.utf8.count + idLength + 1), \(previews.utf8.count)) = CAST('\(previews)' AS BLOB)
        """
    }

    private static func previewPrefix(of row: String) -> String {
        "substr(\(row).key, 1, \(thumbnails.utf8.count + idLength + previews.utf8.count))"
    }

    /// Returns the totals below a prefix of an account.
    static func totals(_ db: Database, below prefix: String) throws -> ObjectTotals {
        try BoundStatement.run(db, "SELECT bytes, objects FROM totals WHERE prefix = ?") { statement in
            statement.bind(blob: prefix, at: 1)
            guard try statement.step() else { return ObjectTotals() }
            return ObjectTotals(bytes: statement.int(0) ?? 0, objects: statement.int(1) ?? 0)
        }
    }

    /// Returns the sum of the charges of the objects below any prefix. Reads each of their rows.
    static func sum(_ db: Database, below prefix: String) throws -> Int64 {
        let range = KeyRange(prefix: prefix, after: nil)
        return try Int64.fetchOne(
            db, sql: "SELECT sum(\(charge(of: "o"))) FROM objects o WHERE key >= ? AND key < ?",
            arguments: [range.lower, range.upper]) ?? 0
    }

    /// Returns an object's charge; `nil` if it does not exist.
    static func charge(_ db: Database, of key: ObjectKey) throws -> Int64? {
        try BoundStatement.run(db, "SELECT \(charge(of: "o")) FROM objects o WHERE key = ?") { statement in
            statement.bind(blob: key.description, at: 1)
            return try statement.step() ? statement.int(0) : nil
        }
    }

    /// `StorageCharge` in SQL. The length of the encoded attributes is that of names and values plus 8 bytes for each
    /// pair.
    private static func charge(of row: String) -> String {
        """
        max(\(StorageCharge.minimum), \(row).size + length(\(row).key) + coalesce(length(\(row).attributes), 0))
        """
    }

    private static func prefix(of row: String) -> String {
        let cases = kinds.map { kind in
            let length = kind.utf8.count + idLength + 1
            return """
                WHEN substr(\(row).key, 1, \(kind.utf8.count)) = CAST('\(kind)' AS BLOB)
                AND substr(\(row).key, \(length), 1) = CAST('/' AS BLOB) THEN substr(\(row).key, 1, \(length))
                """
        }
        return "CASE \(cases.joined(separator: " ")) END"
    }
}
