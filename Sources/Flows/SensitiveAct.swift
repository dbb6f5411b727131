import Accounts
import Foundation
import PhotolalaAPI

/// What a stolen session must not be able to do by itself: the one table of acts that need a recent proof of identity.
package enum SensitiveAct: CaseIterable, Sendable {
    case link
    case unlink
    case removeDevice
    case signOutEverywhere
    /// Opens a session that goes on when the asking one is over.
    case letAppIn
    /// Takes what somebody pays for to another account.
    case moveSubscription
    /// Deletes photos that nothing brings back.
    case purgeTrash

    /// Whether it ends sessions of other identities: one that is new or being unlinked could keep the owner out with it.
    var endsOtherSessions: Bool { self == .removeDevice || self == .signOutEverywhere }

    /// How old the proof may be, in seconds.
    var proofAge: TimeInterval {
        switch self {
        case .link, .unlink, .removeDevice, .signOutEverywhere, .letAppIn, .moveSubscription, .purgeTrash: 600
        }
    }
}

extension Services {
    /// Refuses an act to a caller whose last proof of identity is too old for it, or whose identity may not do it yet.
    package func requireRecentProof(_ caller: Caller, for act: SensitiveAct) throws(FlowError) {
        guard now().timeIntervalSince(caller.authTime) <= act.proofAge else { throw .reauthenticationRequired }
        if act.endsOtherSessions { try requireUnrestricted(caller.session.link, in: caller.account.value) }
    }

    /// Refuses an identity that is new beside an older one, or is being unlinked.
    func requireUnrestricted(_ link: LinkID, in account: AccountDocument) throws(FlowError) {
        switch accounts.restriction(on: link, in: account) {
        case .new?: throw .identityTooNew
        case .unlinking?: throw .unlinkPending
        case nil: return
        }
    }
}
