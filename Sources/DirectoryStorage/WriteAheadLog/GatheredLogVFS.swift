import Foundation
import GRDB
import GRDBSQLite

/// SQLite's own files, but what a commit writes to the write-ahead log is gathered and written in one call.
///
/// SQLite writes each page in two calls, which for a commit of many small objects take longer than the disk. Whoever
/// opens a database with it must set `synchronous=FULL` and `cache_spill=OFF` before the log is switched on: then the
/// log is written by commits alone, each of them ends in a sync, and nothing stays gathered when the
/// lock between writers is given up.
struct GatheredLogVFS {
    private static let name = "photolala-gathered-log"

    /// SQLite knows it by its address: it must be the first member.
    private var vfs: sqlite3_vfs
    private let below: UnsafeMutablePointer<sqlite3_vfs>

    /// What SQLite opens as the database at the absolute path.
    /// - Throws: `DatabaseError` when SQLite takes no file systems.
    static func location(_ path: String) throws -> String {
        guard registration == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: registration)) }
        let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        // Without psow, the end of a commit is padded after its sync.
        return "file://\(encoded)?vfs=\(name)&psow=1"
    }

    private static let registration: CInt = {
        guard let below = sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
        return sqlite3_vfs_register(make(over: below, strdup(name)), 0)
    }()

    /// Made for good: SQLite never gives a file system back.
    static func make(
        over below: UnsafeMutablePointer<sqlite3_vfs>, _ name: UnsafePointer<CChar>?
    ) -> UnsafeMutablePointer<sqlite3_vfs> {
        var vfs = below.pointee
        vfs.pNext = nil
        vfs.zName = name
        vfs.szOsFile += CInt(GatheredLog.size)
        vfs.xOpen = { vfs, name, file, flags, given in
            guard let vfs, let file else { return SQLITE_MISUSE }
            let below = UnsafeMutableRawPointer(vfs).assumingMemoryBound(to: GatheredLogVFS.self).pointee.below
            guard flags & SQLITE_OPEN_WAL != 0 else { return below.pointee.xOpen(below, name, file, flags, given) }
            return GatheredLog.open(file, of: below, name, flags, given)
        }
        let made = UnsafeMutablePointer<GatheredLogVFS>.allocate(capacity: 1)
        made.initialize(to: GatheredLogVFS(vfs: vfs, below: below))
        return UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vfs.self)
    }
}
