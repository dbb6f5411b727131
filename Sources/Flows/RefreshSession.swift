import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// Exchanges a refresh token for the session's next tokens. Two reads (account, device) and one write (device).
    package func refresh(_ request: RefreshRequest) async throws(FlowError) -> SessionAnswer {
        do {
            let presented = try sessions.present(request.refreshToken)
            async let account = accounts.account(presented.user)
            async let device = sessions.devices.device(presented.device, of: presented.user)
            guard let account = try await account, account.value.isUsable else { throw FlowError.sessionEnded }
            let session = try await sessions.refresh(presented, on: try await device, account.value.standing)
            return SessionAnswer(session: session)
        } catch SessionError.invalidToken {
            throw .sessionEnded
        } catch {
            throw FlowError(error)
        }
    }
}
