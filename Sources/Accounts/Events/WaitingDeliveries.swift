import Foundation
import ObjectStorage
import Synchronization

/// What a copy of the service knows of deliveries that are to wait, so that it reads none of them again and again. It is
/// only a saving: what is forgotten is read.
final class WaitingDeliveries: Sendable {
    /// About a hundred bytes each.
    private static let remembered = 10_000

    private let known = Mutex<[ObjectKey: (etag: ETag, nextTryAt: Date)]>([:])

    /// Whether a delivery that is as it was listed has to wait.
    func contains(_ listed: ListedObject, at now: Date) -> Bool {
        known.withLock { known in
            guard let found = known[listed.key] else { return false }
            if found.etag == listed.etag, found.nextTryAt > now { return true }
            known[listed.key] = nil
            return false
        }
    }

    func remember(_ key: ObjectKey, _ delivery: Stored<EventDelivery>) {
        known.withLock { known in
            if known.count >= Self.remembered { known = [:] }
            known[key] = (delivery.etag, delivery.value.nextTryAt)
        }
    }
}
