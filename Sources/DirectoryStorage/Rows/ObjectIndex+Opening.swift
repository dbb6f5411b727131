import Foundation
import GRDB
import Logging
import ObjectStorage

extension ObjectIndex {
    /// What both databases of a folder share.
    struct Surroundings {
        let reserve: SpaceReserve
        let health: StoreHealth
        let logger: Logger
    }

    /// The database's place; what it is opened with is under the opening lock.
    static func path(_ root: String, _ kind: DatabaseKind) -> String { "\(root)/\(kind.fileName)" }

    /// The size of a file, in bytes; 0 where there is none. The file is not opened: closing it would end the locks that
    /// other stores of this process have on it (close(2)).
    static func size(_ path: String) -> Int64 {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Compares the database with its mark before anything is written to it: its log must stay as it was found.
    /// - Parameter logger: gets a warning about a missing mark.
    /// - Throws: `corrupted` for a database that has lost commits.
    static func checkCommits(_ path: String, _ mark: CommitMark, _ logger: Logger?) throws -> Int64 {
        // The mark first: another process may commit in between.
        let known = try mark.read()
        let count = size(path) > 0 ? try commits(path) : 0
        if let known, known > count { throw lost(path, count: count, known: known) }
        if known == nil, count > 0 {
            logger?.warning("A commit mark is missing, lost commits would not show", metadata: ["path": "\(mark.path)"])
        }
        return count
    }

    /// Whether the database has its tables; nothing is written to it.
    /// - Throws: `corrupted` for one that has lost commits.
    static func hasTables(
        _ root: String, _ kind: DatabaseKind, _ logger: Logger
    ) throws(ObjectStoreError) -> Bool {
        let path = path(root, kind)
        guard size(path) > 0 else { return false }
        do {
            _ = try checkCommits(path, CommitMark(of: path, logger: logger), nil)
            let reader = try ObjectIndexSchema.openReader(path)
            let version = try reader.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            try reader.close()
            return version != 0
        } catch {
            throw .database(error, path)
        }
    }

    static func lost(_ path: String, count: Int64, known: Int64) -> ObjectStoreError {
        .corrupted(
            "\(path) ends at commit \(count), and \(known) was acknowledged: its write-ahead log was lost or damaged")
    }

    private static func commits(_ path: String) throws -> Int64 {
        let reader = try ObjectIndexSchema.openReader(path)
        let count = try reader.unsafeRead { try CommitCount.read($0) }
        try reader.close()
        return count
    }

    /// How a database is opened in a folder that cannot be written to.
    static func readOnlyAccess(_ path: String) -> GatheredLogVFS.Access {
        // Without a log SQLite cannot open it for reading as usual: it would have to make one.
        FileManager.default.fileExists(atPath: "\(path)-wal") ? .readOnly : .immutable
    }
}
