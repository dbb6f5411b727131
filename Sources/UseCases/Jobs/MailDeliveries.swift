import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI

/// Sends security e-mails to the owners of accounts.
///
/// Each recipient gets the e-mails in the order of the audit log, independently of the others: an address that a server
/// refuses for now, which may be an attacker's, keeps no e-mail from the owner's other addresses.
struct MailDeliveries: AccountDeliveries {
    let accounts: AccountDirectory
    let outbox: EventOutbox
    let mailer: any SecurityMailer
    let auditLog: DeviceAuditLog
    let now: @Sendable () -> Date
    let logger: Logger

    var age: MetricDefinition { ServiceMetric.oldestMail }

    /// What one run over the events of an account has done.
    private struct Run {
        /// The last event that each recipient has got.
        var progress: [String: Int]
        /// The recipients that have not got an event, and get no later one before it.
        var postponed: Set<LinkID> = []
        var hasSent = false
        /// The first event that a recipient has not got, and why.
        var firstPostponed: (event: AccountEvent, reason: EventRejection)?
        /// How long another instance waits before it continues; `nil` if nothing is left to do now.
        var pause: TimeInterval?
    }

    /// Sends the e-mails of one account. The first one of an account costs three requests if no other waits: a read and
    /// a write of the account and the removal of the delivery.
    func deliver(_ taken: Stored<EventDelivery>) async {
        var delivery = taken as Stored<EventDelivery>?
        do {
            while let current = delivery {
                let run = try await send(current.value)
                guard !Task.isCancelled else { return }
                if let pause = run.pause {
                    return try await outbox.release(
                        current, for: pause, hasSent: run.hasSent, progress: run.progress)
                }
                if let (event, reason) = run.firstPostponed {
                    let postponed = try await outbox.postpone(
                        current, reason, isFirst: run.hasSent, progress: run.progress)
                    return logRejection(postponed, event, reason, "security e-mail refused for now")
                }
                delivery = try await outbox.finish(current)
            }
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning(
                .eventPostponed, "security e-mails of an account postponed",
                metadata: ["account": "\(taken.value.user)", "reason": "\(error)"])
        }
    }

    private func send(_ delivery: EventDelivery) async throws -> Run {
        var run = Run(progress: delivery.progress ?? [:])
        if delivery.foldsDevices, try await !auditLog.flushAllDevices(of: delivery.user) {
            run.pause = 60
            return run
        }
        guard let account = try await accounts.account(delivery.user), account.value.sendsEvents else { return run }
        let recipients = accounts.mailRecipients(of: account.value)
        var (position, last) = (account.value.firstUnsent(.mail), Int?.none)
        while run.pause == nil,
            let unsent = try await accounts.unsentEvents(of: account.value, for: .mail, from: position)
        {
            logLostEntries(unsent, of: delivery.user)
            last = unsent.through
            for event in unsent.events {
                guard delivery.hasTime(at: now()) else {
                    (run.pause, last) = (0, event.sequence - 1)
                    break
                }
                await send(event, of: account.value, to: recipients, &run)
            }
            position = unsent.through + 1
        }
        let done = run.firstPostponed.map { min($0.event.sequence - 1, last ?? 0) } ?? last
        if let done { _ = try await accounts.markSent(through: done, of: account, to: .mail) }
        return run
    }

    private func send(
        _ event: AccountEvent, of account: AccountDocument, to recipients: [MailRecipient], _ run: inout Run
    ) async {
        let waiting = recipients.filter { recipient in
            !run.postponed.contains(recipient.link) && recipient.gets(event)
                && run.progress[recipient.link.description] ?? 0 < event.sequence
        }
        guard !waiting.isEmpty else { return }
        let outcomes = await mailer.send(event, of: account, to: waiting.map(\.address))
        for (recipient, outcome) in zip(waiting, outcomes) {
            switch outcome {
            case .sent, .dropped: run.progress[recipient.link.description] = event.sequence
            case .postponed(let reason):
                run.postponed.insert(recipient.link)
                if run.firstPostponed == nil { run.firstPostponed = (event, reason) }
            }
        }
        guard outcomes.contains(.sent) else { return }
        run.hasSent = true
        logger.info(.eventSent, "security e-mail sent", metadata: metadata(event))
    }
}
