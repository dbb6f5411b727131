import Accounts
import ObjectStorage
import PhotolalaAPI
import Sessions

/// The client that presents a refresh token.
enum RefreshingClient: Equatable, Sendable {
    /// A device at the device endpoint, which names no app.
    case device
    /// An app at the token endpoint.
    case app(String)
}

extension Services {
    /// Exchanges a refresh token for the session's next tokens. Two reads (account, device) and one write (device); a
    /// token that is bound to a key does not change and needs no write.
    package func refresh(
        _ request: RefreshRequest, _ proof: PresentedProof? = nil
    ) async throws(FlowError) -> SessionAnswer {
        try await refresh(request, proof, as: .device)
    }

    func refresh(
        _ request: RefreshRequest, _ proof: PresentedProof?, as client: RefreshingClient
    ) async throws(FlowError) -> SessionAnswer {
        do {
            let presented = try sessions.present(request.refreshToken, proof)
            try limits.take(presented.session)
            // An owner whose access token has ended must get the next one before anything else.
            try limits.check(presented.user, in: presented.session, for: .protection)
            async let found = accounts.account(presented.user)
            async let device = sessions.devices.device(presented.device, of: presented.user)
            guard let known = try await found, known.value.isUsable else { throw FlowError.sessionEnded }
            let account = try await accounts.startDueUnlinks(of: known)
            let record = try await device
            guard let session = record?.value.session, isRegistered(session.client),
                client == .device || client == session.client.map(RefreshingClient.app)
            else { throw FlowError.sessionEnded }
            // Checked before the token is used up: a refusal must not cost the client its next token.
            let standing = account.value.standing(at: now())
            if session.id == presented.session, sessions.isStanding(session, standing) {
                try limits.consume(presented.user, in: presented.session, for: .protection)
            }
            let next = try await use(presented, on: record, standing)
            // A replay at another instance returns a token that is unusable without the key.
            try await take(presented.proof, isOnce: false)
            return SessionAnswer(session: next)
        } catch SessionError.invalidToken {
            throw .sessionEnded
        } catch {
            throw FlowError(error)
        }
    }

    private func use(
        _ presented: PresentedRefreshToken, on device: Stored<DeviceRecord>?, _ standing: SessionStanding
    ) async throws(SessionError) -> Session {
        do throws(SessionError) {
            return try await sessions.refresh(presented, on: device, standing)
        } catch {
            if error == .reused { await keepEvent(onDeviceOf: presented.user) }
            throw error
        }
    }
}
