import Accounts
import Foundation
import Monitoring
import PhotolalaAPI
import Sessions

/// Links identities to accounts and unlinks them.
package struct LinkingService: Sendable {
    let identities: IdentityVerification
    let authenticator: CallerAuthenticator
    let sensitiveActions: SensitiveActionPolicy
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let auditLog: DeviceAuditLog
    let tokenLifecycle: ProviderTokenLifecycle
    let presenter: AccountPresenter
    let metrics: ServiceMetrics
    let now: @Sendable () -> Date

    /// Links another identity to the caller's account. Requires recent authentication.
    package func link(_ request: LinkRequest, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        try await metrics.countingLink(request.provider) { () async throws(ServiceError) in
            try await verifyAndLink(request, caller: caller)
        }
    }

    private func verifyAndLink(_ request: LinkRequest, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        try sensitiveActions.requireRecentAuthentication(caller, for: .link)
        let verified = try await identities.verifySignIn(
            try identities.idTokenRequest(request.provider, request.idToken, request.challenge),
            code: request.authorizationCode,
            pending: request.pendingIdentity, verifier: request.codeVerifier, .link, device: caller.device.value.id,
            user: caller.user
        )
        return try await link(verified: verified, caller: caller)
    }

    /// Links a verified identity; shared by the API and the browser pages.
    func link(verified: VerifiedSignIn, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        // Verifying may have waited for provider keys; a session that has ended since must not act.
        let caller = try await authenticator.refreshed(caller)
        try sensitiveActions.requireRecentAuthentication(caller, for: .link)
        let account = try await mapServiceErrors {
            try await accounts.link(verified.identity, to: caller.account, by: auditLog.actingSession(caller))
        }
        if let found = try await mapServiceErrors({ try await accounts.link(of: verified.identity, in: account) }) {
            try await requireSession(of: caller, orWithdraw: found)
            await tokenLifecycle.storeTokens(of: verified, for: found)
        }
        return try await presenter.linkedProviders(after: account.value)
    }

    /// Withdraws a new link if the caller's session ended while it was made. One read.
    private func requireSession(of caller: Caller, orWithdraw found: FoundAccount) async throws(ServiceError) {
        // A link that was pending before is new too: two calls may complete the same one.
        let before = caller.account.value.link(found.link.id)?.state
        guard before == nil || before == .pending else { return }
        try await mapServiceErrors {
            let device = try await sessions.devices.device(caller.device.value.id, of: caller.user)
            let state = found.account.value.sessionState(at: now())
            do { _ = try sessions.validSession(caller.session.id, on: device?.value, state) } catch {
                try await accounts.withdraw(found.link.id, from: found.account)
                throw error
            }
        }
    }

    /// Removes a link of the caller's account, at once or after the delay. Requires recent authentication. Sessions
    /// that the link opened end with it; if it ends at once, the caller's own session stays.
    package func unlink(_ request: UnlinkRequest, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        try sensitiveActions.requireRecentAuthentication(caller, for: .unlink)
        // A pending unlinking keeps the tokens; the daily check revokes the tokens of a removed link.
        let isImmediate = unlinkOutcome(of: request.linkID, caller: caller) == .immediate
        let revocation =
            isImmediate
            ? try await tokenLifecycle.scheduleRevocation(of: request.linkID, in: caller.account.value) : nil
        let account = try await mapServiceErrors {
            try await accounts.unlink(request.linkID, from: caller.account, by: auditLog.actingSession(caller))
        }
        if let revocation { tokenLifecycle.makeDue(revocation) }
        return try await presenter.linkedProviders(after: account.value)
    }

    /// Returns what a request to unlink an identity would do now; `nil` if it would be refused.
    package func unlinkOutcome(of id: LinkID, caller: Caller) -> UnlinkOutcome? {
        accounts.unlinkOutcome(of: id, from: caller.account.value, by: auditLog.actingSession(caller))
    }

    /// Cancels a pending unlinking. Recent authentication is not required: the owner may have lost the other
    /// identities, and cancelling removes nothing.
    package func undoUnlink(_ id: LinkID, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        let account = try await mapServiceErrors {
            try await accounts.undoUnlink(id, of: caller.account, by: auditLog.actingSession(caller))
        }
        return try await presenter.linkedProviders(after: account.value)
    }
}
