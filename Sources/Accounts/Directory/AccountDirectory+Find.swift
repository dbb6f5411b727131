import ObjectStorage
import PhotolalaAPI

/// An account and the link of the identity that was looked up.
package struct FoundAccount: Sendable {
    package let account: Stored<AccountDocument>
    package let link: AccountLink

    package init(account: Stored<AccountDocument>, link: AccountLink) {
        self.account = account
        self.link = link
    }
}

extension AccountDirectory {
    /// Finds the account of an identity; `nil` if the identity is not linked. Two reads; more only if an interrupted
    /// operation is completed, or while identity bindings are re-keyed.
    ///
    /// A binding is valid only if the account lists its link, under this key, as active, pending or revoked: a pending
    /// link is completed, a revoked one becomes active by this new ID token. Any other binding is left over from an
    /// interrupted operation and is removed. The link of a disabled account keeps its state.
    /// - Throws: `identityTokenOutdated` for an ID token from before the provider revoked the link or ended its sessions.
    package func find(_ identity: VerifiedIdentity) async throws(AccountError) -> FoundAccount? {
        for attempt in 0..<retry.attempts {
            let resolver = try await manifestCache.resolver()
            switch try await find(identity, try resolver.keys(identity.provider, identity.subject)) {
            case .free:
                guard try await manifestCache.resolver().version != resolver.version else {
                    return try await completeTransfer(identity)
                }
            case .found(let found):
                guard try await manifestCache.resolver().version != resolver.version else {
                    return try await rollForward(found, identity)
                }
            case .changed: await retry.pause(after: attempt)
            }
        }
        throw .contended
    }

    private enum Lookup {
        case free
        case found(FoundAccount)
        /// A concurrent operation changed the link or binding that was found.
        case changed
    }

    /// Checks the new key first: if both keys are bound, the binding at the old one may come from a request that lost a
    /// race.
    private func find(_ identity: VerifiedIdentity, _ names: BindingKeys) async throws(AccountError) -> Lookup {
        for key in names.keys.reversed() {
            guard let found = try await resolve(key) else { continue }
            guard let next = names.nextKey, key != next else { return .found(found) }
            return try await bindNewKeys(found, identity.subject, to: names).map { .found($0) } ?? .changed
        }
        return .free
    }

    /// Returns the account and link of the binding at a key; a pending or revoked link keeps its state. Removes a stale
    /// binding.
    package func resolve(_ key: ObjectKey) async throws(AccountError) -> FoundAccount? {
        guard let binding = try await bindings.read(key) else { return nil }
        guard let account = try await account(binding.value.user) else {
            // A writer that was interrupted for hours may leave a binding after a purge.
            guard try await erasures.entry(of: binding.value.user) == nil else {
                try await bindings.remove(binding, at: key)
                return nil
            }
            // The protocol excludes this state, so an object was lost. The identity must not appear to be free.
            throw .corrupted("identity binding without an account")
        }
        // An account that was deleted before had no bindings any more.
        guard account.value.lists(binding.value, at: key), try await !isErased(account.value),
            let link = account.value.link(binding.value.link)
        else {
            try await bindings.remove(binding, at: key)
            return nil
        }
        guard link.state != .removing, !account.value.isUnlinked(link, at: now()) else {
            let updated = try await finishUnlinkings(of: account)
            // The unlink may have been undone concurrently.
            guard let remaining = updated.value.link(link.id), remaining.state != .removing else { return nil }
            return FoundAccount(account: updated, link: remaining)
        }
        // A failed pending unlink must not block sign-in.
        let updated = (try? await finishUnlinkings(of: account)) ?? account
        return updated.value.link(link.id).map { FoundAccount(account: updated, link: $0) }
    }

    private func rollForward(
        _ found: FoundAccount, _ identity: VerifiedIdentity
    ) async throws(AccountError) -> FoundAccount? {
        guard !found.link.invalidatesToken(identity.issuedAt) else { throw .identityTokenOutdated }
        // A sign-in that will be refused must not reactivate the link.
        guard found.account.value.disabled == nil else { return found }
        guard found.link.state != .active else { return found }
        let account = try await activate(found.link, of: found.account)
        guard let link = account.value.link(found.link.id), link.state == .active else { return nil }
        return FoundAccount(account: account, link: link)
    }

    /// Makes a pending or revoked link active, in one write with its audit entry.
    package func activate(
        _ link: AccountLink, of account: Stored<AccountDocument>, by session: ActingSession? = nil
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account, by: session) { (document) throws(AccountError) in
            guard let current = document.link(link.id), current.state == .pending || current.state == .revoked else {
                return
            }
            document.changeLink(link.id) {
                $0.state = .active
                guard $0.history != nil else { return }
                $0.history?.revocation = nil
                $0.history?.reactivatedAt = now()
            }
            let action: AuditAction = current.state == .pending ? .providerLinked : .providerReactivated
            guard let arriving = document.arrival, arriving.link == link.id,
                let reason = arriving.completion.flatMap({ OperatorReason($0) })
            else {
                return try document.audit.append(
                    .init(action: action, provider: link.provider, link: link.id, device: session?.device, at: now()))
            }
            try document.audit.append(
                .init(action: action, reason: reason, provider: link.provider, link: link.id, at: now()))
        }
    }
}
