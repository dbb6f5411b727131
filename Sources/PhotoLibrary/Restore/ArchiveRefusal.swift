import ObjectStorage
import Synchronization

/// Whether the store has refused to bring something back from its archive. It would refuse all others of the same restore,
/// so they are not asked for.
final class ArchiveRefusal: Sendable {
    private let first = Mutex<ObjectStoreError?>(nil)

    var error: ObjectStoreError? { first.withLock { $0 } }

    func note(_ error: ObjectStoreError) {
        // Others may be said of one photo alone.
        guard case .denied(let words) = error, words.hasPrefix("AccessDenied") else { return }
        first.withLock { $0 = $0 ?? error }
    }
}
