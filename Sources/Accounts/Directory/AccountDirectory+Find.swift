import ObjectStorage
import PhotolalaAPI

/// An account and the link through which an identity opens it.
package struct FoundAccount: Sendable {
    package let account: Stored<AccountDocument>
    package let link: AccountLink
}

extension AccountDirectory {
    /// The account that an identity opens, or `nil` when the identity is free. Two reads; more only where an act that
    /// stopped half-way is carried on.
    ///
    /// A claim opens an account only if the account lists its link as active, pending or revoked: pending is rolled
    /// forward, revoked becomes active by this fresh proof. Any other claim is what an act left behind; it is removed.
    package func find(_ identity: VerifiedIdentity) async throws(AccountError) -> FoundAccount? {
        let key = ObjectKey(
            known: StorageLayout.identity(identity.provider, segment: try segment(identity).segment)
        )
        guard let claim = try await claims.read(key) else { return nil }
        guard let account = try await account(claim.value.user) else {
            // By the protocol impossible: an object was lost. That must not look like a free identity.
            throw .corrupted("a claim without an account")
        }
        guard account.value.isUsable, account.value.link(claim.value.link) != nil else {
            try await claims.remove(claim, at: key)
            return nil
        }
        if account.value.link(claim.value.link)?.state == .removing {
            _ = try await finishUnlinkings(of: account)
            return nil
        }
        // Another link's trouble must not keep this one's owner out.
        let settled = (try? await finishUnlinkings(of: account)) ?? account
        guard let link = settled.value.link(claim.value.link) else { return nil }
        guard link.state != .active else { return FoundAccount(account: settled, link: link) }
        let rolledForward = try await activate(link, of: settled)
        guard let active = rolledForward.value.link(link.id), active.state == .active else { return nil }
        return FoundAccount(account: rolledForward, link: active)
    }

    /// Makes a pending or revoked link active, in one step with its audit entry.
    func activate(
        _ link: AccountLink, of account: Stored<AccountDocument>, by session: ActingSession? = nil
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account, by: session) { (document) throws(AccountError) in
            guard let current = document.link(link.id), current.state == .pending || current.state == .revoked else {
                return
            }
            document.setState(.active, ofLink: link.id)
            try document.audit.append(
                .init(
                    act: current.state == .pending ? .providerLinked : .providerReactivated, provider: link.provider,
                    link: link.id, device: session?.device, at: now()
                )
            )
        }
    }
}
