import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Unlinks an identity: lists it as removing, deletes its binding, removes it from the list. The first step ends
    /// the sessions that it opened, except the requesting one. If the unlink could lock the owner out, the link is
    /// listed as pending instead and ends after `unlinkDelay`; a repeated request then changes nothing, unless it is
    /// that of an older identity.
    /// - Throws: `noSuchLink`, `lastProvider`, `unlinkPending`, `sessionEnded`, `authenticationEnded`.
    package func unlink(
        _ id: LinkID, from account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let time = now()
        let removing = try await change(account, by: session) { (document) throws(AccountError) in
            try document.requireValid(session, at: time)
            // Without the link, a concurrent request finished what this one began, or our own attempt whose response was
            // lost.
            if document.link(id) == nil, account.value.link(id) != nil { return }
            _ = try document.unlink(id, by: session, unlinkDelay, at: time)
        }
        return try await finishUnlinkings(of: removing)
    }

    /// Completes every unlink of an account that is due or was interrupted. No request if there is none.
    package func finishUnlinkings(
        of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        var updated = try await startDueUnlinks(of: account)
        for link in updated.value.links where link.state == .removing {
            updated = try await finishUnlinking(link.id, of: updated)
        }
        return updated
    }

    /// Resumes an unlink from any step.
    package func finishUnlinking(
        _ id: LinkID, of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        guard let link = account.value.link(id) else { return account }
        let user = account.value.serviceUserID
        try await bindings.remove(IdentityBinding(user: user, link: id), under: link.bindingKeys)
        try? await emailHints.remove(of: link, user: user)
        return try await change(account) { (document) throws(AccountError) in
            guard let removed = document.links.first(where: { $0.id == id && $0.state == .removing }) else { return }
            document.links.removeAll { $0 == removed }
            keepAddress(of: removed, in: &document)
        }
    }
}
