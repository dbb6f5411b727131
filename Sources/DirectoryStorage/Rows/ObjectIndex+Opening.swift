import Foundation
import GRDB
import Logging
import ObjectStorage

extension ObjectIndex {
    /// The dependencies that both databases of a folder share.
    struct Dependencies {
        let reserve: SpaceReserve
        let health: StoreHealth
        let logger: Logger
        /// Whether the mark of a database that has tables is made where it is missing.
        let createsMarks: Bool
    }

    /// Returns the path of the database file. Open it for writing only under the opening lock.
    static func path(_ root: String, _ kind: DatabaseKind) -> String { "\(root)/\(kind.fileName)" }

    /// Returns the size of a file in bytes; 0 if it does not exist. The file is not opened: closing it would release
    /// the locks that other stores of this process hold on it (close(2)).
    static func size(_ path: String) -> Int64 {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// How a database is opened in a folder that cannot be written to.
    static func readOnlyAccess(_ path: String) -> BufferedLogVFS.Access {
        // Without a log SQLite cannot open it for normal reading: it would have to create one.
        FileManager.default.fileExists(atPath: "\(path)-wal") ? .readOnly : .immutable
    }
}
