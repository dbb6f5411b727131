import GRDB
import GRDBSQLite
import Synchronization

/// The header of the log's index in shared memory, which every commit of every process changes before it returns
/// (https://sqlite.org/walformat.html, section 2.1).
///
/// It holds a counter of commits and a checksum over the whole log, so no header comes back while the database has other
/// contents.
struct LogIndexHeader: Equatable {
    /// Where a log has its header, in memory that all processes write to.
    struct Address: Sendable {
        nonisolated(unsafe) let header: UnsafePointer<LogIndexHeader>

        /// Reads the header. While a process is writing it, the result may mix two headers; if it equals an earlier one,
        /// that commit has not returned yet.
        func read() -> LogIndexHeader {
            // SQLite writes this copy of the header last, after a barrier.
            atomicMemoryFence(ordering: .acquiring)
            defer { atomicMemoryFence(ordering: .acquiring) }
            return header.pointee
        }
    }

    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The number of commits so far, which may wrap around.
    var commits: UInt32 { withUnsafeBytes(of: words) { $0.load(fromByteOffset: 8, as: UInt32.self) } }

    static func == (left: LogIndexHeader, right: LogIndexHeader) -> Bool { left.words == right.words }

    /// Returns where a connection's log has its header; `nil` if the connection has no log. The address is valid until the
    /// connection is closed.
    static func address(_ db: Database) -> Address? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2
        else { return nil }
        var region: UnsafeMutableRawPointer?
        let code = methods.pointee.xShmMap(file, 0, regionSize, 0, &region)
        guard code == SQLITE_OK, let region else { return nil }
        return Address(header: UnsafePointer(region.assumingMemoryBound(to: LogIndexHeader.self)))
    }

    /// SQLite maps the index in regions of this size, in bytes.
    private static let regionSize: CInt = 32 << 10
}
