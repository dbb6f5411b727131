import Foundation
import ObjectStorage
import PhotolalaAPI

/// The next unsent events of an account.
package struct UnsentEvents: Sendable {
    /// In the order of the audit log.
    package let events: [AccountEvent]
    /// The sequence of the last entry that was examined.
    package let through: Int
    /// The number of lost or damaged entries, whose events are unknown.
    package let lost: Int
}

/// The audit log is the outbox: an account document names the first entry whose event is unsent, and the write that
/// performs an action also updates that marker.
extension AccountDirectory {
    private static let batchSize = 16

    /// Returns the events to send next to a channel; `nil` if there are none. One read per entry that the document does
    /// not hold.
    /// - Parameter position: the sequence to begin at; `nil` for the first unsent one.
    package func unsentEvents(
        of account: AccountDocument, for channel: EventChannel = .webhook, from position: Int? = nil
    ) async throws(AccountError) -> UnsentEvents? {
        guard let first = account.firstUnsent(channel) else { return nil }
        let from = max(first, position ?? first)
        guard from <= account.audit.sequence else { return nil }
        let through = min(account.audit.sequence, from + Self.batchSize - 1)
        let entries = try await audit.entries(of: account, before: through + 1, limit: through - from + 1)
        return UnsentEvents(
            events: entries.reversed().filter(channel.includes).compactMap {
                AccountEvent($0, of: account.serviceUserID)
            },
            through: through,
            lost: through - from + 1 - entries.count
        )
    }

    /// Records that the events up to a sequence were sent to a channel. One write, unless another sender already
    /// recorded it.
    package func markSent(
        through sequence: Int, of account: Stored<AccountDocument>, to channel: EventChannel = .webhook
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await compareAndSwap(account, if: { $0.sendsEvents }) { (current) throws(AccountError) in
            var next = current
            next.skipEvents(through: sequence, of: channel)
            return next
        }
    }

    /// Stores the deliveries of an account that has unsent events but may have none, because an instance stopped in
    /// between. One read, plus one write for each channel with unsent events. Skips a sign-up whose binding may not
    /// exist: its first audit entry has no object.
    package func ensureDelivery(of user: UserID) async throws(AccountError) {
        guard !outboxes.isEmpty, let account = try await account(user)?.value else { return }
        let waiting = outboxes.filter { account.firstUnsent($0.channel) != nil }
        guard !waiting.isEmpty, try await isPublishable(account) else { return }
        for outbox in waiting { try await outbox.create(user, foldsDevices: false) }
    }

    /// Returns whether events of an account may be sent; `false` for a sign-up whose binding may not exist. At most one
    /// read.
    package func isPublishable(_ account: AccountDocument) async throws(AccountError) -> Bool {
        guard account.sendsEvents else { return false }
        guard account.audit.sequence == 1 else { return true }
        return try await audit.read(
            ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: 1))
        ) != nil
    }

    /// Writes audit entries and a delivery after a change that appended to the log. The document already holds the
    /// entries and the unsent marker, so a failure here loses nothing.
    func publish(_ account: AccountDocument, delivering: Bool) async {
        async let delivery: Void = deliver(account, delivering)
        try? await audit.writeEntries(of: account)
        await delivery
    }

    private func deliver(_ account: AccountDocument, _ delivering: Bool) async {
        guard delivering else { return }
        for outbox in outboxes where account.audit.entries.contains(where: outbox.channel.includes) {
            await outbox.enqueue(account.serviceUserID, foldsDevices: false)
        }
    }

    /// Schedules the delivery of an event that is pending in a device record and not in the log yet.
    package func enqueueDeviceEvents(of user: UserID) async {
        for outbox in outboxes { await outbox.enqueue(user, foldsDevices: true) }
    }
}
