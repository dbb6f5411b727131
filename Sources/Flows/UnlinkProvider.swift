import Accounts
import Foundation
import PhotolalaAPI

extension Services {
    /// Ends a link of the caller's account, or has it end after the delay. Needs a recent proof. Sessions that the link
    /// opened are over when it ends; where that is at once, except the caller's own.
    package func unlink(_ request: UnlinkRequest, caller: Caller) async throws(FlowError) -> LinkedProviders {
        try requireRecentProof(caller, for: .unlink)
        // While an unlinking is pending the tokens stay; the daily check gives back those of a link that is gone.
        let isDelayed = unlinkDate(of: request.linkID, caller: caller) != nil
        let revocation =
            isDelayed ? nil : try await keepRevocation(of: request.linkID, in: caller.account.value)
        let account = try await step {
            try await accounts.unlink(request.linkID, from: caller.account, by: acting(caller))
        }
        if let revocation { providerCalls.makeSoon(revocation) }
        return try await linkedProviders(after: account.value)
    }

    /// When unlinking would take effect if it was requested now; `nil` for at once.
    package func unlinkDate(of id: LinkID, caller: Caller) -> Date? {
        accounts.delayedUnlinkDate(of: id, from: caller.account.value, by: acting(caller))
    }

    /// Undoes a pending unlinking of the caller's account. A recent proof is not needed: the owner may have lost the other
    /// identities, and undoing takes nothing away.
    package func undoUnlink(_ id: LinkID, caller: Caller) async throws(FlowError) -> LinkedProviders {
        let account = try await step { try await accounts.undoUnlink(id, of: caller.account, by: acting(caller)) }
        return try await linkedProviders(after: account.value)
    }
}
