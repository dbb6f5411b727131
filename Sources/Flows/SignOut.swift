import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// Ends the session of an access token. That it is over already is success.
    package func signOut(accessToken: String, _ presented: PresentedProof? = nil) async throws(FlowError) {
        try await step {
            let access = try await sessions.verify(accessToken, presented)
            let claims = access.claims
            try await take(access.proof, isOnce: true)
            guard let device = try await sessions.devices.device(claims.device, of: claims.user) else { return }
            try await sessions.end(claims.session, on: device, of: claims.user)
        }
    }

    /// Ends the session of a refresh token, for a device whose access token has ended. That it is over already is
    /// success.
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

    /// Ends all sessions of the caller's account, this one included. Needs a recent proof.
    package func signOutEverywhere(_ caller: Caller) async throws(FlowError) {
        try requireRecentProof(caller, for: .signOutEverywhere)
        _ = try await step {
            try await accounts.raiseSessionEpoch(of: caller.account, by: acting(caller))
        }
    }
}
