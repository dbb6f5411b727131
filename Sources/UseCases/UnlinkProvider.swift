import Accounts
import Foundation
import PhotolalaAPI

extension Services {
    /// Removes a link of the caller's account, at once or after the delay. Requires recent authentication. Sessions
    /// that the link opened end with it; if it ends at once, the caller's own session stays.
    package func unlink(_ request: UnlinkRequest, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        try requireRecentAuthentication(caller, for: .unlink)
        // A pending unlinking keeps the tokens; the daily check revokes the tokens of a removed link.
        let isImmediate = unlinkOutcome(of: request.linkID, caller: caller) == .immediate
        let revocation =
            isImmediate ? try await scheduleRevocation(of: request.linkID, in: caller.account.value) : nil
        let account = try await mapServiceErrors {
            try await accounts.unlink(request.linkID, from: caller.account, by: actingSession(caller))
        }
        if let revocation { providerCalls.makeDue(revocation) }
        return try await linkedProviders(after: account.value)
    }

    /// Returns what a request to unlink an identity would do now; `nil` if it would be refused.
    package func unlinkOutcome(of id: LinkID, caller: Caller) -> UnlinkOutcome? {
        accounts.unlinkOutcome(of: id, from: caller.account.value, by: actingSession(caller))
    }

    /// Cancels a pending unlinking. Recent authentication is not required: the owner may have lost the other
    /// identities, and cancelling removes nothing.
    package func undoUnlink(_ id: LinkID, caller: Caller) async throws(ServiceError) -> LinkedProviders {
        let account = try await mapServiceErrors {
            try await accounts.undoUnlink(id, of: caller.account, by: actingSession(caller))
        }
        return try await linkedProviders(after: account.value)
    }
}
