import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/recovery.json`: a snapshot is being written into this store, and nothing may start on it. It goes when all is
/// written.
struct RecoveryMarker: VersionedDocument {
    var version: Int
    /// Which snapshot.
    let sha256: String
    let startedAt: Date
    /// Everything is there; what is left is to settle what changed while the snapshot was taken.
    var isWritten = false

    static let key = ObjectKey(known: StorageLayout.recovery)
}
