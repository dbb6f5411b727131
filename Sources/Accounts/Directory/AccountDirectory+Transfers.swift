import Foundation
import ObjectStorage
import PhotolalaAPI

/// Links whose identity gets another subject because an app moves to another developer team.
extension AccountDirectory {
    private var transfers: Documents<PreparedTransfer> { Documents(store: documents.store, retry: retry) }

    /// The account of an identity that is free under its subject and came with the id of a prepared transfer: the identity
    /// is linked to it, beside the one that it replaces. Two reads when there is one, and what linking takes.
    func adopt(_ identity: VerifiedIdentity) async throws(AccountError) -> FoundAccount? {
        guard let id = identity.transferID, let prepared = try await load(PreparedTransfer.key(id: id)),
            let (account, link) = try await standing(prepared.value, identity.provider)
        else { return nil }
        return try await adopt(identity, in: account, replacing: link)
    }

    /// Links an identity in place of another one of the same account, by the provider's word that both are one person.
    func adopt(
        _ identity: VerifiedIdentity, in account: Stored<AccountDocument>, replacing link: AccountLink
    ) async throws(AccountError) -> FoundAccount? {
        let linked = try await attach(identity, to: account, replacing: link.id)
        return try await self.link(of: identity, in: linked)
    }

    /// The account and link that a prepared transfer is about, while both stand.
    func standing(
        _ prepared: PreparedTransfer, _ provider: ProviderName
    ) async throws(AccountError) -> (Stored<AccountDocument>, AccountLink)? {
        guard now().timeIntervalSince(prepared.preparedAt) < PreparedTransfer.lifetime,
            let account = try await account(prepared.user), account.value.state == .active,
            let link = account.value.link(prepared.link), link.provider == provider,
            link.state == .active || link.state == .revoked
        else { return nil }
        return (account, link)
    }

    /// Remembers under which id a link's person will be known. Two writes; one that is there stays.
    func remember(_ id: String, of link: LinkID, _ user: UserID) async throws(AccountError) {
        let sealed = try seal(id, for: .providerSubject, user)
        let prepared = PreparedTransfer(version: 1, user: user, link: link, preparedAt: now(), sealedID: sealed)
        // The one by id first: whoever finds the other need not look for it.
        for key in [PreparedTransfer.key(id: id), PreparedTransfer.key(link)] {
            do {
                _ = try await transfers.create(key, prepared)
            } catch .preconditionFailed {
                continue
            } catch {
                throw .store(error)
            }
        }
    }

    func prepared(_ link: LinkID) async throws(AccountError) -> PreparedTransfer? {
        try await load(PreparedTransfer.key(link))?.value
    }

    /// Forgets what was prepared for a link.
    func forget(_ prepared: PreparedTransfer) async throws(AccountError) {
        var keys = [PreparedTransfer.key(prepared.link)]
        if let id = open(prepared.sealedID, for: .providerSubject, prepared.user) {
            keys.insert(PreparedTransfer.key(id: id), at: 0)
        }
        for key in keys {
            _ = try await AccountError.storing { () throws(ObjectStoreError) in
                try await documents.writes.delete(key, if: .always)
            }
        }
    }

    /// Drops the links that others have replaced; their sessions go on as those of the others.
    func settleTransfers(
        of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let settled = try await change(account) { (document) throws(AccountError) in
            for link in document.links where link.state == .active {
                guard let transfer = link.transfer, !transfer.isSettled, let old = document.link(transfer.from),
                    old.state == .active || old.state == .revoked
                else { continue }
                document.replace(old, by: link)
                try document.audit.append(
                    .init(
                        act: .providerTransferred, actor: .service, provider: link.provider, link: link.id, at: now()
                    )
                )
            }
        }
        return try await finishUnlinkings(of: settled)
    }

    private func load(_ key: ObjectKey) async throws(AccountError) -> Stored<PreparedTransfer>? {
        try await AccountError.storing { () throws(ObjectStoreError) in try await transfers.load(key) }
    }
}

extension AccountDocument {
    /// Has a link take over another one's sessions, and drops that one.
    fileprivate mutating func replace(_ old: AccountLink, by link: AccountLink) {
        changeLink(link.id) {
            $0.transfer?.isSettled = true
            guard let ended = old.history?.sessionsEndedAt, ended > $0.sessionsEndedAt else { return }
            var history = $0.history ?? LinkHistory()
            history.sessionsEndedAt = ended
            $0.history = history
        }
        if primaryLinkID == old.id { primaryLinkID = link.id }
        setState(.removing, ofLink: old.id)
    }
}
