import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/recovery.json`: a snapshot is being written into this store, and no server may start on it. Removed once
/// everything is written.
struct RecoveryMarker: VersionedDocument {
    var version: Int
    /// Identifies the snapshot.
    let sha256: String
    let startedAt: Date
    /// Whether all objects are written; the remaining step reconciles what changed while the snapshot was taken.
    var isWritten = false

    static let key = ObjectKey(known: StorageLayout.recovery)
}
