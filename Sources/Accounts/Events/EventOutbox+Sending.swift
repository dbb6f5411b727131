import Foundation
import ObjectStorage
import PhotolalaAPI

/// Each delivery has one sender at a time. If a sender stalls for longer than its lease, two senders may be active:
/// each sends in order, and later events only after the receiver has accepted the earlier ones.
extension EventOutbox {
    /// Returns a page of the stored deliveries. One listing.
    package func deliveries(after: String?) async throws(AccountError) -> ObjectPage {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: channel.deliveries, after: after, limit: 1000)
        }
    }

    /// Acquires a delivery that is due; other instances skip it for a minute. One read and one write.
    /// - Returns: `nil` if it is gone, leased to another instance, or not due.
    package func acquire(_ listed: ListedObject) async throws(AccountError) -> Stored<EventDelivery>? {
        guard !cache.contains(listed, at: now()), let found = try await load(listed.key) else { return nil }
        guard found.value.isDue(at: now()) else {
            cache.insert(listed.key, found, at: now())
            return nil
        }
        var next = found.value
        next.sender = randomness.uuid()
        next.nextTryAt = now().addingTimeInterval(EventDelivery.lease)
        return try await replace(found, with: next)
    }

    /// Ends a delivery after all of its events were accepted.
    /// - Returns: the current delivery if there may be more events; `nil` if it is finished or leased to another
    ///   sender.
    package func finish(_ delivery: Stored<EventDelivery>) async throws(AccountError) -> Stored<EventDelivery>? {
        let key = self.key(delivery.value.user)
        let isOver = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(key, if: .matches(delivery.etag))
        }
        guard !isOver, let found = try await load(key), found.value.sender == delivery.value.sender else { return nil }
        return found
    }

    /// Postpones a delivery whose next event was rejected.
    /// - Parameters:
    ///   - isFirst: whether earlier events were accepted just before.
    ///   - progress: what the recipients of security e-mails have got.
    package func postpone(
        _ delivery: Stored<EventDelivery>, _ refusal: EventRejection, isFirst: Bool, progress: [String: Int]? = nil
    ) async throws(AccountError) -> EventDelivery {
        var next = delivery.value
        next.tries = isFirst ? 1 : next.tries + 1
        next.refusal = .init(
            reason: refusal.reason, since: isFirst ? now() : delivery.value.refusal?.since ?? now())
        next.nextTryAt = now().addingTimeInterval(EventDelivery.retryDelay(after: next.tries, refusal, randomness))
        let postponed = next
        try await change(delivery) { change in
            change.progress = progress
            change.tries = postponed.tries
            change.refusal = postponed.refusal
            change.nextTryAt = postponed.nextTryAt
        }
        return postponed
    }

    /// Releases a delivery whose sender has no time for another event.
    /// - Parameters:
    ///   - pause: seconds until another instance continues.
    ///   - hasSent: whether some events were accepted, so that the next one has not been rejected yet.
    ///   - progress: what the recipients of security e-mails have got.
    package func release(
        _ delivery: Stored<EventDelivery>, for pause: TimeInterval, hasSent: Bool, progress: [String: Int]? = nil
    ) async throws(AccountError) {
        let time = now().addingTimeInterval(pause)
        try await change(delivery) { change in
            change.nextTryAt = time
            change.progress = progress
            guard hasSent else { return }
            change.tries = 0
            change.refusal = nil
        }
    }

    /// Changes a delivery while its sender still holds it, keeping concurrent additions.
    private func change(
        _ delivery: Stored<EventDelivery>, _ mutate: (inout EventDelivery) -> Void
    ) async throws(AccountError) {
        var current = delivery
        for attempt in 0..<retry.attempts {
            var next = current.value
            mutate(&next)
            if try await replace(current, with: next) != nil { return }
            await retry.pause(after: attempt)
            guard let found = try await load(key(next.user)), found.value.sender == delivery.value.sender else {
                return
            }
            current = found
        }
        throw .contended
    }
}
