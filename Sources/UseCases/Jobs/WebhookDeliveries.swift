import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage

/// Sends the accounts' events to the operator's event receiver.
struct WebhookDeliveries: AccountDeliveries {
    let accounts: AccountDirectory
    let outbox: EventOutbox
    let receiver: any EventReceiver
    let auditLog: DeviceAuditLog
    let now: @Sendable () -> Date
    let logger: Logger

    var age: MetricDefinition { ServiceMetric.oldestEvent }

    /// The result of sending the events of one account.
    private enum DeliveryOutcome {
        case all
        /// The time is used up, or some events cannot be read yet.
        case some(pause: TimeInterval)
        case rejected(AccountEvent, EventRejection)
    }

    /// Sends the events of one account in log order until one is refused. The first event of an account costs three
    /// requests if no other waits: a read and a write of the account and the removal of the delivery.
    func deliver(_ taken: Stored<EventDelivery>) async {
        var (delivery, hasSent) = (taken as Stored<EventDelivery>?, false)
        do {
            while let current = delivery {
                switch try await send(current.value, &hasSent) {
                case .all: delivery = try await outbox.finish(current)
                case .some(let pause): return try await outbox.release(current, for: pause, hasSent: hasSent)
                case .rejected(let event, let refusal):
                    // A cancelled send is not a refusal; another instance resumes in a minute.
                    guard !Task.isCancelled else { return }
                    let postponed = try await outbox.postpone(current, refusal, isFirst: hasSent)
                    return logRejection(postponed, event, refusal)
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
        _ delivery: EventDelivery, _ hasSent: inout Bool
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
    private func logRejection(
        _ delivery: EventDelivery, _ event: AccountEvent, _ refusal: EventRejection
    ) {
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
