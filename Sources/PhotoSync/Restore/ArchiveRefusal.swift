import ObjectStorage
import Synchronization

/// The store's refusal to restore an object from its archive. The store would refuse all others of the same run, too,
/// so no more are requested.
final class ArchiveRefusal: Sendable {
    private let first = Mutex<ObjectStoreError?>(nil)

    var error: ObjectStoreError? { first.withLock { $0 } }

    func record(_ error: ObjectStoreError) {
        // Other errors may concern a single photo.
        guard case .denied(let message) = error, message.hasPrefix("AccessDenied") else { return }
        first.withLock { $0 = $0 ?? error }
    }
}
