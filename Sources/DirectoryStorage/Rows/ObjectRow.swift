import Foundation
import NIOCore
import ObjectStorage

/// The database row of one object.
struct ObjectRow: Sendable, Equatable {
    enum Location: Sendable, Equatable {
        /// The bytes are in the row; `nil` if only the metadata was read.
        case row(ByteBuffer?)
        /// The bytes are in a file; `staged` is its path below `.incoming` until it has been moved to its own.
        case file(FileFingerprint, staged: String?)
    }

    let info: ObjectInfo
    let location: Location

    /// The columns in the order in which `init` reads them. `bytes` is last so that it can be omitted.
    static let metadataColumns = "etag, size, modified, attributes, inode, changed, staged"

    init(info: ObjectInfo, location: Location) {
        self.info = info
        self.location = location
    }

    /// - Parameter byteLimit: The largest object whose bytes are read too; `nil` if only the metadata was queried.
    init(_ row: BoundStatement, byteLimit: Int?) throws(ObjectStoreError) {
        let size = row.int(1) ?? 0
        var attributes: ObjectAttributes = [:]
        if let stored = row.bytes(3) {
            guard let decoded = AttributeCoding.decode(stored) else { throw .corrupted("malformed object attributes") }
            attributes = decoded
        }
        info = ObjectInfo(
            etag: ETag(row.text(0) ?? ""), size: size,
            lastModified: Date(timeIntervalSinceReferenceDate: row.double(2)), attributes: attributes
        )
        if let inode = row.int(4), let changed = row.int(5) {
            location = .file(FileFingerprint(size: size, modified: changed, inode: inode), staged: row.text(6))
        } else if let byteLimit, size <= byteLimit {
            location = .row(row.bytes(7))
        } else {
            location = .row(nil)
        }
    }
}
