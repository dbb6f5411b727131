import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The accounts with unsent events of a channel: one stored delivery for each, until all of its events were accepted.
///
/// The account documents hold the unsent markers, written together with the actions. A delivery is written afterwards
/// and only names the account; the daily job finds accounts that have none because an instance stopped in between.
package struct EventOutbox: Sendable {
    /// Called when a delivery cannot be stored; the daily job stores it later.
    package typealias EnqueueFailureHandler = @Sendable (UserID, AccountError) -> Void

    /// Deliveries that this instance has just stored, up to a limit; the others wait until their lease of one minute
    /// ends.
    package let newDeliveries: AsyncStream<Stored<EventDelivery>>

    private let continuation: AsyncStream<Stored<EventDelivery>>.Continuation
    package let channel: EventChannel
    let documents: Documents<EventDelivery>
    let cache: DeliveryCache
    private let onEnqueueFailure: EnqueueFailureHandler
    let retry: RetryPolicy
    let now: @Sendable () -> Date
    let randomness: Randomness

    /// - Parameters:
    ///   - bufferLimit: the largest number of new deliveries waiting in memory.
    ///   - remembered: the largest number of other deliveries whose next retry this instance caches.
    package init(
        store: any ObjectStore, channel: EventChannel = .webhook, retry: RetryPolicy, bufferLimit: Int = 1000,
        remembered: Int = 10_000,
        now: @escaping @Sendable () -> Date, randomness: Randomness, onEnqueueFailure: @escaping EnqueueFailureHandler
    ) {
        documents = Documents(store: store, retry: retry)
        self.channel = channel
        self.retry = retry
        self.now = now
        self.randomness = randomness
        self.onEnqueueFailure = onEnqueueFailure
        self.cache = DeliveryCache(capacity: remembered)
        (newDeliveries, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(bufferLimit))
    }

    /// Records that an account has another event, for an action that is already done: a failure only delays the event.
    /// One write; if a delivery exists already, two reads and one more write, which inform its sender.
    /// - Parameter foldsDevices: whether the event is pending in a device record and not in the log yet.
    package func enqueue(_ user: UserID, foldsDevices: Bool) async {
        do throws(AccountError) { try await tryEnqueue(user, foldsDevices) } catch { onEnqueueFailure(user, error) }
    }

    private func tryEnqueue(_ user: UserID, _ foldsDevices: Bool) async throws(AccountError) {
        for attempt in 0..<retry.attempts {
            if try await create(user, foldsDevices: foldsDevices) { return }
            if let known = try await load(key(user)) {
                var next = known.value
                next.foldsDevices = next.foldsDevices || foldsDevices
                if try await replace(known, with: next) != nil { return }
            }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    /// Creates a delivery unless there is one. One write.
    /// - Parameter lease: seconds for which this instance holds it; 0 if it does not send.
    /// - Returns: whether the delivery was created.
    @discardableResult
    func create(
        _ user: UserID, foldsDevices: Bool, lease: TimeInterval = EventDelivery.lease
    ) async throws(AccountError) -> Bool {
        let delivery = EventDelivery(
            version: 1, user: user, foldsDevices: foldsDevices, sender: randomness.uuid(),
            nextTryAt: now().addingTimeInterval(lease), tries: 0
        )
        do {
            continuation.yield(try await documents.create(key(user), delivery))
            return true
        } catch .preconditionFailed {
            return false
        } catch {
            throw .store(error)
        }
    }

    func load(_ key: ObjectKey) async throws(AccountError) -> Stored<EventDelivery>? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(key) }
    }

    /// - Returns: `nil` if the delivery has changed since it was read.
    func replace(
        _ delivery: Stored<EventDelivery>, with next: EventDelivery
    ) async throws(AccountError) -> Stored<EventDelivery>? {
        do {
            return try await documents.replace(key(next.user), delivery, with: next)
        } catch .preconditionFailed {
            return nil
        } catch {
            throw .store(error)
        }
    }

    func key(_ user: UserID) -> ObjectKey { channel.delivery(user) }
}
