import Foundation
import GRDB
import GRDBSQLite

/// A SQLite VFS that verifies pages when they are read (`ChecksummedDatabase`, `LogFrame`) and gathers what a commit
/// writes to the write-ahead log into one write call.
///
/// SQLite writes each page in two calls, which for a commit of many small objects take longer than the disk. A
/// connection that uses it must set `synchronous=FULL` and `cache_spill=OFF` before the log is enabled: then only
/// commits write to the log, each ends in a sync, and no write is still gathered when the lock between writers is
/// released.
struct BufferedLogVFS {
    private static let name = "photolala-gathered-log"

    /// SQLite identifies the VFS by its address: it must be the first member.
    private var vfs: sqlite3_vfs
    private let below: UnsafeMutablePointer<sqlite3_vfs>

    /// How a database is opened.
    enum Access {
        /// As the folder permits. The shared-memory index of the log is shared with other processes.
        case shared
        /// Nothing is written, including the shared-memory index of the log.
        case readOnly
        /// As `readOnly`, for a database without a log, which no process can change.
        case immutable
    }

    /// Returns the URI with which SQLite opens the database at the absolute path.
    /// - Throws: `DatabaseError` if SQLite rejects the VFS.
    static func location(_ path: String, _ access: Access = .shared) throws -> String {
        guard registration == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: registration)) }
        let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        // Without `psow` the end of a commit is padded after its sync.
        let location = "file://\(encoded)?vfs=\(name)&psow=1"
        return switch access {
        case .shared: location
        case .readOnly: "\(location)&mode=ro&readonly_shm=1"
        case .immutable: "\(location)&immutable=1"
        }
    }

    private static let registration: CInt = {
        guard let below = sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
        return sqlite3_vfs_register(make(over: below, strdup(name)), 0)
    }()

    /// Creates the VFS. Never freed, because SQLite does not release a VFS.
    static func make(
        over below: UnsafeMutablePointer<sqlite3_vfs>, _ name: UnsafePointer<CChar>?
    ) -> UnsafeMutablePointer<sqlite3_vfs> {
        var vfs = below.pointee
        vfs.pNext = nil
        vfs.zName = name
        vfs.szOsFile += CInt(max(BufferedLog.size, ChecksummedDatabase.size))
        vfs.xOpen = { vfs, name, file, flags, outFlags in
            guard let vfs, let file else { return SQLITE_MISUSE }
            let below = UnsafeMutableRawPointer(vfs).assumingMemoryBound(to: BufferedLogVFS.self).pointee.below
            if flags & SQLITE_OPEN_WAL != 0 { return BufferedLog.open(file, of: below, name, flags, outFlags) }
            if flags & SQLITE_OPEN_MAIN_DB != 0 {
                return ChecksummedDatabase.open(file, of: below, name, flags, outFlags)
            }
            return below.pointee.xOpen(below, name, file, flags, outFlags)
        }
        let made = UnsafeMutablePointer<BufferedLogVFS>.allocate(capacity: 1)
        made.initialize(to: BufferedLogVFS(vfs: vfs, below: below))
        return UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vfs.self)
    }
}
