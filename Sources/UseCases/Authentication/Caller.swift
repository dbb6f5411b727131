import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Sessions

/// The authenticated caller, with the current account and device record.
package struct Caller: Sendable {
    package let user: UserID
    package let account: Stored<AccountDocument>
    package let device: Stored<DeviceRecord>
    package let session: SessionRecord
    /// The time of the last authentication, from the access token or, in a browser, from the session.
    package let authTime: Date
    /// When the presented access token expires; `nil` in a browser, which presents its session.
    package let tokenExpiresAt: Date?

    /// Returns the link of the identity whose rank decides what the caller may do: the session's own, or a younger one if
    /// only that authenticated recently and is still linked.
    func authority(at time: Date) -> LinkID {
        guard let link = lender(at: time), account.value.isLinked(link, at: time) else { return session.link }
        return link
    }

    /// Returns whether the identity that authenticated last in the session is still linked. If not, the session has no
    /// recent authentication: the rank of that identity is no longer known.
    func isAuthenticationLinked(at time: Date) -> Bool {
        lender(at: time).map { account.value.isLinked($0, at: time) } ?? true
    }

    /// Returns whether the recent authentication of the session is that of the identity whose rank it has.
    func isAuthorityProved(at time: Date) -> Bool {
        session.isIdentityRecent(at: time) || session.authenticatedLink != nil && isAuthenticationLinked(at: time)
    }

    private func lender(at time: Date) -> LinkID? {
        session.isIdentityRecent(at: time) ? nil : session.authenticatedLink
    }
}

extension SessionRecord {
    /// Returns whether its own identity, or an older one, authenticated in it recently.
    func isIdentityRecent(at time: Date) -> Bool {
        identityProvedAt.map { time.timeIntervalSince($0) <= SensitiveAction.recentAuthenticationAge } ?? false
    }
}

extension AccountDocument {
    /// Returns the session state of this account.
    /// - Parameter time: the current time; a link whose unlinking is due keeps no session.
    func sessionState(at time: Date) -> SessionState {
        SessionState(
            epoch: sessionEpoch, isDisabled: disabled != nil,
            permits: { isSessionValid($0, of: $1, startedAt: $2, at: time) },
            earliestStart: { earliestStart(ofSessionsOf: $0) }, logged: { logged($0) }
        )
    }

    /// Returns the session state of a disabled account from before it was disabled, which ended its sessions; `nil` if the
    /// account is not disabled. No session matches it if all sessions were ended once more since.
    func sessionStateBeforeDisabling(at time: Date) -> SessionState? {
        guard disabled != nil else { return nil }
        var before = self
        before.disabled = nil
        before.sessionEpoch -= 1
        return before.sessionState(at: time)
    }
}
