import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Links an identity to an account: listed as pending, claimed, listed as active. Linking what is linked already
    /// succeeds.
    /// - Throws: `identityTaken` when another account has it; nothing is left of the try then. `sessionEnded`.
    package func link(
        _ identity: VerifiedIdentity, to account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        let segment = try segment(identity).segment
        if let found = try await find(identity) {
            guard found.account.value.serviceUserID != user else { return found.account }
            try await withdraw(identity.provider, segment, from: account)
            throw .identityTaken
        }
        let fresh = try makeLink(identity, user: user, state: .pending, method: .userInitiated)
        var link = fresh
        let pending = try await change(account) { (document) throws(AccountError) in
            try document.require(session)
            guard document.state == .active else { throw .accountNotUsable }
            let earlier = document.links.first {
                $0.provider == identity.provider && $0.segment == segment && $0.state != .removing
            }
            // An earlier try of ours, or a link whose claim was lost: its claim is written again.
            link = earlier ?? fresh
            if earlier == nil { document.links.append(fresh) }
        }
        return try await claim(link, identity, for: pending, by: session)
    }

    private func claim(
        _ link: AccountLink, _ identity: VerifiedIdentity, for pending: Stored<AccountDocument>,
        by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = pending.value.serviceUserID
        let claim = Claim(user: user, link: link.id)
        for attempt in 0..<retry.attempts {
            switch try await claims.write(claim, at: link.claimKey) {
            case .ours:
                try? await emailHints.leave(for: link, user: user)
                return try await confirm(link, claim: claim, for: pending, by: session)
            case .taken:
                if let owner = try await find(identity) {
                    guard owner.account.value.serviceUserID != user else { return owner.account }
                    try await withdraw(link.provider, link.segment, from: pending)
                    throw .identityTaken
                }
            }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    /// Reads the account again after the claim and the hint were written: active if all stands, taken back if the
    /// account, the link or the session went meanwhile.
    private func confirm(
        _ link: AccountLink, claim: Claim, for pending: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let account = try await account(claim.user)
        if let account, account.value.state == .active {
            let settled = try await activate(link, of: account, by: session)
            if settled.value.link(link.id)?.state == .active { return settled }
        }
        try await claims.remove(claim, at: link.claimKey)
        try? await emailHints.remove(of: link, user: claim.user)
        guard let account, account.value.state == .active else {
            _ = try? await withdraw(link.provider, link.segment, from: account ?? pending)
            throw .accountNotUsable
        }
        try account.value.require(session)
        // The owner unlinked it elsewhere in this very moment: the session is as good as before.
        throw .contended
    }

    /// Takes the pending entry of an identity that went to somebody else off the account.
    private func withdraw(
        _ provider: ProviderName, _ segment: String, from account: Stored<AccountDocument>
    ) async throws(AccountError) {
        _ = try await change(account) { (document) throws(AccountError) in
            document.links.removeAll { $0.provider == provider && $0.segment == segment && $0.state == .pending }
        }
    }
}
