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
                    return logRejection(postponed, event, refusal, "event rejected by the receiver")
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
            logLostEntries(unsent, of: delivery.user)
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
}
