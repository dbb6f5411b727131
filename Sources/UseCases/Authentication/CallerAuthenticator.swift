import Accounts
import Foundation
import PhotolalaAPI
import Sessions

/// Authenticates callers by access token or browser cookie, and checks that account, device and session still stand.
package struct CallerAuthenticator: Sendable {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let dpopProofs: DPoPProofs
    let limits: RateLimiter
    let apps: [AppClient]
    let now: @Sendable () -> Date

    /// Verifies an access token and the DPoP proof of the key that it is bound to, then checks that its account, device
    /// and session still exist, so a session that was ended elsewhere is refused at once. Two reads, and one write (the
    /// proof's spent mark) if a call that is not read-only carries a proof.
    package func authenticate(
        _ accessToken: String, _ presented: PresentedDPoPProof? = nil, for purpose: CallPurpose = .general
    ) async throws(ServiceError) -> Caller {
        try await mapServiceErrors {
            let access = try await sessions.verify(accessToken, presented)
            let claims = access.claims
            try limits.consume(claims.session)
            try limits.check(claims.user, on: claims.device, for: purpose)
            let caller = try await caller(
                claims.user, claims.device, claims.session,
                authTime: Date(timeIntervalSince1970: TimeInterval(claims.authTime)),
                tokenExpiresAt: Date(timeIntervalSince1970: TimeInterval(claims.expiresAt))
            )
            guard caller.session.key == claims.confirmation?.jkt else { throw ServiceError.sessionEnded }
            try limits.consume(claims.user, on: claims.device, for: purpose)
            try await dpopProofs.consume(access.proof, isOnce: access.proof?.onlyReads == false)
            return caller
        }
    }

    /// Returns the caller with the current account, device and session, for an action that had to wait for another
    /// service. Two reads.
    func refreshed(_ caller: Caller) async throws(ServiceError) -> Caller {
        try await mapServiceErrors {
            try await self.caller(
                caller.user, caller.device.value.id, caller.session.id, authTime: caller.authTime,
                tokenExpiresAt: caller.tokenExpiresAt
            )
        }
    }

    func caller(
        _ user: UserID, _ device: DeviceID, _ session: SessionID, authTime: Date, tokenExpiresAt: Date? = nil
    ) async throws -> Caller {
        let (found, record) = try await accounts.documents.store.both(
            { try await accounts.usableAccount(user) }, { try await sessions.devices.device(device, of: user) })
        guard let known = found, let device = record else { throw ServiceError.sessionEnded }
        let account = try await accounts.startDueUnlinks(of: known)
        let session = try sessions.validSession(session, on: device.value, account.value.sessionState(at: now()))
        guard apps.isRegistered(session.client) else { throw ServiceError.sessionEnded }
        return Caller(
            user: user, account: account, device: device, session: session, authTime: authTime,
            tokenExpiresAt: tokenExpiresAt)
    }
}
