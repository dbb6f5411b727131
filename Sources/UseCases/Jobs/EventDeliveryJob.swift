import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI

/// Sends the events of one account that this instance has acquired.
package protocol AccountDeliveries: Sendable {
    var outbox: EventOutbox { get }
    /// The metric with the age of the oldest delivery.
    var age: MetricDefinition { get }
    var logger: Logger { get }

    func deliver(_ taken: Stored<EventDelivery>) async
}

extension AccountDeliveries {
    func metadata(_ event: AccountEvent) -> Logger.Metadata {
        ["account": "\(event.user)", "sequence": "\(event.sequence)", "type": "\(event.type.rawValue)"]
    }

    func logLostEntries(_ unsent: UnsentEvents, of user: UserID) {
        guard unsent.lost > 0 else { return }
        logger.error(
            .auditEntriesLost, "audit entries lost, and the events in them",
            metadata: ["account": "\(user)", "entries": "\(unsent.lost)"])
    }

    /// Logs at error level from the fifth attempt on, when an operator must act.
    func logRejection(
        _ delivery: EventDelivery, _ event: AccountEvent, _ refusal: EventRejection, _ message: Logger.Message
    ) {
        var metadata = metadata(event)
        metadata["tries"] = "\(delivery.tries)"
        metadata["reason"] = "\(refusal.reason)"
        metadata["next"] = "\(delivery.nextTryAt.ISO8601Format())"
        logger.log(
            level: delivery.tries >= 5 || refusal.isGone ? .error : .warning, .eventRejected, message,
            metadata: metadata)
    }
}

/// Delivers the accounts' events of a channel.
package struct EventDeliveryJob: Sendable {
    /// `nil` if the channel is not in use.
    let deliveries: (any AccountDeliveries)?
    let metrics: ServiceMetrics
    private let ages = DeliveryAges()
    let now: @Sendable () -> Date
    let logger: Logger

    private static let deliveryConcurrency = 4

    /// Delivers the events that this instance has just scheduled, for several accounts concurrently, until the task is
    /// cancelled.
    package func deliverScheduledEvents() async {
        guard let deliveries else { return }
        var newDeliveries = deliveries.outbox.newDeliveries.makeAsyncIterator()
        await concurrentForEach(Self.deliveryConcurrency, next: { await newDeliveries.next() }) { delivery in
            // After a minute another instance may deliver it.
            if delivery.value.hasTime(at: now()) { await deliveries.deliver(delivery) }
        }
    }

    /// Delivers all due events, including those that other instances scheduled. One listing if there are none.
    package func deliverEvents() async throws(ServiceError) {
        guard let deliveries else { return }
        var after: String?
        var listing = ages.beginListing()
        repeat {
            let from = after
            let page = try await mapServiceErrors { try await deliveries.outbox.deliveries(after: from) }
            listing.add(page.objects, at: now())
            var listed = page.objects.makeIterator()
            await concurrentForEach(Self.deliveryConcurrency, next: { listed.next() }) {
                await acquireAndDeliver($0, deliveries)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil && !Task.isCancelled
        guard after == nil else { return }
        metrics.set(deliveries.age, to: ages.complete(listing, at: now()))
    }

    private func acquireAndDeliver(_ listed: ListedObject, _ deliveries: any AccountDeliveries) async {
        do {
            if let delivery = try await deliveries.outbox.acquire(listed) { await deliveries.deliver(delivery) }
        } catch {
            guard !Task.isCancelled else { return }
            logger.error(
                .eventsUnreadable, "reading an account's pending events failed",
                metadata: ["object": "\(listed.key)", "reason": "\(error)"])
        }
    }
}
