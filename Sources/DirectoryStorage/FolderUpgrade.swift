import Foundation
import GRDB
import GRDBSQLite
import Logging
import Monitoring
import ObjectStorage

/// Upgrades a folder of format 1 or 2 to format 3: one database is split into two, whose pages have checksums.
///
/// Both are written beside the old one, which is only read; then (1) the new accounts database replaces the old one
/// and (2) the users' database is renamed. An interruption before 1 leaves the old folder, and the next opening
/// starts again; after 1 the next opening performs 2. Needs space for a second copy of all rows. Every method blocks;
/// call them under the opening lock.
struct FolderUpgrade {
    private static let batch = 500
    private static let columns = "key, etag, size, modified, attributes, inode, changed, staged, bytes"

    private let root: String
    private let logger: Logger
    /// The resolved path, if the name in the folder is a symbolic link.
    private let accounts: String

    init(root: String, logger: Logger) {
        self.root = root
        self.logger = logger
        let path = ObjectIndex.path(root, .accounts)
        let resolved = realpath(path, nil)
        accounts = resolved.map { String(cString: $0) } ?? path
        free(resolved)
    }

    private var users: String { ObjectIndex.path(root, .users) }

    private func newPath(_ kind: DatabaseKind) -> String { "\(kind == .accounts ? accounts : users).new" }

    /// Performs the remaining steps of the upgrade, if any.
    /// - Throws: `denied` for a folder that a newer version wrote or that must not be upgraded, `corrupted` for a
    ///   damaged database, `unavailable` while another process has the folder open.
    func run(mayUpgrade: Bool) throws(ObjectStoreError) {
        guard ObjectIndex.size(accounts) > 0 else { return }
        do {
            switch try Self.format(accounts) {
            case 0: return
            case ObjectIndexSchema.version: try finish()
            case let format where format > ObjectIndexSchema.version:
                throw Self.newer(accounts, format)
            case let format:
                guard ObjectIndex.size(users) == 0 else {
                    throw ObjectStoreError.corrupted(
                        "\(accounts) has format \(format) and \(users) has a later one: they are from different backups"
                    )
                }
                guard mayUpgrade else { throw Self.upgradeRefused(root, "\(format)") }
                try upgrade(from: format)
            }
        } catch {
            throw .database(error, accounts)
        }
    }

    /// Refuses a folder that is not changed and whose format is not this version's. Reads the database file alone: SQLite needs
    /// an index of the log that it cannot make here.
    /// - Throws: `denied`.
    static func requireCurrent(_ root: String) throws(ObjectStoreError) {
        let path = ObjectIndex.path(root, .accounts)
        do {
            let format = try format(path, .immutable)
            if format > ObjectIndexSchema.version { throw newer(path, format) }
            if format > 0, format < ObjectIndexSchema.version { throw upgradeRefused(root, "\(format)") }
            if format > 0 { return }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            // A stop can leave a file that cannot be read without its log. Damage is named when both are opened.
        }
        // The number is in the log alone. How many bytes of a page SQLite leaves alone is in the file from the start:
        // none before pages had checksums.
        guard let file = try? OpenFile.reading(path), let head = try? file.bytes(at: 0, count: 100),
            String(buffer: head.getSlice(at: head.readerIndex, length: 15) ?? head) == "SQLite format 3",
            head.getInteger(at: head.readerIndex + 20, as: UInt8.self) == 0
        else { return }
        throw upgradeRefused(root, "1 or 2")
    }

    static func upgradeRefused(_ root: String, _ format: String) -> ObjectStoreError {
        .denied(
            "\(root) has format \(format). To upgrade it, copy the folder and start the server once with write access")
    }

    static func newer(_ path: String, _ format: Int) -> ObjectStoreError {
        .denied("\(path) was written by a newer version of Photolala (format \(format))")
    }

    /// Reads no page but the first. Where pages have checksums, another format than this version's counts only if that page
    /// matches its own: a flipped bit must not look like another version.
    private static func format(_ path: String, _ access: BufferedLogVFS.Access = .shared) throws -> Int {
        let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        let plain = try DatabaseQueue(
            path: access == .immutable ? "file://\(encoded)?immutable=1" : path,
            configuration: ObjectIndexSchema.readerConfiguration)
        let (format, reserved) = try plain.unsafeRead { db in
            let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            var reserved = CInt(-1)
            sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
            return (format, Int(reserved))
        }
        try plain.close()
        guard format != ObjectIndexSchema.version, reserved == PageChecksum.length else { return format }
        let checked = try ObjectIndexSchema.openReader(path, access)
        let found = try checked.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        try checked.close()
        return found
    }

    private func upgrade(from format: Int) throws {
        guard try !StagingArea.hasLiveOwner(root: root) else {
            throw ObjectStoreError.unavailable(
                "\(root) has format \(format) and is open in another process. Stop all processes and start again")
        }
        logger.notice(
            .folderUpgradeStarted, "upgrading the data folder",
            metadata: ["from": "\(format)", "to": "\(ObjectIndexSchema.version)"])
        let old = try openOld()
        for kind in DatabaseKind.allCases { try remove(newPath(kind)) }
        let count = try copy(old)
        try old.close()
        for path in [accounts, newPath(.accounts), newPath(.users)] where ObjectIndex.size("\(path)-wal") > 0 {
            throw ObjectStoreError.unavailable("\(path)-wal has pages that are not checkpointed")
        }
        // A log that reappears after a power loss would be replayed into the new database.
        for path in [accounts, users] { try Self.synchronizeFolder(of: path) }
        try rename(newPath(.accounts), to: accounts)
        try finish()
        logger.notice(.folderUpgraded, "data folder upgraded", metadata: ["objects": "\(count)"])
    }

    /// Performs the second step if it is still pending.
    private func finish() throws {
        guard ObjectIndex.size(users) == 0, ObjectIndex.size(newPath(.users)) > 0 else { return }
        try rename(newPath(.users), to: users)
    }

    /// Opens the old database and copies its log into it. Damage must not be copied as if it were data.
    private func openOld() throws -> DatabaseQueue {
        let old = try DatabaseQueue(path: accounts)
        try old.writeWithoutTransaction { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(5)")
            guard findings == ["ok"] else {
                throw ObjectStoreError.corrupted("\(accounts): \(findings.joined(separator: "; "))")
            }
            _ = try db.checkpoint(.truncate)
        }
        return old
    }

    /// Copies all rows into the new databases and returns their number.
    private func copy(_ old: DatabaseQueue) throws -> Int {
        var writers: [DatabaseKind: DatabaseQueue] = [:]
        for kind in DatabaseKind.allCases {
            try OpenFile.writing(newPath(kind)).synchronize()
            writers[kind] = try ObjectIndexSchema.openWriter(newPath(kind), kind)
        }
        var (last, count) = (Int64(0), 0)
        while true {
            let rows = try old.read { [last] db in
                try Row.fetchAll(
                    db, sql: "SELECT id, \(Self.columns) FROM objects WHERE id > ? ORDER BY id LIMIT \(Self.batch)",
                    arguments: [last])
            }
            guard let end = rows.last else { break }
            for (kind, rows) in Dictionary(grouping: rows, by: Self.kind) {
                try writers[kind]?.write { try insert(rows, $0) }
            }
            (last, count) = (end[0], count + rows.count)
        }
        let removals = try old.read { try Row.fetchAll($0, sql: "SELECT key FROM removals") }
        try writers[.users]?.write { db in
            for row in removals { try db.execute(sql: "INSERT INTO removals VALUES (?)", arguments: [row[0] as Data]) }
        }
        // The copy is the first commit of each.
        for writer in writers.values { _ = try writer.write { try CommitCount.advance($0) } }
        try verify(Array(writers.values), count)
        for writer in writers.values { try writer.close() }
        return count
    }

    private static func kind(of row: Row) -> DatabaseKind {
        ObjectKey(String(decoding: row[1] as Data, as: UTF8.self)).map { DatabaseKind($0) } ?? .users
    }

    private func insert(_ rows: [Row], _ db: Database) throws {
        for row in rows {
            try db.cachedStatement(
                sql: "INSERT INTO objects (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            ).execute(arguments: StatementArguments(row.databaseValues.dropFirst()))
        }
    }

    private func verify(_ writers: [DatabaseQueue], _ count: Int) throws {
        var copied = 0
        for writer in writers {
            try writer.writeWithoutTransaction { db in
                guard try String.fetchAll(db, sql: "PRAGMA integrity_check(1)") == ["ok"] else {
                    throw ObjectStoreError.corrupted("damaged copy of \(accounts)")
                }
                copied += try Int.fetchOne(db, sql: "SELECT count(*) FROM objects") ?? 0
            }
        }
        guard copied == count else {
            throw ObjectStoreError.corrupted("\(count - copied) rows of \(accounts) were not copied")
        }
    }

    private func remove(_ path: String) throws {
        for name in [path, "\(path)-wal", "\(path)-shm", "\(path)-journal"] where unlink(name) != 0 && errno != ENOENT {
            throw ObjectStoreError.system(errno, "delete", name)
        }
    }

    private func rename(_ source: String, to target: String) throws {
        guard Foundation.rename(source, target) == 0 else { throw ObjectStoreError.system(errno, "move to", target) }
        try Self.synchronizeFolder(of: target)
    }

    private static func synchronizeFolder(of path: String) throws {
        try OpenFile.reading(DurableFolders.parent(of: path))?.synchronize()
    }
}
