import Foundation
import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Links an identity to an account: lists it as pending, writes its binding, lists it as active. Linking an
    /// identity that is already linked succeeds and undoes its pending unlink.
    /// - Throws: `identityTaken` if it is bound to another account; the attempt is then withdrawn completely.
    ///   `unlinkPending` in a session whose own identity is being unlinked, or while an older identity blocks linking.
    ///   `sessionEnded`, `authenticationEnded`.
    package func link(
        _ identity: VerifiedIdentity, to account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        if let found = try await find(identity) {
            guard found.account.value.serviceUserID != account.value.serviceUserID else {
                return try await undoUnlink(found.link.id, of: found.account, by: session)
            }
            try await withdraw(
                try await manifestCache.resolver().keys(identity.provider, identity.subject), from: account)
            throw .identityTaken
        }
        return try await attach(identity, to: account, by: session)
    }

    /// Links an identity that was just found to be free.
    /// - Parameters:
    ///   - session: the requesting session, if the owner requests the link.
    ///   - replaced: the link of the same user's earlier subject, in an Apple team transfer.
    ///   - arriving: the move that brings the identity, and when its sessions and tokens last became invalid.
    func attach(
        _ identity: VerifiedIdentity, to account: Stored<AccountDocument>, by session: ActingSession? = nil,
        replacing replaced: LinkID? = nil, arriving: (move: UUID, sessionsEndedAt: Date?)? = nil
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        let names = try await manifestCache.resolver().keys(identity.provider, identity.subject)
        var newLink = try makeLink(
            identity, names, user: user, state: .pending, method: arriving == nil ? .userInitiated : .support)
        newLink.device = session?.device
        newLink.linkedBy = session?.authority
        newLink.transfer = replaced.map { LinkTransfer(from: [$0], isSettled: false) }
        newLink.history = arriving?.sessionsEndedAt.map { LinkHistory(sessionsEndedAt: $0) }
        let time = now()
        var link = newLink
        let pending = try await change(account) { [newLink] (document) throws(AccountError) in
            if let session {
                try document.requireValid(session, at: time)
                // An identity with a pending unlink must not add its own successor.
                guard !document.isSuspended(session), !document.isLinkingBlocked(in: session, at: time) else {
                    throw .unlinkPending
                }
            }
            guard document.state == .active else { throw .accountNotUsable }
            guard arriving == nil || document.arrival?.move == arriving?.move else { throw .noIdentityMove }
            let old = replaced.flatMap { document.link($0) }
            guard replaced == nil || old?.state == .active || old?.state == .revoked else { throw .noSuchLink }
            // A link of an earlier attempt, or one whose binding was lost: its binding is written again.
            if let earlier = document.links.first(where: { $0.matches(names) && $0.state != .removing }) {
                document.changeLink(earlier.id) {
                    $0.updateKeys(names, newLink.sealedSubject)
                    if $0.transfer == nil, $0.id != replaced { $0.transfer = newLink.transfer }
                }
                link = document.link(earlier.id) ?? earlier
            } else {
                guard document.links.count < AccountDocument.maximumLinks || replaced != nil else {
                    throw .tooManyLinks
                }
                link = newLink
                // Tokens from before the end of the old link's sessions are also refused for the new link.
                if let ended = old?.history?.sessionsEndedAt { link.history = LinkHistory(sessionsEndedAt: ended) }
                link.pendingUnlink = old?.pendingUnlink
                document.links.append(link)
            }
            if arriving != nil { document.arrival?.link = link.id }
        }
        return try await bind(link, identity, for: pending, by: session)
    }

    private func bind(
        _ link: AccountLink, _ identity: VerifiedIdentity, for pending: Stored<AccountDocument>,
        by session: ActingSession?
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = pending.value.serviceUserID
        let binding = IdentityBinding(user: user, link: link.id)
        for attempt in 0..<retry.attempts {
            switch try await bindings.write(binding, under: link.bindingKeys) {
            case .owned:
                try? await emailHints.create(for: link, user: user)
                return try await confirm(link, identity, binding: binding, for: pending, by: session)
            case .ownedByOther:
                if let owner = try await find(identity) {
                    guard owner.account.value.serviceUserID != user else { return owner.account }
                    if link.nextSegment != nil, link.state == .pending {
                        try await bindings.remove(binding, under: link.bindingKeys)
                    }
                    try await withdraw(link.bindingKeys, from: pending)
                    throw .identityTaken
                }
            }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    /// Reads the account again after the binding and the hint were written. Activates the link, or removes both if the
    /// account, the link or the session is gone.
    private func confirm(
        _ link: AccountLink, _ identity: VerifiedIdentity, binding: IdentityBinding,
        for pending: Stored<AccountDocument>,
        by session: ActingSession?
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let account = try await account(binding.user)
        if let account, account.value.state == .active {
            if try await isBound(link, identity) {
                let activated = try await activate(link, of: account, by: session)
                if activated.value.link(link.id)?.state == .active { return activated }
            } else if let found = try await find(identity), found.link.id == link.id {
                return found.account
            }
        }
        try await bindings.remove(binding, under: link.bindingKeys)
        try? await emailHints.remove(of: link, user: binding.user)
        guard let account, account.value.state == .active else {
            _ = try? await withdraw(link.bindingKeys, from: account ?? pending)
            throw .accountNotUsable
        }
        if let session { try account.value.requireValid(session, at: now()) }
        // The owner unlinked it concurrently elsewhere; the session is still valid.
        throw .contended
    }

    /// Removes a link that a session made after it had ended. Removing a device and linking write different objects, so
    /// both can succeed in either order.
    package func withdraw(_ id: LinkID, from account: Stored<AccountDocument>) async throws(AccountError) {
        let time = now()
        let removing = try await change(account) { (document) throws(AccountError) in
            guard let link = document.link(id), link.state == .active,
                document.remainingLinks.contains(where: { $0.id != id })
            else { return }
            try document.remove(link, at: time)
        }
        _ = try await finishUnlinkings(of: removing)
    }

    /// Removes the pending link of an identity that is bound to another account.
    private func withdraw(_ names: BindingKeys, from account: Stored<AccountDocument>) async throws(AccountError) {
        _ = try await change(account) { (document) throws(AccountError) in
            document.links.removeAll { $0.matches(names) && $0.state == .pending }
        }
    }
}
