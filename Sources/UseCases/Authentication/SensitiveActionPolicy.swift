import Accounts
import Foundation
import PhotolalaAPI
import Sessions

/// Decides whether a caller may perform a sensitive action.
package struct SensitiveActionPolicy: Sendable {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let deviceList: DeviceList
    let now: @Sendable () -> Date

    /// Refuses an action if the deletion of the account is scheduled, if the caller's last authentication is too old for it or the caller's identity may not perform
    /// it yet.
    package func requireRecentAuthentication(_ caller: Caller, for action: SensitiveAction) throws(ServiceError) {
        let time = now()
        guard caller.account.value.state != .deleting || action.isAllowedWhileDeleting else { throw .accountDeleting }
        guard time.timeIntervalSince(caller.authTime) <= action.maximumAuthenticationAge,
            caller.isAuthenticationLinked(at: time)
        else { throw .reauthenticationRequired }
        if action.endsOtherSessions { try requireUnrestricted(caller.authority(at: time), in: caller.account.value) }
    }

    /// Refuses an identity that is new while the account has an older one, or that is being unlinked.
    func requireUnrestricted(_ link: LinkID, in account: AccountDocument) throws(ServiceError) {
        switch accounts.restriction(on: link, in: account) {
        case .recentlyLinked?: throw .identityTooNew
        case .unlinking?: throw .unlinkPending
        case nil: return
        }
    }
}
