import Accounts
import ObjectStorage
import PhotolalaAPI
import Sessions

extension Services {
    /// Ends a link of the caller's account. Needs a recent proof. Sessions that the link opened are over, except the
    /// caller's own, which goes on under another link.
    package func unlink(_ request: UnlinkRequest, caller: Caller) async throws(FlowError) -> LinkedProviders {
        try requireRecentProof(caller)
        guard caller.account.value.links.contains(where: { $0.id == request.linkID }) else { throw .notFound }
        let account = try await step {
            guard caller.session.link == request.linkID else {
                return try await accounts.unlink(request.linkID, from: caller.account, by: caller.acting)
            }
            return try await unlinkOwn(caller)
        }
        return try await linkedProviders(after: account.value)
    }

    /// Ends the link that keeps the caller's own session open: the session moves to another link first, so that there
    /// is no moment at which it is over.
    private func unlinkOwn(_ caller: Caller) async throws -> Stored<AccountDocument> {
        let own = caller.session.link
        let heir = caller.account.value.links.first { $0.id != own && $0.state == .active }
        guard let heir else { throw FlowError.lastProvider }
        let moved = try await sessions.move(caller.session.id, on: caller.device, of: caller.user, to: heir.id)
        let acting = ActingSession(device: caller.device.value.id, link: heir.id, epoch: caller.session.epoch)
        do {
            return try await accounts.unlink(own, from: caller.account, by: acting)
        } catch {
            throw await moveBack(caller, from: moved, after: error)
        }
    }

    /// Lets the session stand on its own link again where that was kept. Where it cannot be told, it stays under the
    /// other one, which is as good.
    private func moveBack(
        _ caller: Caller, from moved: Stored<DeviceRecord>, after error: AccountError
    ) async -> AccountError {
        guard let account = try? await accounts.account(caller.user),
            account.value.opensSessions(caller.session.link)
        else { return error }
        _ = try? await sessions.move(caller.session.id, on: moved, of: caller.user, to: caller.session.link)
        // Only the other link went meanwhile: asking again finds another heir.
        let isOnlyTheHeir = error == .sessionEnded && account.value.sessionEpoch == caller.session.epoch
        return isOnlyTheHeir ? .contended : error
    }
}
