import PhotolalaAPI
import Sessions

extension SessionService {
    /// Ends the session of an access token. Succeeds if the session has already ended.
    package func signOut(accessToken: String, _ presented: PresentedDPoPProof? = nil) async throws(ServiceError) {
        try await mapServiceErrors {
            let access = try await sessions.verify(accessToken, presented)
            let claims = access.claims
            try await dpopProofs.consume(access.proof, isOnce: true)
            guard let device = try await sessions.devices.device(claims.device, of: claims.user) else { return }
            try await sessions.end(claims.session, on: device, of: claims.user)
        }
    }

    /// Ends the session of a refresh token, for a device whose access token has expired. Succeeds if the session has
    /// already ended.
    package func signOut(refreshToken: String, _ proof: PresentedDPoPProof? = nil) async throws(ServiceError) {
        do {
            let presented = try sessions.parse(refreshToken, proof)
            try await dpopProofs.consume(presented.proof, isOnce: true)
            guard let device = try await sessions.devices.device(presented.device, of: presented.user) else { return }
            try await sessions.end(presented.session, on: device, of: presented.user)
        } catch SessionError.invalidToken {
            throw .sessionEnded
        } catch {
            throw ServiceError(error)
        }
    }

    /// Ends the session of a browser cookie. Succeeds if the session has already ended or the cookie is invalid.
    package func signOut(browserCookie cookie: String) async throws(ServiceError) {
        guard let presented = try? sessions.resume(browserCookie: cookie) else { return }
        try await mapServiceErrors {
            guard let device = try await sessions.devices.device(presented.device, of: presented.user) else { return }
            try await sessions.end(presented.session, on: device, of: presented.user)
        }
    }

    /// Ends the session of an app's refresh or access token (RFC 7009). Succeeds for an unknown or expired token. Two
    /// reads, one write.
    /// - Throws: `unknownApp`; `invalidCode` for a token that was issued to another client; `invalidDPoPProof` for a
    ///   key-bound token without a valid DPoP proof.
    package func revoke(
        token: String, client: String, _ proof: PresentedDPoPProof?
    ) async throws(ServiceError) {
        guard apps.isRegistered(client) else { throw .unknownApp }
        do {
            let found = try await sessionOfToken(token, proof)
            guard let device = try await sessions.devices.device(found.device, of: found.user),
                let session = device.value.session, session.id == found.session
            else { return }
            guard session.client == client else { throw ServiceError.invalidCode("issued to another client") }
            try await dpopProofs.consume(found.proof, isOnce: true)
            try await sessions.end(found.session, on: device, of: found.user)
        } catch SessionError.invalidToken, SessionError.ended {
            return
        } catch {
            throw ServiceError(error)
        }
    }

    private func sessionOfToken(
        _ token: String, _ proof: PresentedDPoPProof?
    ) async throws -> (user: UserID, device: DeviceID, session: SessionID, proof: DPoPProof?) {
        if sessions.user(ofRefreshToken: token) != nil {
            let presented = try sessions.parse(token, proof)
            return (presented.user, presented.device, presented.session, presented.proof)
        }
        let access = try await sessions.verify(token, proof)
        return (access.claims.user, access.claims.device, access.claims.session, access.proof)
    }

    /// Ends all sessions of the caller's account, including this one. Requires recent authentication. Lists the devices
    /// if the account has an identity whose sessions may be protected from the caller's.
    package func signOutEverywhere(_ caller: Caller) async throws(ServiceError) {
        try sensitiveActions.requireRecentAuthentication(caller, for: .signOutEverywhere)
        try await sensitiveActions.requireNoProtectedSession(from: caller)
        _ = try await mapServiceErrors {
            try await accounts.raiseSessionEpoch(of: caller.account, by: auditLog.actingSession(caller))
        }
    }
}
