import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage

/// Sends the accounts' events to the operator's event receiver.
package struct EventDeliveryJob: Sendable {
    let accounts: AccountDirectory
    /// `nil` if events are not delivered.
    let eventReceiver: (any EventReceiver)?
    let auditLog: DeviceAuditLog
    let metrics: ServiceMetrics
    private let ages = DeliveryAges()
    let now: @Sendable () -> Date
    let logger: Logger

    private static let deliveryConcurrency = 4

    /// Delivers the events that this instance has just scheduled, for several accounts concurrently, until the task is
    /// cancelled.
    package func deliverScheduledEvents() async {
        guard let outbox = accounts.outbox else { return }
        var deliveries = outbox.newDeliveries.makeAsyncIterator()
        await concurrentForEach(Self.deliveryConcurrency, next: { await deliveries.next() }) { delivery in
            // After a minute another instance may deliver it.
            if delivery.value.hasTime(at: now()) { await deliver(delivery) }
        }
    }

    /// Delivers all due events, including those that other instances scheduled. One listing if there are none.
    package func deliverEvents() async throws(ServiceError) {
        guard let outbox = accounts.outbox else { return }
        var after: String?
        var listing = ages.beginListing()
        repeat {
            let from = after
            let page = try await mapServiceErrors { try await outbox.deliveries(after: from) }
            listing.add(page.objects, at: now())
            var listed = page.objects.makeIterator()
            await concurrentForEach(Self.deliveryConcurrency, next: { listed.next() }) {
                await acquireAndDeliver($0, outbox)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil && !Task.isCancelled
        guard after == nil else { return }
        metrics.set(ServiceMetric.oldestEvent, to: ages.complete(listing, at: now()))
    }

    private func acquireAndDeliver(_ listed: ListedObject, _ outbox: EventOutbox) async {
        do {
            if let delivery = try await outbox.acquire(listed) { await deliver(delivery) }
        } catch {
            guard !Task.isCancelled else { return }
            logger.error(
                .eventsUnreadable, "reading an account's pending events failed",
                metadata: ["object": "\(listed.key)", "reason": "\(error)"])
        }
    }

    /// The result of sending the events of one account.
    private enum DeliveryOutcome {
        case all
        /// The time is used up, or some events cannot be read yet.
        case some(pause: TimeInterval)
        case rejected(AccountEvent, EventRejection)
    }

    /// Sends the events of one account in log order until one is refused. The first event of an account costs three
    /// requests if no other waits: a read and a write of the account and the removal of the delivery.
    package func deliver(_ taken: Stored<EventDelivery>) async {
        guard let outbox = accounts.outbox, let receiver = eventReceiver else { return }
        var (delivery, hasSent) = (taken as Stored<EventDelivery>?, false)
        do {
            while let current = delivery {
                switch try await send(current.value, to: receiver, &hasSent) {
                case .all: delivery = try await outbox.finish(current)
                case .some(let pause): return try await outbox.release(current, for: pause, hasSent: hasSent)
                case .rejected(let event, let refusal):
                    // A cancelled send is not a refusal; another instance resumes in a minute.
                    guard !Task.isCancelled else { return }
                    return logRejection(try await outbox.postpone(current, refusal, isFirst: hasSent), event, refusal)
                }
            }
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning(
                .eventPostponed, "event delivery of an account postponed",
                metadata: ["account": "\(taken.value.user)", "reason": "\(error)"])
        }
    }

    private func send(
        _ delivery: EventDelivery, to receiver: any EventReceiver, _ hasSent: inout Bool
    ) async throws -> DeliveryOutcome {
        if delivery.foldsDevices, try await !auditLog.flushAllDevices(of: delivery.user) { return .some(pause: 60) }
        guard var account = try await accounts.account(delivery.user), account.value.sendsEvents else { return .all }
        while let unsent = try await accounts.unsentEvents(of: account.value) {
            if unsent.lost > 0 {
                logger.error(
                    .auditEntriesLost, "audit entries lost, and the events in them",
                    metadata: ["account": "\(delivery.user)", "entries": "\(unsent.lost)"])
            }
            for event in unsent.events {
                guard delivery.hasTime(at: now()) else {
                    _ = try await accounts.markSent(through: event.sequence - 1, of: account)
                    return .some(pause: 0)
                }
                do throws(EventRejection) {
                    try await receiver.receive(event)
                } catch {
                    _ = try await accounts.markSent(through: event.sequence - 1, of: account)
                    return .rejected(event, error)
                }
                hasSent = true
                logger.info(.eventSent, "event sent", metadata: metadata(event))
            }
            account = try await accounts.markSent(through: unsent.through, of: account)
        }
        return .all
    }

    /// Logs at error level from the fifth attempt on, when an operator must act.
    private func logRejection(_ delivery: EventDelivery, _ event: AccountEvent, _ refusal: EventRejection) {
        var metadata = metadata(event)
        metadata["tries"] = "\(delivery.tries)"
        metadata["reason"] = "\(refusal.reason)"
        metadata["next"] = "\(delivery.nextTryAt.ISO8601Format())"
        let isLong = delivery.tries >= 5 || refusal.isGone
        logger.log(
            level: isLong ? .error : .warning, .eventRejected, "event rejected by the receiver", metadata: metadata)
    }

    private func metadata(_ event: AccountEvent) -> Logger.Metadata {
        ["account": "\(event.user)", "sequence": "\(event.sequence)", "type": "\(event.type.rawValue)"]
    }
}
