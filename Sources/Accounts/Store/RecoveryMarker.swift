import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/recovery.json`: a snapshot is being written into this store, and no server may start on it. Removed once
/// everything is written.
package struct RecoveryMarker: VersionedDocument {
    package var version: Int
    /// Identifies the snapshot.
    package let sha256: String
    let startedAt: Date
    /// Whether all objects are written; the remaining step reconciles what changed while the snapshot was taken.
    package var isWritten = false

    package init(version: Int, sha256: String, startedAt: Date, isWritten: Bool = false) {
        self.version = version
        self.sha256 = sha256
        self.startedAt = startedAt
        self.isWritten = isWritten
    }

    package static let key = ObjectKey(known: StorageLayout.recovery)
}
