import Accounts
import Foundation
import JWS
import PhotolalaAPI
import Sessions

/// Opens the session of a sign-in or sign-up.
package struct SessionOpener: Sendable {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let auditLog: DeviceAuditLog
    let sensitiveActions: SensitiveActionPolicy
    let tokenLifecycle: ProviderTokenLifecycle
    let deviceLimit: DeviceLimit
    let presenter: AccountPresenter
    let now: @Sendable () -> Date

    /// Opens a session on a found account. A sign-in cancels the pending unlinking of its identity.
    /// - Throws: `accountDisabled`; `identityTooNew` if the device has a session that the identity must not end.
    func startSession(
        _ found: FoundAccount, by verified: VerifiedSignIn, on device: DeviceDescription, key: KeyThumbprint?,
        isNewAccount: Bool, replacing own: SessionID? = nil
    ) async throws(ServiceError) -> SignedIn {
        // Checked before anything is written: a refused sign-in changes nothing.
        guard found.account.value.disabled == nil else { throw .accountDisabled }
        let pending = Set(found.account.value.links.lazy.filter { $0.pendingUnlink != nil }.map(\.id))
        let found = try await mapServiceErrors { try await accounts.undoUnlink(bySignInWith: found, on: device.id) }
        let undone = found.account.value.links.filter {
            pending.contains($0.id) && $0.pendingUnlink == nil && $0.state == .active
        }.map(\.id)
        let (opened, _) = try await mapServiceErrors {
            try await accounts.documents.store.both(
                { await open(found, by: verified, on: device, key: key, isNewAccount: isNewAccount, replacing: own) },
                { await tokenLifecycle.storeTokens(of: verified, for: found) })
        }
        if case .success(let opened) = opened, opened.isOnNewDevice {
            try await deviceLimit.addDevice(device.id, openedBy: found.link.id, to: found.account)
        }
        let lastUsed = [found.link.id: now()]
        return try await mapServiceErrors {
            SignedIn(
                user: try presenter.show(found.account.value, lastUsed: lastUsed), session: try opened.get().session,
                undoneUnlinks: undone.isEmpty ? nil : undone)
        }
    }

    private func open(
        _ found: FoundAccount, by verified: VerifiedSignIn, on device: DeviceDescription, key: KeyThumbprint?,
        isNewAccount: Bool, replacing own: SessionID?
    ) async -> Result<OpenedSession, any Error> {
        do {
            return .success(
                try await auditLog.recordingAuditEvents(on: device.id, of: found.account) { state in
                    try await sessions.open(
                        on: device, user: found.account.value.serviceUserID, link: found.link.id,
                        of: found.link.provider, state, key: key, provedAt: verified.identity.issuedAt,
                        isNewAccount: isNewAccount,
                        unless: {
                            $0.id != own
                                && sensitiveActions.isSignInBlocked(by: $0, for: found.link.id, in: found.account.value)
                        }
                    )
                }
            )
        } catch {
            return .failure(error)
        }
    }
}
