import Foundation
import ObjectStorage
import PhotolalaAPI

/// Links whose identity gets another subject because an app moves to another Apple developer team.
extension AccountDirectory {
    private var transfers: Documents<PreparedTransfer> { Documents(store: documents.store, retry: retry) }

    /// Returns the account of an identity whose subject is free but whose token carries the id of a prepared team
    /// transfer. The identity is linked beside the one that it replaces. Two reads if there is a prepared transfer,
    /// plus the cost of linking.
    func completeTransfer(_ identity: VerifiedIdentity) async throws(AccountError) -> FoundAccount? {
        guard let id = identity.transferID, let prepared = try await load(PreparedTransfer.key(id: id)),
            let (account, link) = try await transferTarget(prepared.value, identity.provider)
        else { return nil }
        guard !link.invalidatesToken(identity.issuedAt) else { throw .identityTokenOutdated }
        do {
            return try await replaceTransferredLink(identity, in: account, replacing: link)
        } catch .noSuchLink {
            // The owner unlinked it concurrently: the identity is free.
            return nil
        }
    }

    /// Links an identity in place of another one of the same account; the provider states that both belong to the same
    /// user.
    package func replaceTransferredLink(
        _ identity: VerifiedIdentity, in account: Stored<AccountDocument>, replacing link: AccountLink
    ) async throws(AccountError) -> FoundAccount? {
        let linked = try await attach(identity, to: account, replacing: link.id)
        return try await self.link(of: identity, in: linked)
    }

    /// Returns the account and link of a prepared transfer, if both are still usable and the transfer has not expired.
    func transferTarget(
        _ prepared: PreparedTransfer, _ provider: ProviderName
    ) async throws(AccountError) -> (Stored<AccountDocument>, AccountLink)? {
        guard now().timeIntervalSince(prepared.preparedAt) < PreparedTransfer.lifetime,
            let account = try await account(prepared.user), account.value.state == .active,
            let link = account.value.link(prepared.link), link.provider == provider,
            link.state == .active || link.state == .revoked
        else { return nil }
        return (account, link)
    }

    /// Stores the id by which a link's user will be known, replacing an earlier one.
    package func storeTransferID(_ id: String, at team: String, of link: LinkID, _ user: UserID)
        async throws(AccountError)
    {
        let sealed = try seal(id, for: .providerSubject, user)
        let prepared = PreparedTransfer(
            version: 1, user: user, link: link, team: team, preparedAt: now(), sealedID: sealed)
        // The object under the id is written first: the object under the link exists only if the first does.
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

    /// Returns whether a link's id at another team was requested. One read.
    package func hasPreparedTransfer(_ link: LinkID) async throws(AccountError) -> Bool {
        try await preparedTransfer(link) != nil
    }

    package func preparedTransfer(_ link: LinkID) async throws(AccountError) -> PreparedTransfer? {
        try await load(PreparedTransfer.key(link))?.value
    }

    /// Deletes the prepared transfer of a link.
    package func removePreparedTransfer(_ prepared: PreparedTransfer) async throws(AccountError) {
        for key in keys(of: prepared) {
            _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                try await documents.writes.delete(key, if: .always)
            }
        }
    }

    /// Returns the keys of an account's prepared transfers. One read for each link.
    package func transferKeys(of account: AccountDocument) async throws(AccountError) -> [ObjectKey] {
        var all: [ObjectKey] = []
        for link in account.links {
            let prepared: Stored<PreparedTransfer>?
            do {
                prepared = try await transfers.load(PreparedTransfer.key(link.id))
            } catch .corrupted {
                all.append(PreparedTransfer.key(link.id))
                continue
            } catch {
                throw .store(error)
            }
            if let prepared { all += keys(of: prepared.value) }
        }
        return all
    }

    /// Returns the keys of a prepared transfer, the one that finds the others last.
    private func keys(of prepared: PreparedTransfer) -> [ObjectKey] {
        let id = open(prepared.sealedID, for: .providerSubject, prepared.user)
        return (id.map { [PreparedTransfer.key(id: $0)] } ?? []) + [PreparedTransfer.key(prepared.link)]
    }

    /// Removes the links that others have replaced; their sessions continue under the replacements.
    package func finishTransfers(
        of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let updated = try await change(account) { (document) throws(AccountError) in
            for link in document.links where link.state == .active || link.state == .revoked {
                guard let transfer = link.transfer, !transfer.isSettled,
                    let old = transfer.from.first.flatMap({ document.link($0) }),
                    old.state == .active || old.state == .revoked
                else { continue }
                document.replace(old, by: link)
                for (action, link) in [(AuditAction.providerTransferred, link.id), (.providerUnlinked, old.id)] {
                    try document.audit.append(
                        .init(action: action, actor: .service, provider: old.provider, link: link, at: now()))
                }
            }
        }
        return try await finishUnlinkings(of: updated)
    }

    private func load(_ key: ObjectKey) async throws(AccountError) -> Stored<PreparedTransfer>? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await transfers.load(key) }
    }
}

extension AccountDocument {
    /// Moves the sessions of a link to its replacement and removes the link.
    fileprivate mutating func replace(_ old: AccountLink, by link: AccountLink) {
        changeLink(link.id) {
            $0.transfer?.isSettled = true
            $0.transfer?.from += old.transfer?.from ?? []
            $0.transfer?.sessionsEndedAt = max(old.sessionsEndedAt, old.transfer?.sessionsEndedAt ?? .distantPast)
        }
        if primaryLinkID == old.id { primaryLinkID = link.id }
        setState(.removing, ofLink: old.id)
        // The replacement counts as old as the identity it replaces.
        if let index = links.firstIndex(where: { $0.id == old.id }),
            let newIndex = links.firstIndex(where: { $0.id == link.id }), index < newIndex
        {
            links.insert(links.remove(at: newIndex), at: index)
        }
    }
}
