import Foundation
import GRDB
import ObjectStorage

extension ObjectStoreError {
    /// Maps a failed system call to an error. The text contains the path and never file contents.
    static func system(_ code: CInt, _ operation: String, _ path: String) -> ObjectStoreError {
        let text = "\(operation) \(path): \(String(cString: strerror(code)))"
        return switch code {
        case ENOSPC, EDQUOT, EFBIG: .outOfSpace
        case EACCES, EPERM, EROFS: .denied(text)
        default: .unavailable(text)
        }
    }

    /// Maps a failure of SQLite to an error.
    static func database(_ error: any Error, _ path: String) -> ObjectStoreError {
        if let known = error as? ObjectStoreError { return known }
        guard let failure = error as? DatabaseError else { return .unavailable("database \(path): \(error)") }
        let text = "database \(path): \(failure.message ?? failure.resultCode.description)"
        // SQLite's own message is that of a generic disk error.
        if failure.extendedResultCode.rawValue == PageChecksum.mismatch {
            return .corrupted("database \(path): page checksum mismatch")
        }
        return switch failure.resultCode {
        case .SQLITE_FULL: .outOfSpace
        case .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY: .denied(text)
        case .SQLITE_CANTOPEN: .denied("\(text). Check that the folder exists and that this user can write to it")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupted(text)
        default: .unavailable(text)
        }
    }

    static let readOnlyFolder = ObjectStoreError.denied("the folder is open read-only")

    /// The job was cancelled while it waited for a thread, or the store was closed. It has had no effect.
    static let notStarted = ObjectStoreError.unavailable("store closed or call cancelled")
}
