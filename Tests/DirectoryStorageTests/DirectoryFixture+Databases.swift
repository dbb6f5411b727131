import Foundation
import GRDB
import Testing

@testable import DirectoryStorage

extension DirectoryFixture {
    private static let databaseFiles = DatabaseKind.allCases.flatMap { kind in
        ["", "-wal", "-shm", ".mark"].map { "\(kind.fileName)\($0)" }
    }

    /// Copies the databases as they are on the disk, as after a power loss.
    func saveDatabases(to name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        for file in Self.databaseFiles where exists(file) {
            try FileManager.default.copyItem(atPath: path(file), toPath: path("\(name)/\(file)"))
        }
    }

    /// Replaces the current databases with the saved ones.
    func restoreDatabases(from name: String, withSharedMemory: Bool = false) throws {
        for file in Self.databaseFiles {
            try? FileManager.default.removeItem(atPath: path(file))
            guard exists("\(name)/\(file)"), withSharedMemory || !file.hasSuffix("-shm") else { continue }
            try FileManager.default.copyItem(atPath: path("\(name)/\(file)"), toPath: path(file))
        }
    }

    /// Creates a database outside the store and leaves it open.
    static func make(_ location: String, _ sql: String) throws -> DatabaseQueue {
        let database = try DatabaseQueue(path: location)
        try database.writeWithoutTransaction { try $0.execute(sql: sql) }
        return database
    }

    /// Flips one bit of a file.
    func flip(_ name: String, at offset: Int, bit: UInt8 = 0) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path(name)))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([byte ^ (1 << bit)]))
    }

    func size(_ name: String) -> Int { Int(ObjectIndex.size(path(name))) }

    /// Converts the folder to format 1 or 2: one database, without checksums.
    func downgrade(to format: Int) throws {
        let old = try DatabaseQueue(path: path("old"))
        try old.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA page_size = 2048; PRAGMA journal_mode = WAL;
                    CREATE TABLE objects (
                        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,
                        etag TEXT NOT NULL, size INTEGER NOT NULL, modified REAL NOT NULL,
                        attributes BLOB, inode INTEGER, changed INTEGER, staged TEXT, bytes BLOB
                    ) STRICT;
                    CREATE INDEX staged_objects ON objects (staged) WHERE staged IS NOT NULL;
                    CREATE TABLE removals (key BLOB PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
                    """)
            if format > 1 { try PrefixTotals.create(db) }
            try db.execute(sql: "PRAGMA user_version = \(format)")
        }
        for kind in DatabaseKind.allCases {
            let new = try ObjectIndexSchema.openReader(path(kind.fileName))
            let rows = try new.read { try Row.fetchAll($0, sql: "SELECT * FROM objects") }
            try new.close()
            try old.write { db in
                for row in rows {
                    var values = Array(row.databaseValues)
                    values[0] = .null
                    let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
                    try db.execute(
                        sql: "INSERT INTO objects VALUES (\(marks))", arguments: StatementArguments(values))
                }
            }
        }
        try old.close()
        for file in Self.databaseFiles { try? FileManager.default.removeItem(atPath: path(file)) }
        try FileManager.default.moveItem(atPath: path("old"), toPath: path(DatabaseKind.accounts.fileName))
    }
}
