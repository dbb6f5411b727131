import GRDB
import GRDBSQLite
import ObjectStorage

/// The connection settings and tables of a database.
enum ObjectIndexSchema {
    /// 1 had no totals. In 1 and 2 one database held all rows and pages had no checksums (`FolderUpgrade`).
    static let version = 3
    /// A commit writes every page it changes, and a small object changes few; pages are therefore small.
    static let pageSize = 2048
    static let busyTimeout = 10.0

    static var readerConfiguration: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -16000") }
        return configuration
    }

    static func openReader(_ path: String, _ access: BufferedLogVFS.Access = .shared) throws -> DatabaseQueue {
        try DatabaseQueue(path: BufferedLogVFS.location(path, access), configuration: readerConfiguration)
    }

    /// Opens the writing connection and creates the tables if there are none.
    static func openWriter(_ path: String, _ kind: DatabaseKind) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { db in
            // This and the page size apply to a new file only, and only before the log is enabled.
            var length = CInt(PageChecksum.length)
            let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &length)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
            try db.execute(sql: "PRAGMA page_size = \(pageSize)")
            // With a weaker setting a power loss may lose the last commits. `BufferedLogVFS` requires this setting
            // and the next.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA cache_spill = OFF")
            // Deleted personal data must not stay in free pages, nor in pages in use.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "PRAGMA max_page_count = \(UnusedBytes.maximumPageCount)")
            try db.execute(sql: "PRAGMA fullfsync = 1")
            try db.execute(sql: "PRAGMA checkpoint_fullfsync = 1")
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                throw ObjectStoreError.unavailable("database \(path): cannot enable the write-ahead log")
            }
        }
        let writer = try DatabaseQueue(path: BufferedLogVFS.location(path), configuration: configuration)
        try writer.writeWithoutTransaction { db in
            // A page that changes often is copied back once per 64 MiB of log, which is then overwritten.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 32000")
            // Each commit that splits a page iterates over the whole cache.
            try db.execute(sql: "PRAGMA cache_size = -8000")
            var isNew = false
            try db.inTransaction(.immediate) {
                isNew = try createTables(db, path, kind)
                return .commit
            }
            // Without its log the file still has its tables, and its commit number shows that later writes are
            // missing.
            if isNew { _ = try db.checkpoint(.passive) }
        }
        return writer
    }

    /// Creates an in-memory database with its tables.
    static func makeEmpty(_ path: String, _ kind: DatabaseKind) throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try database.write { db in _ = try createTables(db, path, kind) }
        return database
    }

    /// Creates the tables if there are none, and returns whether it did.
    private static func createTables(_ db: Database, _ path: String, _ kind: DatabaseKind) throws -> Bool {
        switch try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 {
        case version:
            if kind == .users { try PrefixTotals.addPreviews(db) }
            return false
        case 0: break
        case let found: throw ObjectStoreError.denied("\(path) has format \(found); this version requires \(version)")
        }
        try createObjects(db)
        try CommitCount.create(db)
        if kind == .users {
            try createFiles(db)
            try PrefixTotals.create(db)
        }
        try db.execute(sql: "PRAGMA user_version = \(version)")
        return true
    }

    private static func createObjects(_ db: Database) throws {
        // Keys are blobs, so that they sort in UTF-8 order. A row with an inode is stored as a file. Rows are ordered
        // by creation and not by key: new rows of one commit share a page.
        try db.execute(
            sql: """
                CREATE TABLE objects (
                    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,
                    etag TEXT NOT NULL, size INTEGER NOT NULL, modified REAL NOT NULL,
                    attributes BLOB, inode INTEGER, changed INTEGER, staged TEXT, bytes BLOB
                ) STRICT;
                """
        )
    }

    private static func createFiles(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX staged_objects ON objects (staged) WHERE staged IS NOT NULL;
                CREATE TABLE removals (key BLOB PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
                """
        )
    }
}
