import Foundation
import JWS
import ObjectStorage
import PhotolalaAPI

/// A presented refresh token, before anything was read from the store.
package struct PresentedRefreshToken: Sendable {
    package let user: UserID
    package let device: DeviceID
    package let session: SessionID
    let kind: RefreshToken.Kind
    /// The DPoP proof of the key to which the token is bound.
    package let proof: DPoPProof?

    /// The number of the use within the session, from 0; always 0 for a bound session.
    package var counter: UInt32 {
        if case .counted(let counter) = kind { counter } else { 0 }
    }
}

extension SessionIssuer {
    /// How often the use of a bound device is recorded, in seconds. A refresh writes nothing else.
    static let lastSeenInterval: TimeInterval = 86_400

    /// Verifies a refresh token and, if it is bound to a key, that the sender holds the key. Sends no request to the
    /// store.
    /// - Throws: `invalidToken` if it is not authentic, `invalidDPoPProof`, `nonceRequired`.
    package func parse(
        _ text: String, _ presented: PresentedDPoPProof?
    ) throws(SessionError) -> PresentedRefreshToken {
        guard let token = RefreshToken.decode(text, keyRing) else { throw .invalidToken("refresh token") }
        RequestAccount.current?.set(token.user)
        return PresentedRefreshToken(
            user: token.user, device: token.device, session: token.session, kind: token.kind,
            proof: try verifyProof(presented, of: token.kind)
        )
    }

    /// Returns the user of a refresh token; `nil` if it is not authentic.
    package func user(ofRefreshToken text: String) -> UserID? { RefreshToken.decode(text, keyRing)?.user }

    private func verifyProof(
        _ presented: PresentedDPoPProof?, of kind: RefreshToken.Kind
    ) throws(SessionError) -> DPoPProof? {
        guard case .bound(let key) = kind else {
            guard presented == nil else { throw .invalidDPoPProof("the refresh token is not bound to a key") }
            return nil
        }
        guard let presented else { throw .invalidDPoPProof("missing for a bound refresh token") }
        let proof = try dpopVerifier.verify(presented)
        guard proof.key == key else { throw .invalidDPoPProof("the refresh token is bound to another key") }
        return proof
    }

    /// Uses a refresh token. A token bound to a key stays the same; the only write is one per day, to record that the
    /// device is in use.
    ///
    /// For an unbound token, the session's counter advances by compare-and-swap: one of several concurrent requests
    /// wins, and the others get the same successor. So does a request whose earlier response was lost, within the grace
    /// period and while the successor is unused. Any other reuse ends the session. One write.
    /// - Throws: `ended`, `refreshTokenReused`.
    package func refresh(
        _ token: PresentedRefreshToken, on device: Stored<DeviceRecord>?, _ state: SessionState
    ) async throws(SessionError) -> Session {
        switch token.kind {
        case .counted: try await rotate(token, on: device, state)
        case .bound(let key): try await renew(token, key, on: device, state)
        }
    }

    private func rotate(
        _ token: PresentedRefreshToken, on device: Stored<DeviceRecord>?, _ state: SessionState
    ) async throws(SessionError) -> Session {
        let (time, eventID) = (now(), randomness.uuid())
        // Without a signing key the token must not be used up.
        let signingKey = try tokens.keys.signingKey()
        var isReuse = false
        let changed = try await devices.change(token.device, of: token.user, from: device) {
            (record) throws(SessionError) in
            isReuse = record?.hasEvent(eventID) ?? false
            if isReuse { return nil }
            var session = try self.validSession(token.session, on: record, state)
            guard var record, session.key == nil else { throw .ended }
            if token.counter == session.counter {
                session.counter += 1
                session.rotatedAt = time
                record.session = session
            } else if isRetryOfLostResponse(token, session, at: time) {
                return nil
            } else {
                isReuse = true
                record.session = nil
                record.appendEvent(.refreshTokenReused, at: time, id: eventID)
            }
            record.removeLoggedEvents(state.logged(token.device))
            record.lastSeenAt = time
            return record
        }
        guard !isReuse else { throw .refreshTokenReused }
        guard let session = changed?.value.session else { throw .ended }
        return try makeSession(session, user: token.user, device: token.device, at: time, signingKey)
    }

    private func isRetryOfLostResponse(_ token: PresentedRefreshToken, _ session: SessionRecord, at time: Date) -> Bool
    {
        UInt64(token.counter) + 1 == UInt64(session.counter)
            && time.timeIntervalSince(session.rotatedAt) <= Self.gracePeriod
    }

    private func renew(
        _ token: PresentedRefreshToken, _ key: KeyThumbprint, on device: Stored<DeviceRecord>?,
        _ state: SessionState
    ) async throws(SessionError) -> Session {
        let valid = try self.validSession(token.session, on: device?.value, state)
        guard let device, valid.key == key else { throw .ended }
        let session = await recordUse(of: valid, on: device, of: token.user, state)
        return try makeSession(
            session, user: token.user, device: token.device, at: now(), try tokens.keys.signingKey())
    }

    /// Records, at most once a day, that the device of a bound session is in use, which extends a sliding session. A
    /// failure is left to the next use.
    /// - Returns: The session as it is stored now.
    @discardableResult
    func recordUse(
        of session: SessionRecord, on device: Stored<DeviceRecord>, of user: UserID, _ state: SessionState
    ) async -> SessionRecord {
        let time = now()
        guard time.timeIntervalSince(device.value.lastSeenAt) >= Self.lastSeenInterval else { return session }
        let changed = try? await devices.change(device.value.id, of: user, from: device) { record in
            // A session that ended since the device was read stays ended.
            guard var record, record.session?.id == session.id else { return nil }
            record.removeLoggedEvents(state.logged(record.id))
            record.lastSeenAt = time
            if let slidingLifetime, session.slides == true {
                record.session?.expiresAt = time.addingTimeInterval(slidingLifetime)
            }
            return record
        }
        guard let stored = changed?.value.session, stored.id == session.id else { return session }
        return stored
    }
}
