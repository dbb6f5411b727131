import Foundation
import ObjectStorage
import PhotolalaAPI

/// The next events of an account.
package struct UnsentEvents: Sendable {
    /// In the order of the chain.
    package let events: [AccountEvent]
    /// The sequence up to which there are no others.
    package let through: Int
    /// How many entries are lost or damaged: nobody knows what they told.
    package let lost: Int
}

/// The audit chain is the outbox: an account's document says from which entry on nothing was sent, and an act that is an
/// event says so by the write that does it.
extension AccountDirectory {
    private static let sentTogether = 16

    /// What is to be sent next; `nil` when nothing is. A read for each entry that the document does not hold.
    package func unsentEvents(of account: AccountDocument) async throws(AccountError) -> UnsentEvents? {
        guard let from = account.unsentEvents, from <= account.audit.sequence else { return nil }
        let through = min(account.audit.sequence, from + Self.sentTogether - 1)
        let entries = try await audit.entries(of: account, before: through + 1, limit: through - from + 1)
        return UnsentEvents(
            events: entries.reversed().compactMap { AccountEvent($0, of: account.serviceUserID) }, through: through,
            lost: through - from + 1 - entries.count
        )
    }

    /// Notes that the events up to a sequence were sent. One write, unless another sender was faster.
    package func noteSent(
        through sequence: Int, of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await swap(account) { (current) throws(AccountError) in
            var next = current
            next.passOverEvents(through: sequence)
            return next
        }
    }

    /// Keeps a delivery for an account that has events and perhaps none, because a copy stopped in between. One read, and
    /// where there are events one write. A sign-up whose claim may not stand has none: its first entry has no object.
    package func keepDelivery(of user: UserID) async throws(AccountError) {
        guard let outbox, let account = try await account(user)?.value, account.unsentEvents != nil,
            try await mayBeTold(account)
        else { return }
        try await outbox.create(user, foldsDevices: false)
    }

    /// Whether anybody may hear of an account: not of a sign-up whose claim may not stand. At most one read.
    package func mayBeTold(_ account: AccountDocument) async throws(AccountError) -> Bool {
        guard account.isUsable else { return false }
        guard account.audit.sequence == 1 else { return true }
        return try await audit.read(
            ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: 1))
        ) != nil
    }

    /// What follows a change that made the chain longer. The entries travel in the document and so does what is to be sent, so
    /// a failure here undoes nothing.
    func publish(_ account: AccountDocument, delivering: Bool) async {
        async let delivery: Void = deliver(account, delivering)
        try? await audit.writeEntries(of: account)
        await delivery
    }

    private func deliver(_ account: AccountDocument, _ delivering: Bool) async {
        guard delivering, account.audit.entries.contains(where: { EventType($0) != nil }) else { return }
        await outbox?.keep(account.serviceUserID, foldsDevices: false)
    }
}

extension AccountDocument {
    /// Notes from which of the entries just appended on there is something to send.
    mutating func noteUnsent() {
        guard unsentEvents == nil else { return }
        unsentEvents = audit.entries.first { EventType($0) != nil }?.sequence
    }

    /// Has the events up to a sequence not sent any more.
    package mutating func passOverEvents(through sequence: Int) {
        guard let from = unsentEvents, from <= sequence else { return }
        unsentEvents = sequence < audit.sequence ? sequence + 1 : nil
    }
}
