import Accounts
import Foundation
import PhotolalaAPI
import Sessions

/// Sessions that an identity just authenticated are protected from identities linked later, so that these cannot keep an
/// owner out who signs in to unlink them.
extension SensitiveActionPolicy {
    /// Returns whether a caller must not end a session. A caller whose recent authentication is that of a younger
    /// identity ends only what that one may end.
    func isProtected(_ session: SessionRecord, from caller: Caller) -> Bool {
        session.id != caller.session.id && session.isIdentityRecent(at: now())
            && protectsSessions(of: session.link, from: caller)
    }

    private func protectsSessions(of link: LinkID, from caller: Caller) -> Bool {
        let time = now()
        return accounts.protectsSessions(
            of: link, from: caller.authority(at: time),
            isProved: caller.isAuthorityProved(at: time), in: caller.account.value)
    }

    /// Returns whether a session on a device blocks a sign-in there with another identity.
    func isSignInBlocked(by session: SessionRecord, for link: LinkID, in account: AccountDocument) -> Bool {
        isHeldByOther(session, than: link, in: account)
            || session.isIdentityRecent(at: now())
                && accounts.protectsSessions(of: session.link, from: link, isProved: true, in: account)
    }

    /// Returns whether a session belongs to another identity than a new one or one that is being unlinked. These replace
    /// no sessions of others.
    func isHeldByOther(_ session: SessionRecord, than link: LinkID, in account: AccountDocument) -> Bool {
        accounts.restriction(on: link, in: account) != nil && !account.isSameIdentity(session.link, link)
    }

    /// Refuses a caller while the account has a session that is protected from it. Makes no request if no identity's
    /// sessions can be; otherwise for the cost see `DeviceDirectory.list`.
    /// - Throws: `identityTooNew`.
    func requireNoProtectedSession(from caller: Caller) async throws(ServiceError) {
        let account = caller.account.value
        guard account.activeLinks.contains(where: { protectsSessions(of: $0.id, from: caller) }) else { return }
        let sessionState = account.sessionState(at: now())
        let devices = try await mapServiceErrors { try await deviceList.listedDevices(of: caller.user) }
        let isRefused = devices.contains { device in
            device.session.map { sessions.isValid($0, sessionState) && isProtected($0, from: caller) } ?? false
        }
        if isRefused { throw .identityTooNew }
    }
}
