import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// Accounts for the identities of legacy layouts.
extension AccountDirectory {
    /// Lists an identity in the account with this id, creating the account if there is none. The oldest link is the
    /// primary.
    func importIdentity(
        _ identity: LegacyIdentity, _ names: BindingKeys, as user: UserID, claimedAt: Date
    ) async throws(AccountError) -> (account: Stored<AccountDocument>, link: AccountLink) {
        var account = try await account(user)
        let isNew = account == nil
        let newLink = try makeLink(
            names, identity.subject, user: user, state: .active, method: isNew ? .created : .support,
            linkedAt: claimedAt
        )
        let event = AuditHead.Event(
            action: isNew ? .accountCreated : .providerLinked, actor: .service, provider: identity.provider,
            link: newLink.id, at: now()
        )
        do {
            if let known = account {
                account = try await addLink(newLink, names, event, to: known)
            } else {
                account = try await write(user, with: newLink, createdAt: claimedAt, event)
            }
        } catch {
            switch error {
            case .contended, .store(.preconditionFailed):
                // Other identities of this account are imported concurrently; each conflict means that one of them has
                // finished.
                return try await importIdentity(identity, names, as: user, claimedAt: claimedAt)
            default: throw error
            }
        }
        guard let account, let link = account.value.links.first(where: { $0.matches(names) }) else {
            throw .accountNotUsable
        }
        try await audit.writeEntries(of: account.value)
        return (account, link)
    }

    private func addLink(
        _ link: AccountLink, _ names: BindingKeys, _ event: AuditHead.Event, to account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            guard !document.links.contains(where: { $0.matches(names) }) else { return }
            document.links.append(link)
            document.links.sort { ($0.linkedAt, $0.id) < ($1.linkedAt, $1.id) }
            document.primaryLinkID = document.links[0].id
            try document.audit.append(event)
        }
    }

    /// Returns whether an account was created by an import and not by a sign-up.
    func wasImported(_ account: AccountDocument) async throws(AccountError) -> Bool {
        if let first = account.audit.entries.first, first.sequence == 1 { return first.actor == .service }
        let key = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: 1))
        guard let bytes = try await audit.read(key) else { return false }
        return AuditEntry.decode(Data(bytes.readableBytesView))?.actor == .service
    }

    /// Returns whether an account is unused since its import: each entry of its audit log concerns one of its links.
    func isUntouched(_ folder: AccountFolder, _ account: AccountDocument) -> Bool {
        !folder.hasDevices && account.audit.sequence == account.links.count
    }
}
