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

    /// Returns the events to send next; `nil` if there are none. One read per entry that the document does not hold.
    package func unsentEvents(of account: AccountDocument) async throws(AccountError) -> UnsentEvents? {
        guard let from = account.unsentEvents, from <= account.audit.sequence else { return nil }
        let through = min(account.audit.sequence, from + Self.batchSize - 1)
        let entries = try await audit.entries(of: account, before: through + 1, limit: through - from + 1)
        return UnsentEvents(
            events: entries.reversed().compactMap { AccountEvent($0, of: account.serviceUserID) }, through: through,
            lost: through - from + 1 - entries.count
        )
    }

    /// Records that the events up to a sequence were sent. One write, unless another sender already recorded it.
    package func markSent(
        through sequence: Int, of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await compareAndSwap(account, if: { $0.sendsEvents }) { (current) throws(AccountError) in
            var next = current
            next.skipEvents(through: sequence)
            return next
        }
    }

    /// Stores a delivery for an account that has unsent events but may have no delivery, because an instance stopped in
    /// between. One read, plus one write if there are unsent events. Skips a sign-up whose binding may not exist: its
    /// first audit entry has no object.
    package func ensureDelivery(of user: UserID) async throws(AccountError) {
        guard let outbox, let account = try await account(user)?.value, account.unsentEvents != nil,
            try await isPublishable(account)
        else { return }
        try await outbox.create(user, foldsDevices: false)
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
        guard delivering, account.audit.entries.contains(where: { EventType($0) != nil }) else { return }
        await outbox?.enqueue(account.serviceUserID, foldsDevices: false)
    }
}

extension AccountDocument {
    /// Sets the unsent marker to the first of the appended entries that is an event.
    mutating func markUnsent() {
        guard unsentEvents == nil else { return }
        unsentEvents = audit.entries.first { EventType($0) != nil }?.sequence
    }

    /// Moves the unsent marker past the events up to a sequence.
    package mutating func skipEvents(through sequence: Int) {
        guard let from = unsentEvents, from <= sequence else { return }
        unsentEvents = sequence < audit.sequence ? sequence + 1 : nil
    }
}
