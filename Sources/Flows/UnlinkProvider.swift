import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// Ends a link of the caller's account. Needs a recent proof. Sessions that the link opened are over, except the
    /// caller's own, which goes on under another link.
    package func unlink(_ request: UnlinkRequest, caller: Caller) async throws(FlowError) -> LinkedProviders {
        try requireRecentProof(caller)
        let account = try await step {
            let links = caller.account.value.links
            guard links.contains(where: { $0.id == request.linkID }) else { throw FlowError.notFound }
            let others = links.filter { $0.id != request.linkID && $0.state == .active }
            guard let heir = others.first else { throw FlowError.lastProvider }
            if caller.session.link == request.linkID {
                try await sessions.move(caller.device, of: caller.user, to: heir.id)
            }
            return try await accounts.unlink(
                request.linkID, from: caller.account, device: caller.device.value.id
            )
        }
        return try await linkedProviders(after: account.value)
    }
}
