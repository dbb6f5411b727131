import Foundation
import ObjectStorage
import Synchronization

/// What a copy of the service knows of deliveries that are to wait, so that it reads none of them again and again. It is
/// only a saving: what is forgotten is read.
final class WaitingDeliveries: Sendable {
    /// About a hundred bytes each.
    private let capacity: Int
    private let known = Mutex<[ObjectKey: (etag: ETag, delivery: EventDelivery)]>([:])

    init(capacity: Int) { self.capacity = capacity }

    /// Whether a delivery that is as it was listed has to wait.
    func contains(_ listed: ListedObject, at now: Date) -> Bool {
        known.withLock { known in
            guard let found = known[listed.key] else { return false }
            if found.etag == listed.etag, !found.delivery.isDue(at: now) { return true }
            known[listed.key] = nil
            return false
        }
    }

    /// Where there is no place it is not remembered: to forget others for it would help nobody, as all are asked for in
    /// turn.
    func remember(_ key: ObjectKey, _ delivery: Stored<EventDelivery>, at now: Date) {
        known.withLock { known in
            if known.count >= capacity, known[key] == nil {
                known = known.filter { !$0.value.delivery.isDue(at: now) }
                guard known.count < capacity else { return }
            }
            known[key] = (delivery.etag, delivery.value)
        }
    }
}
