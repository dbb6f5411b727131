import Foundation
import ObjectStorage
import Synchronization

/// An instance's cache of deliveries that are not due, so that they are not read repeatedly. Only an optimization: a
/// delivery that is not cached is read.
final class DeliveryCache: Sendable {
    /// The largest number of entries, of about 100 bytes each.
    private let capacity: Int
    private let cached = Mutex<[ObjectKey: (etag: ETag, delivery: EventDelivery)]>([:])

    init(capacity: Int) { self.capacity = capacity }

    /// Returns whether a delivery that is unchanged since it was listed has to wait.
    func contains(_ listed: ListedObject, at now: Date) -> Bool {
        cached.withLock { known in
            guard let found = known[listed.key] else { return false }
            if found.etag == listed.etag, !found.delivery.isDue(at: now) { return true }
            known[listed.key] = nil
            return false
        }
    }

    /// Caches a delivery unless the cache is full. Evicting others would save no reads, because all deliveries are
    /// requested in turn.
    func insert(_ key: ObjectKey, _ delivery: Stored<EventDelivery>, at now: Date) {
        cached.withLock { known in
            if known.count >= capacity, known[key] == nil {
                known = known.filter { !$0.value.delivery.isDue(at: now) }
                guard known.count < capacity else { return }
            }
            known[key] = (delivery.etag, delivery.value)
        }
    }
}
