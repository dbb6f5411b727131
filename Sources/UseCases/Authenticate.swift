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
}

extension Services {
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
            try await consume(access.proof, isOnce: access.proof?.onlyReads == false)
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
        async let found = accounts.account(user)
        async let device = sessions.devices.device(device, of: user)
        guard let known = try await found, known.value.isUsable, let device = try await device else {
            throw ServiceError.sessionEnded
        }
        let account = try await accounts.startDueUnlinks(of: known)
        let session = try sessions.validSession(session, on: device.value, account.value.sessionState(at: now()))
        guard isRegistered(session.client) else { throw ServiceError.sessionEnded }
        return Caller(
            user: user, account: account, device: device, session: session, authTime: authTime,
            tokenExpiresAt: tokenExpiresAt)
    }
}

extension AccountDocument {
    /// Returns the session state of this account.
    /// - Parameter time: the current time; a link whose unlinking is due keeps no session.
    func sessionState(at time: Date) -> SessionState {
        SessionState(
            epoch: sessionEpoch, keeps: { isSessionValid($0, of: $1, startedAt: $2, at: time) },
            earliestStart: { earliestStart(ofSessionsOf: $0) }, chained: { logged($0) }
        )
    }
}
