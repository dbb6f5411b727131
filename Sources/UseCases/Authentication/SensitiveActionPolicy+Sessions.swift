import Accounts
import Foundation
import PhotolalaAPI
import Sessions

/// Sessions that an identity just authenticated are protected from identities linked later, so that these cannot keep an
/// owner out who signs in to unlink them.
extension SensitiveActionPolicy {
    /// Returns whether a caller must not end a session. A caller whose recent authentication is that of a younger
    /// identity must not end protected sessions of its own identity either.
    func isProtected(_ session: SessionRecord, from caller: Caller) -> Bool {
        guard session.id != caller.session.id, isRecentlyProved(session) else { return false }
        return accounts.protectsSessions(
            of: session.link, from: caller.session.link, isProved: isRecentlyProved(caller.session),
            in: caller.account.value)
    }

    /// Returns whether a session on a device blocks a sign-in there with another identity.
    func isSignInBlocked(by session: SessionRecord, for link: LinkID, in account: AccountDocument) -> Bool {
        isHeldByOther(session, than: link, in: account)
            || isRecentlyProved(session)
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
        let isProved = isRecentlyProved(caller.session)
        let mayExist = account.activeLinks.contains {
            accounts.protectsSessions(of: $0.id, from: caller.session.link, isProved: isProved, in: account)
        }
        guard mayExist else { return }
        let standing = account.sessionState(at: now())
        let devices = try await mapServiceErrors { try await deviceList.listedDevices(of: caller.user) }
        let isRefused = devices.contains { device in
            device.session.map { sessions.isValid($0, standing) && isProtected($0, from: caller) } ?? false
        }
        if isRefused { throw .identityTooNew }
    }

    private func isRecentlyProved(_ session: SessionRecord) -> Bool {
        guard let time = session.identityProvedAt else { return false }
        return now().timeIntervalSince(time) <= SensitiveAction.recentAuthenticationAge
    }
}
