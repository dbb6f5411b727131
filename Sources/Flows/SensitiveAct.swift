import Foundation

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

    /// How old the proof may be, in seconds.
    var proofAge: TimeInterval {
        switch self {
        case .link, .unlink, .removeDevice, .signOutEverywhere, .letAppIn, .moveSubscription, .purgeTrash: 600
        }
    }
}

extension Services {
    /// Refuses an act to a caller whose last proof of identity is too old for it.
    package func requireRecentProof(_ caller: Caller, for act: SensitiveAct) throws(FlowError) {
        guard now().timeIntervalSince(caller.authTime) <= act.proofAge else { throw .reauthenticationRequired }
    }
}
