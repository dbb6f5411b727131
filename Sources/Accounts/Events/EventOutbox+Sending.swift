import Foundation
import ObjectStorage
import PhotolalaAPI

/// One sender for each delivery at a time. Where one stands still for longer than its lease two may send: each in order,
/// and the later events only after the other side has the earlier ones.
extension EventOutbox {
    /// A page of the deliveries that are kept. One listing.
    package func kept(after: String?) async throws(AccountError) -> ObjectPage {
        try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.eventDeliveries, after: after, limit: 1000)
        }
    }

    /// Takes a delivery whose time has come; other copies leave it alone for a minute. One read, and one write.
    /// - Returns: `nil` when it is gone, another copy has it, or its time has not come.
    package func take(_ listed: ListedObject) async throws(AccountError) -> Stored<EventDelivery>? {
        guard !waiting.contains(listed, at: now()), let found = try await load(listed.key) else { return nil }
        guard found.value.isDue(at: now()) else {
            waiting.remember(listed.key, found, at: now())
            return nil
        }
        var next = found.value
        next.sender = randomness.uuid()
        next.nextTryAt = now().addingTimeInterval(EventDelivery.lease)
        return try await replace(found, with: next)
    }

    /// All of its events were taken.
    /// - Returns: the delivery as it is now, when there may be more of them; `nil` when it is over, or another's.
    package func finish(_ delivery: Stored<EventDelivery>) async throws(AccountError) -> Stored<EventDelivery>? {
        let key = Self.key(delivery.value.user)
        let isOver = try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.writes.delete(key, if: .matches(delivery.etag))
        }
        guard !isOver, let found = try await load(key), found.value.sender == delivery.value.sender else { return nil }
        return found
    }

    /// Its next event was refused.
    /// - Parameter isFirst: others were taken just before.
    package func postpone(
        _ delivery: Stored<EventDelivery>, _ refusal: EventRefusal, isFirst: Bool
    ) async throws(AccountError) -> EventDelivery {
        var next = delivery.value
        next.tries = isFirst ? 1 : next.tries + 1
        next.refusal = .init(
            reason: refusal.reason, since: isFirst ? now() : delivery.value.refusal?.since ?? now())
        next.nextTryAt = now().addingTimeInterval(EventDelivery.pause(after: next.tries, refusal, randomness))
        let postponed = next
        try await change(delivery) { change in
            change.tries = postponed.tries
            change.refusal = postponed.refusal
            change.nextTryAt = postponed.nextTryAt
        }
        return postponed
    }

    /// Its sender has no time for more.
    /// - Parameters:
    ///   - pause: seconds until the next copy goes on.
    ///   - hasSent: some were taken, so that the next one was not refused yet.
    package func giveBack(
        _ delivery: Stored<EventDelivery>, for pause: TimeInterval, hasSent: Bool
    ) async throws(AccountError) {
        let time = now().addingTimeInterval(pause)
        try await change(delivery) { change in
            change.nextTryAt = time
            guard hasSent else { return }
            change.tries = 0
            change.refusal = nil
        }
    }

    /// Changes what is still its sender's, whatever came to it meanwhile.
    private func change(
        _ delivery: Stored<EventDelivery>, _ mutate: (inout EventDelivery) -> Void
    ) async throws(AccountError) {
        var current = delivery
        for attempt in 0..<retry.attempts {
            var next = current.value
            mutate(&next)
            if try await replace(current, with: next) != nil { return }
            await retry.pause(after: attempt)
            guard let found = try await load(Self.key(next.user)), found.value.sender == delivery.value.sender else {
                return
            }
            current = found
        }
        throw .contended
    }
}
