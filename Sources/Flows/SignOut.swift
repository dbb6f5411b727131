import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// Ends the session of an access token. Succeeds if the session has already ended.
    package func signOut(accessToken: String, _ presented: PresentedProof? = nil) async throws(FlowError) {
        try await step {
            let access = try await sessions.verify(accessToken, presented)
            let claims = access.claims
            try await take(access.proof, isOnce: true)
            guard let device = try await sessions.devices.device(claims.device, of: claims.user) else { return }
            try await sessions.end(claims.session, on: device, of: claims.user)
        }
    }

    /// Ends the session of a refresh token, for a device whose access token has expired. Succeeds if the session has
    /// already ended.
    package func signOut(refreshToken: String, _ proof: PresentedProof? = nil) async throws(FlowError) {
        do {
            let presented = try sessions.present(refreshToken, proof)
            try await take(presented.proof, isOnce: true)
            guard let device = try await sessions.devices.device(presented.device, of: presented.user) else { return }
            try await sessions.end(presented.session, on: device, of: presented.user)
        } catch SessionError.invalidToken {
            throw .sessionEnded
        } catch {
            throw FlowError(error)
        }
    }

    /// Ends the session of an app's refresh or access token (RFC 7009). Succeeds for an unknown or expired token. Two
    /// reads, one write.
    /// - Throws: `unknownApp`; `invalidCode` for a token that was issued to another client; `invalidProof` for a
    ///   key-bound token without a valid DPoP proof.
    package func revoke(
        token: String, client: String, _ proof: PresentedProof?
    ) async throws(FlowError) {
        guard isRegistered(client) else { throw .unknownApp }
        do {
            let found = try await sessionOfToken(token, proof)
            guard let device = try await sessions.devices.device(found.device, of: found.user),
                let session = device.value.session, session.id == found.session
            else { return }
            guard session.client == client else { throw FlowError.invalidCode("of another client") }
            try await take(found.proof, isOnce: true)
            try await sessions.end(found.session, on: device, of: found.user)
        } catch SessionError.invalidToken, SessionError.ended {
            return
        } catch {
            throw FlowError(error)
        }
    }

    private func sessionOfToken(
        _ token: String, _ proof: PresentedProof?
    ) async throws -> (user: UserID, device: DeviceID, session: SessionID, proof: DeviceProof?) {
        if sessions.user(ofRefreshToken: token) != nil {
            let presented = try sessions.present(token, proof)
            return (presented.user, presented.device, presented.session, presented.proof)
        }
        let access = try await sessions.verify(token, proof)
        return (access.claims.user, access.claims.device, access.claims.session, access.proof)
    }

    /// Ends all sessions of the caller's account, including this one. Requires recent authentication.
    package func signOutEverywhere(_ caller: Caller) async throws(FlowError) {
        try requireRecentProof(caller, for: .signOutEverywhere)
        _ = try await step {
            try await accounts.raiseSessionEpoch(of: caller.account, by: acting(caller))
        }
    }
}
