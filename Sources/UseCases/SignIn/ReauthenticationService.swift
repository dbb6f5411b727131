import Accounts
import PhotolalaAPI
import Sessions

/// Authenticates the user of a session again.
package struct ReauthenticationService: Sendable {
    let identities: IdentityVerification
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let auditLog: DeviceAuditLog
    let sensitiveActions: SensitiveActionPolicy

    /// Authenticates the user of the caller's account again; the session continues with a new `auth_time`.
    package func reauthenticate(
        _ request: ReauthenticationRequest, caller: Caller
    ) async throws(ServiceError) -> Reauthenticated {
        let verified = try await identities.verifySignIn(
            try identities.idTokenRequest(request.provider, request.idToken, request.challenge), code: nil,
            pending: request.pendingIdentity, verifier: request.codeVerifier, .reauthenticate,
            device: caller.device.value.id, user: caller.user
        )
        return try await reauthenticate(verified: verified.identity, caller: caller)
    }

    /// Records the authentication of a verified identity, from an app or from a browser.
    func reauthenticate(verified identity: VerifiedIdentity, caller: Caller) async throws(ServiceError)
        -> Reauthenticated
    {
        try await mapServiceErrors {
            guard let found = try await accounts.find(identity),
                found.account.value.serviceUserID == caller.user
            else { throw ServiceError.invalidToken(.ruleNotMet("identity is not linked to this account")) }
            // The account was disabled after the caller was authenticated.
            guard found.account.value.disabled == nil else { throw ServiceError.accountDisabled }
            // An identity that an attacker has just linked must not keep a stolen session recent.
            if !found.link.ownsSessions(caller.session.link) {
                try sensitiveActions.requireUnrestricted(found.link.id, in: found.account.value)
            }
            let session = try await auditLog.recordingAuditEvents(on: caller.device.value.id, of: found.account) {
                state in
                try await sessions.recordReauthentication(
                    of: identity.issuedAt, link: found.link.id,
                    isYounger: found.account.value.isOlder(caller.session.link, than: found.link.id),
                    of: found.link.provider, by: caller.user, on: caller.device.value.id,
                    session: caller.session.id, presentedUntil: caller.tokenExpiresAt, state
                )
            }
            return Reauthenticated(session: ReauthenticatedSession(session))
        }
    }
}
