import Accounts
import PhotolalaAPI

extension Services {
    /// Links another identity to the caller's account. Requires recent authentication.
    package func link(_ request: LinkRequest, caller: Caller) async throws(FlowError) -> LinkedProviders {
        try requireRecentProof(caller, for: .link)
        let proven = try await prove(
            try proof(request.provider, request.idToken, request.challenge), code: request.authorizationCode,
            pending: request.pendingIdentity, verifier: request.codeVerifier, .link, device: caller.device.value.id,
            user: caller.user
        )
        return try await link(proven, caller: caller)
    }

    /// Links a verified identity; shared by the API and the browser pages.
    func link(_ proven: ProvenIdentity, caller: Caller) async throws(FlowError) -> LinkedProviders {
        // Verifying may have waited for provider keys; a session that has ended since must not act.
        let caller = try await again(caller)
        try requireRecentProof(caller, for: .link)
        let account = try await step {
            try await accounts.link(proven.identity, to: caller.account, by: acting(caller))
        }
        if let found = try? await accounts.link(of: proven.identity, in: account) {
            await keepTokens(of: proven, for: found)
        }
        return try await linkedProviders(after: account.value)
    }
}
