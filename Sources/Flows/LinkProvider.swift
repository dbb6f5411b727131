import Accounts
import PhotolalaAPI

extension Services {
    /// Links another identity to the caller's account. Needs a recent proof.
    package func link(_ request: LinkRequest, caller: Caller) async throws(FlowError) -> LinkedProviders {
        try requireRecentProof(caller)
        let identity = try await prove(
            try proof(request.provider, request.idToken, request.challenge), pending: request.pendingIdentity, .link,
            device: caller.device.value.id, user: caller.user
        )
        // Keys may have been fetched meanwhile: a session that ended since must not act.
        let caller = try await again(caller)
        let account = try await step {
            try await accounts.link(identity, to: caller.account, by: acting(caller))
        }
        return try await linkedProviders(after: account.value)
    }
}
