import Foundation
import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// After this time an unsent security e-mail is not kept, in seconds.
    private static let mailRetention: TimeInterval = 4 * 86_400

    /// Forgets the old unsent e-mails of an account if this deployment sends none any more: their marker, the kept
    /// addresses of unlinked identities and the delivery. Without a marker no request; otherwise one read per entry
    /// that the document does not hold, and for old ones a write and a removal.
    package func dropExpiredMail(
        of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        guard mailOutbox == nil, account.value.sendsEvents, let first = account.value.firstUnsent(.mail) else {
            return account
        }
        let limit = now().addingTimeInterval(-Self.mailRetention)
        var position = first
        while let unsent = try await unsentEvents(of: account.value, for: .mail, from: position) {
            if let recent = unsent.events.first(where: { $0.at > limit }) {
                position = recent.sequence
                break
            }
            position = unsent.through + 1
        }
        guard position > first else { return account }
        if position > account.value.audit.sequence {
            // Before the marker, so that an interrupted removal is repeated.
            _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                try await documents.writes.delete(
                    EventChannel.mail.delivery(account.value.serviceUserID), if: .always)
            }
        }
        return try await markSent(through: position - 1, of: account, to: .mail)
    }
}
