import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Which accounts have events to send: one delivery for each, kept in the store until all of its events were taken.
///
/// What is to be sent stands in the accounts themselves and is written with the acts. A delivery is written after that,
/// and only says where to look; the daily job finds accounts that have none because a copy stopped in between.
package struct EventOutbox: Sendable {
    /// Called when a delivery cannot be kept: the daily job makes up for it.
    package typealias Delay = @Sendable (UserID, AccountError) -> Void

    /// Deliveries that this copy has just kept, as far as it has time for them; the others wait for their minute.
    package let fresh: AsyncStream<Stored<EventDelivery>>

    private let hand: AsyncStream<Stored<EventDelivery>>.Continuation
    let documents: Documents<EventDelivery>
    let waiting: WaitingDeliveries
    private let delayed: Delay
    let retry: RetryPolicy
    let now: @Sendable () -> Date
    let randomness: Randomness

    /// - Parameters:
    ///   - waiting: how many fresh deliveries wait in memory at most.
    ///   - remembered: of how many others this copy remembers when they are tried next.
    package init(
        store: any ObjectStore, retry: RetryPolicy, waiting: Int = 1000, remembered: Int = 10_000,
        now: @escaping @Sendable () -> Date, randomness: Randomness, delayed: @escaping Delay
    ) {
        documents = Documents(store: store, retry: retry)
        self.retry = retry
        self.now = now
        self.randomness = randomness
        self.delayed = delayed
        self.waiting = WaitingDeliveries(capacity: remembered)
        (fresh, hand) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(waiting))
    }

    /// Keeps that an account has one event more, which is done already: a failure only delays it. One write; where others
    /// wait already two reads and a write more, which tell whoever is sending them.
    /// - Parameter foldsDevices: the act stands in a device's record and not in the chain yet.
    package func keep(_ user: UserID, foldsDevices: Bool) async {
        do throws(AccountError) { try await tryToKeep(user, foldsDevices) } catch { delayed(user, error) }
    }

    private func tryToKeep(_ user: UserID, _ foldsDevices: Bool) async throws(AccountError) {
        for attempt in 0..<retry.attempts {
            if try await create(user, foldsDevices: foldsDevices) { return }
            if let known = try await load(Self.key(user)) {
                var next = known.value
                next.foldsDevices = next.foldsDevices || foldsDevices
                if try await replace(known, with: next) != nil { return }
            }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    /// Keeps a delivery unless there is one. One write.
    /// - Parameter lease: seconds in which it is this copy's; 0 where it sends nothing.
    /// - Returns: whether there was none.
    @discardableResult
    func create(
        _ user: UserID, foldsDevices: Bool, lease: TimeInterval = EventDelivery.lease
    ) async throws(AccountError) -> Bool {
        let delivery = EventDelivery(
            version: 1, user: user, foldsDevices: foldsDevices, sender: randomness.uuid(),
            nextTryAt: now().addingTimeInterval(lease), tries: 0
        )
        do {
            hand.yield(try await documents.create(Self.key(user), delivery))
            return true
        } catch .preconditionFailed {
            return false
        } catch {
            throw .store(error)
        }
    }

    func load(_ key: ObjectKey) async throws(AccountError) -> Stored<EventDelivery>? {
        try await AccountError.storing { () throws(ObjectStoreError) in try await documents.load(key) }
    }

    /// - Returns: `nil` when it is not any more as it was read.
    func replace(
        _ delivery: Stored<EventDelivery>, with next: EventDelivery
    ) async throws(AccountError) -> Stored<EventDelivery>? {
        do {
            return try await documents.replace(Self.key(next.user), delivery, with: next)
        } catch .preconditionFailed {
            return nil
        } catch {
            throw .store(error)
        }
    }

    static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.eventDelivery(user)) }
}
