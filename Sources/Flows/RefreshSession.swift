import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// Exchanges a refresh token for the session's next tokens. Two reads (account, device) and one write (device); a
    /// token that is bound to a key stays the same and needs no write.
    package func refresh(
        _ request: RefreshRequest, _ proof: PresentedProof? = nil
    ) async throws(FlowError) -> SessionAnswer {
        do {
            let presented = try sessions.present(request.refreshToken, proof)
            try limits.take(presented.session)
            async let account = accounts.account(presented.user)
            async let device = sessions.devices.device(presented.device, of: presented.user)
            guard let account = try await account, account.value.isUsable else { throw FlowError.sessionEnded }
            let session = try await sessions.refresh(presented, on: try await device, account.value.standing)
            // Whoever sends it again to another copy gets a token that is worth nothing without the key.
            try await take(presented.proof, isOnce: false)
            return SessionAnswer(session: session)
        } catch SessionError.invalidToken {
            throw .sessionEnded
        } catch {
            throw FlowError(error)
        }
    }
}
