import Accounts
import PhotolalaAPI

extension Services {
    /// Links another identity to the caller's account. Requires recent authentication.
    package func link(_ request: LinkRequest, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        try requireRecentAuthentication(caller, for: .link)
        let proven = try await verifySignIn(
            try idTokenRequest(request.provider, request.idToken, request.challenge), code: request.authorizationCode,
            pending: request.pendingIdentity, verifier: request.codeVerifier, .link, device: caller.device.value.id,
            user: caller.user
        )
        return try await link(proven, caller: caller)
    }

    /// Links a verified identity; shared by the API and the browser pages.
    func link(_ proven: VerifiedSignIn, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        // Verifying may have waited for provider keys; a session that has ended since must not act.
        let caller = try await refreshed(caller)
        try requireRecentAuthentication(caller, for: .link)
        let account = try await mapServiceErrors {
            try await accounts.link(proven.identity, to: caller.account, by: actingSession(caller))
        }
        if let found = try? await accounts.link(of: proven.identity, in: account) {
            await storeTokens(of: proven, for: found)
        }
        return try await linkedProviders(after: account.value)
    }
}
