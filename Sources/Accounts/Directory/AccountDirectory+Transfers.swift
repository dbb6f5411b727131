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
        guard !link.isOver(identity.issuedAt) else { throw .proofOutdated }
        do {
            return try await adopt(identity, in: account, replacing: link)
        } catch .noSuchLink {
            // Its owner unlinked it in this very moment: the identity is free.
            return nil
        }
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

    /// Remembers under which id a link's person will be known, in place of what was known before.
    func remember(_ id: String, at team: String, of link: LinkID, _ user: UserID) async throws(AccountError) {
        let sealed = try seal(id, for: .providerSubject, user)
        let prepared = PreparedTransfer(
            version: 1, user: user, link: link, team: team, preparedAt: now(), sealedID: sealed)
        // The one by id first: whoever finds the other need not look for it.
        try await write(prepared, at: PreparedTransfer.key(id: id))
        try await write(prepared, at: PreparedTransfer.key(link))
    }

    private func write(_ prepared: PreparedTransfer, at key: ObjectKey) async throws(AccountError) {
        for attempt in 0..<retry.attempts {
            do {
                if let known = try await transfers.load(key) {
                    _ = try await transfers.replace(key, known, with: prepared)
                } else {
                    _ = try await transfers.create(key, prepared)
                }
                return
            } catch .preconditionFailed {
                await retry.pause(after: attempt)
            } catch {
                throw .store(error)
            }
        }
        throw .contended
    }

    /// Whether a link's id at another team was asked for. One read.
    package func isPrepared(_ link: LinkID) async throws(AccountError) -> Bool { try await prepared(link) != nil }

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
            for link in document.links where link.state == .active || link.state == .revoked {
                guard let transfer = link.transfer, !transfer.isSettled,
                    let old = transfer.from.first.flatMap({ document.link($0) }),
                    old.state == .active || old.state == .revoked
                else { continue }
                document.replace(old, by: link)
                for (act, link) in [(AuditAct.providerTransferred, link.id), (.providerUnlinked, old.id)] {
                    try document.audit.append(
                        .init(act: act, actor: .service, provider: old.provider, link: link, at: now()))
                }
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
            $0.transfer?.from += old.transfer?.from ?? []
            $0.transfer?.sessionsEndedAt = max(old.sessionsEndedAt, old.transfer?.sessionsEndedAt ?? .distantPast)
        }
        if primaryLinkID == old.id { primaryLinkID = link.id }
        setState(.removing, ofLink: old.id)
        // It is as old an identity as the one that it replaces.
        if let place = links.firstIndex(where: { $0.id == old.id }),
            let newPlace = links.firstIndex(where: { $0.id == link.id }), place < newPlace
        {
            links.insert(links.remove(at: newPlace), at: place)
        }
    }
}
