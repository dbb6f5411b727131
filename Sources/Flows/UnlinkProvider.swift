import Accounts
import PhotolalaAPI

extension Services {
    /// Ends a link of the caller's account. Needs a recent proof. Sessions that the link opened are over, except the
    /// caller's own.
    package func unlink(_ request: UnlinkRequest, caller: Caller) async throws(FlowError) -> LinkedProviders {
        try requireRecentProof(caller, for: .unlink)
        let revocation = try await keepRevocation(of: request.linkID, in: caller.account.value)
        let account = try await step {
            try await accounts.unlink(request.linkID, from: caller.account, by: acting(caller))
        }
        if let revocation { providerCalls.makeSoon(revocation) }
        return try await linkedProviders(after: account.value)
    }
}
