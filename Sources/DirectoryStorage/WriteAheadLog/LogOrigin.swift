import GRDB
import GRDBSQLite
import ObjectStorage

/// Whether a database file and the write-ahead log beside it are of one history, by the numbers of commits in both.
///
/// A log begins with the commit after the last one that was copied into the file, and a checkpoint copies nothing that the log
/// does not have. So the number in the file is at least the log's first one less 1 and at most the log's last one, wherever a
/// process or the power stops. A file that a stop left with half a page cannot be compared: the log has that page.
enum LogOrigin {
    private typealias File = UnsafeMutablePointer<sqlite3_file>

    private enum Page {
        case bytes([UInt8])
        case beyondEnd
        case unreadable
    }

    private static let fileHead = 32
    private static let frameHead = 24
    /// SQLITE_IOERR_SHORT_READ, which Swift does not see.
    private static let shortRead = CInt(SQLITE_IOERR | (2 << 8))

    /// Compares both. Call it in a transaction that reads: a checkpoint and a new log wait for its end.
    /// - Parameter count: the number of commits that the transaction sees.
    /// - Throws: `corrupted` where the file is older or newer than the log.
    static func check(_ db: Database, _ path: String, count: Int64) throws {
        guard let table = try Int64.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'commits'"),
            let log = file(of: db, SQLITE_FCNTL_JOURNAL_POINTER), let first = firstCount(of: table, in: log),
            let database = file(of: db, SQLITE_FCNTL_FILE_POINTER)
        else { return }
        let size = ObjectIndexSchema.pageSize
        let base: Int64
        switch read(database, size, at: (table - 1) * Int64(size)) {
        case .bytes(let page):
            guard let count = Self.count(on: page) else { return }
            base = count
        case .beyondEnd: base = -1
        case .unreadable: return
        }
        guard first <= base + 1 else {
            throw ObjectStoreError.corrupted(
                "\(path) ends at commit \(max(0, base)) and \(path)-wal begins at commit \(first): "
                    + "the database file is older than its write-ahead log")
        }
        guard base <= count else {
            throw ObjectStoreError.corrupted(
                "\(path) has commit \(base) and \(path)-wal ends at commit \(count): "
                    + "the write-ahead log is older than its database file")
        }
    }

    private static func file(of db: Database, _ which: CInt) -> File? {
        var file: File?
        let code = withUnsafeMutablePointer(to: &file) { sqlite3_file_control(db.sqliteConnection, "main", which, $0) }
        // A database without a log has a file without methods.
        guard code == SQLITE_OK, let file, file.pointee.pMethods != nil else { return nil }
        return file
    }

    /// The number in the first frame of the table's page; `nil` for a log without one. Reads the heads of the frames before.
    private static func firstCount(of table: Int64, in log: File) -> Int64? {
        guard case .bytes(let head) = read(log, fileHead, at: 0),
            number(head[8..<12]) == Int64(ObjectIndexSchema.pageSize)
        else { return nil }
        var offset = Int64(fileHead)
        while case .bytes(let frame) = read(log, frameHead, at: offset) {
            // Frames behind those of this log are left over from the one before.
            guard frame[8..<16].elementsEqual(head[16..<24]) else { return nil }
            if number(frame[0..<4]) == table {
                let page = read(log, ObjectIndexSchema.pageSize, at: offset + Int64(frameHead))
                guard case .bytes(let bytes) = page else { return nil }
                return count(on: bytes)
            }
            offset += Int64(frameHead + ObjectIndexSchema.pageSize)
        }
        return nil
    }

    private static func read(_ file: File, _ count: Int, at offset: Int64) -> Page {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = bytes.withUnsafeMutableBytes {
            file.pointee.pMethods.pointee.xRead(file, $0.baseAddress, CInt(count), offset)
        }
        return code == SQLITE_OK ? .bytes(bytes) : code == shortRead ? .beyondEnd : .unreadable
    }

    /// The number in the only row of `CommitCount`'s table: a leaf with one cell, whose record has one integer (sections 1.6
    /// and 2.1 of SQLite's file format).
    private static func count(on page: [UInt8]) -> Int64? {
        guard page[0] == 13, number(page[3..<5]) == 1 else { return nil }
        // Length of the record, rowid and length of the record's head: a byte each.
        let type = Int(number(page[8..<10])) + 3
        guard type + 9 <= page.count, page[type - 1] == 2 else { return nil }
        switch page[type] {
        case 8: return 0
        case 9: return 1
        case 1...6:
            let length = [1, 2, 3, 4, 6, 8][Int(page[type]) - 1]
            return number(page[(type + 1)...].prefix(length))
        default: return nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
