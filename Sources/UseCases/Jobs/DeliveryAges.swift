import Foundation
import ObjectStorage
import Synchronization

/// Since when this instance has known the accounts with unsent events. Memory is bounded: of more accounts than
/// `maximum`, those that were known first are remembered.
final class DeliveryAges: Sendable {
    static let maximum = 10_000

    private let firstSeen = Mutex<[ObjectKey: Date]>([:])

    /// The deliveries of one listing.
    struct Listing {
        private let known: [ObjectKey: Date]
        fileprivate var found: [ObjectKey: Date] = [:]

        fileprivate init(_ known: [ObjectKey: Date]) { self.known = known }

        /// Adds a page of the listing.
        mutating func add(_ objects: [ListedObject], at time: Date) {
            for object in objects {
                let since = known[object.key]
                if since != nil || found.count < DeliveryAges.maximum { found[object.key] = since ?? time }
            }
        }
    }

    func beginListing() -> Listing { Listing(firstSeen.withLock { $0 }) }

    /// Replaces the known deliveries with those of a complete listing.
    /// - Returns: the age of the oldest delivery in seconds, 0 without one.
    func complete(_ listing: Listing, at time: Date) -> TimeInterval {
        firstSeen.withLock { $0 = listing.found }
        return listing.found.values.min().map { max(0, time.timeIntervalSince($0)) } ?? 0
    }
}
