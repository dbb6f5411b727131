import Foundation
import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Returns the account and link of an identity without counting as authentication: a pending or revoked link keeps
    /// its state. Two reads, more while identity bindings are re-keyed.
    package func lookUp(
        _ provider: ProviderName, _ subject: String
    ) async throws(AccountError) -> FoundAccount? {
        for key in try await manifestCache.resolver().keys(provider, subject).keys.reversed() {
            if let found = try await resolve(key) { return found }
        }
        return nil
    }

    /// Applies a provider event to a link. A repeated event, or one from before the link was made or reactivated,
    /// changes nothing. One write if something changes; two requests more for the deletion of the provider's account.
    ///
    /// The deletion of the provider's account schedules that of this account only if no other identity opens it.
    /// - Returns: the account with the changed link; `nil` if the link is gone.
    package func apply(
        _ event: ProviderEvent, of found: FoundAccount
    ) async throws(AccountError) -> FoundAccount? {
        let id = found.link.id
        // Also for an account that is being deleted: its owner may cancel that at this moment.
        if event.kind == .accountDeleted {
            try await deletions.schedule(found.account.value.serviceUserID, at: now())
        }
        let deletion = randomness.uuid()
        let account = try await change(found.account) { (document) throws(AccountError) in
            guard let named = document.link(id) else { return }
            for link in [named] + document.counterparts(of: named)
            where (link.state == .active || link.state == .revoked) && event.at >= link.verifiedAt {
                for action in document.apply(event, for: link, at: now()) {
                    try document.audit.append(
                        .init(action: action, actor: .provider, provider: link.provider, link: link.id, at: now())
                    )
                }
                guard event.kind == .accountDeleted, document.state == .active, document.activeLinks.isEmpty,
                    document.requestsDeletion(event, for: link)
                else { continue }
                try document.scheduleDeletion(
                    deletion, at: now(), undoPeriod: deletionUndoPeriod,
                    .init(
                        action: .deletionRequested, actor: .provider, provider: link.provider, link: link.id,
                        effectiveAt: now().addingTimeInterval(deletionUndoPeriod), at: now()))
            }
        }
        return account.value.link(id).map { FoundAccount(account: account, link: $0) }
    }

    /// Returns the active link of an identity in an account.
    package func link(
        of identity: VerifiedIdentity, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> FoundAccount? {
        let names = try await manifestCache.resolver().keys(identity.provider, identity.subject)
        return account.value.activeLinks.first { $0.matches(names) }.map { FoundAccount(account: account, link: $0) }
    }

    /// Returns whether a link belongs to an identity.
    package func isIdentity(_ identity: VerifiedIdentity, of link: AccountLink) async throws(AccountError) -> Bool {
        link.matches(try await manifestCache.resolver().keys(identity.provider, identity.subject))
    }
}

extension AccountDocument {
    /// Applies an event to a link and its account.
    /// - Returns: the audit events of the change.
    fileprivate mutating func apply(_ event: ProviderEvent, for link: AccountLink, at time: Date) -> [AuditAction] {
        switch event.kind {
        case .consentRevoked: return revoke(link, .consentRevoked, event, at: time)
        case .accountPurged: return revoke(link, .accountPurged, event, at: time)
        case .accountDisabled: return revoke(link, .accountDisabled, event, at: time)
        case .accountDeleted: return revoke(link, .accountDeleted, event, at: time)
        case .accountEnabled:
            guard link.state == .revoked, let revocation = link.history?.revocation,
                revocation.reason == .accountDisabled, event.at >= revocation.at
            else { return [] }
            changeLink(link.id) {
                $0.state = .active
                $0.history?.revocation = nil
                $0.history?.reactivatedAt = event.at
            }
            return [.providerReactivated]
        case .sessionsRevoked:
            return endSessions(of: link, until: min(event.at, time)) ? [.providerSessionsEnded] : []
        case .mailForwarding(let isOn):
            guard event.at > link.history?.mailForwarding?.at ?? .distantPast else { return [] }
            updateHistory(of: link) { $0.mailForwarding = MailForwarding(isOn: isOn, at: event.at) }
            return []
        }
    }

    /// Records that a provider passed on a request to delete the account.
    /// - Returns: `false` for a request that is recorded already.
    fileprivate mutating func requestsDeletion(_ event: ProviderEvent, for link: AccountLink) -> Bool {
        guard event.at > self.link(link.id)?.history?.deletionRequestedAt ?? .distantPast else { return false }
        updateHistory(of: link) { $0.deletionRequestedAt = event.at }
        return true
    }

    private mutating func revoke(
        _ link: AccountLink, _ reason: LinkRevocation.Reason, _ event: ProviderEvent, at time: Date
    ) -> [AuditAction] {
        guard link.state == .active, event.at > link.history?.withdrawnAt ?? .distantPast else { return [] }
        setState(.revoked, ofLink: link.id)
        updateHistory(of: link) {
            $0.revocation = LinkRevocation(reason: reason, at: event.at)
            $0.withdrawnAt = event.at
        }
        // Reactivating the link must not revive these sessions.
        _ = endSessions(of: link, until: time)
        return [.providerRevoked]
    }

    /// - Returns: whether the end moved forward.
    private mutating func endSessions(of link: AccountLink, until time: Date) -> Bool {
        // Dates are stored in whole seconds.
        let end = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        guard end > link.sessionsEndedAt else { return false }
        updateHistory(of: link) { $0.sessionsEndedAt = end }
        return true
    }

    fileprivate mutating func updateHistory(of link: AccountLink, _ mutate: (inout LinkHistory) -> Void) {
        changeLink(link.id) {
            var history = $0.history ?? LinkHistory()
            mutate(&history)
            $0.history = history
        }
    }
}
