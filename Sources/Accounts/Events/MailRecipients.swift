import Foundation
import PhotolalaAPI

/// An address that gets an account's security e-mails.
package struct MailRecipient: Sendable, Equatable {
    /// The identity with which the provider verified it.
    package let link: LinkID
    package let address: String
    /// It gets e-mails about events from this time on.
    let since: Date
    /// The sequence of the last event about which it gets e-mail; `nil` without an end.
    let through: Int?

    /// Returns whether it gets e-mail about an event: one from the time in which its identity was linked.
    package func gets(_ event: AccountEvent) -> Bool {
        event.at >= since && event.sequence <= through ?? .max
    }
}

/// The address of an unlinked identity, which gets the e-mails about events up to its unlink.
package struct UnlinkedAddress: Codable, Sendable, Equatable {
    package let link: LinkID
    let sealedEmail: String
    let linkedAt: Date
    /// The sequence of the last audit entry when the identity left the account.
    let through: Int
}

extension AccountLink {
    /// Whether its provider verified its address, and no relay refuses mail to it.
    fileprivate var receivesMail: Bool {
        isEmailVerified ?? (emailHint != nil) && history?.mailForwarding?.isOn != false
    }
}

extension AccountDirectory {
    /// The largest number of addresses that get an account's e-mails, and of unlinked ones that are kept.
    private static let mostRecipients = 8

    /// Returns the recipients of an account's security e-mails, each address once: those of unlinked identities while
    /// e-mails about the unlinks are unsent, then those of the oldest identities. An identity that an attacker links
    /// displaces none of them.
    package func mailRecipients(of account: AccountDocument) -> [MailRecipient] {
        let user = account.serviceUserID
        let linked = account.links.filter { $0.state != .pending && $0.receivesMail }.compactMap { link in
            link.sealedEmail.flatMap { open($0, for: .emailAddress, user) }.map {
                MailRecipient(link: link.id, address: $0, since: link.linkedAt, through: nil)
            }
        }
        let unlinked = (account.unlinkedAddresses ?? []).compactMap { kept in
            open(kept.sealedEmail, for: .emailAddress, user).map {
                MailRecipient(link: kept.link, address: $0, since: kept.linkedAt, through: kept.through)
            }
        }
        var seen: Set<String> = []
        // An address that is still linked gets all e-mails.
        let present = linked.filter { seen.insert($0.address.lowercased()).inserted }
        let left = unlinked.filter { !seen.contains($0.address.lowercased()) }
        return left + present.prefix(Self.mostRecipients)
    }

    /// Keeps the address of an identity that leaves an account, if a security e-mail, which may be about that, is not
    /// sent yet. Of many addresses, those of the oldest identities are kept.
    func keepAddress(of link: AccountLink, in account: inout AccountDocument) {
        guard mailOutbox != nil, account.unsentMail != nil, link.receivesMail, let sealed = link.sealedEmail,
            let address = email(of: link, user: account.serviceUserID)
        else { return }
        let user = account.serviceUserID
        var kept = account.unlinkedAddresses ?? []
        let same = kept.firstIndex {
            open($0.sealedEmail, for: .emailAddress, user)?.lowercased() == address.lowercased()
        }
        let earlier = same.map { kept.remove(at: $0) }
        kept.append(
            UnlinkedAddress(
                link: earlier?.link ?? link.id, sealedEmail: sealed,
                linkedAt: min(link.linkedAt, earlier?.linkedAt ?? link.linkedAt), through: account.audit.sequence))
        account.unlinkedAddresses = Array(kept.sorted { $0.linkedAt < $1.linkedAt }.prefix(Self.mostRecipients))
    }
}
