import GRDB
import ObjectStorage

/// The number of commits of a database, in its own table (`CommitMark` stores the same number in a separate file).
enum CommitCount {
    static func create(_ db: Database) throws {
        try db.execute(sql: "CREATE TABLE commits (count INTEGER NOT NULL) STRICT; INSERT INTO commits VALUES (0)")
    }

    /// Increments the number for the current transaction and returns it.
    static func advance(_ db: Database) throws -> Int64 {
        try BoundStatement.run(db, "UPDATE commits SET count = count + 1 RETURNING count") { statement in
            guard try statement.step(), let count = statement.int(0) else { throw missing }
            while try statement.step() {}
            return count
        }
    }

    /// Returns the number of commits; 0 for a database without tables, which an interrupted creation or a lost log
    /// leaves.
    static func read(_ db: Database) throws -> Int64 {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") != 0 else { return 0 }
        guard let count = try Int64.fetchOne(db, sql: "SELECT count FROM commits") else { throw missing }
        return count
    }

    private static let missing = ObjectStoreError.corrupted("missing commit count in the database")
}
