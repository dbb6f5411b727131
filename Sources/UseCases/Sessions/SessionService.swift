import Accounts
import Foundation
import Monitoring
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

/// Refreshes and ends sessions.
package struct SessionService: Sendable {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let dpopProofs: DPoPProofs
    let limits: RateLimiter
    let apps: [AppClient]
    let sensitiveActions: SensitiveActionPolicy
    let auditLog: DeviceAuditLog
    let metrics: ServiceMetrics
    let now: @Sendable () -> Date

    /// Exchanges a refresh token for the session's next tokens. Two reads (account, device) and one write (device); a
    /// token that is bound to a key does not change and needs no write.
    /// - Throws: `accountDisabled`, `sessionEnded`, `refreshTokenReused`.
    package func refresh(
        _ request: RefreshRequest, _ proof: PresentedDPoPProof? = nil
    ) async throws(ServiceError) -> SessionResponse {
        try await refresh(request, proof, as: .device)
    }

    func refresh(
        _ request: RefreshRequest, _ proof: PresentedDPoPProof?, as client: RefreshingClient
    ) async throws(ServiceError) -> SessionResponse {
        do {
            let presented = try sessions.parse(request.refreshToken, proof)
            try limits.consume(presented.session)
            // An owner whose access token has ended must get the next one before anything else.
            try limits.check(presented.user, on: presented.device, for: .protection)
            let (found, record) = try await accounts.documents.store.both(
                { try await accounts.usableAccount(presented.user) },
                { try await sessions.devices.device(presented.device, of: presented.user) })
            guard let known = found else { throw ServiceError.sessionEnded }
            let account = try await accounts.startDueUnlinks(of: known)
            guard let session = record?.value.session, apps.isRegistered(session.client),
                client == .device || client == session.client.map(RefreshingClient.app)
            else { throw ServiceError.sessionEnded }
            // Told only to the holder of a session that the disabling ended.
            if let before = account.value.sessionStateBeforeDisabling(at: now()), session.id == presented.session,
                sessions.isValid(session, before)
            {
                throw ServiceError.accountDisabled
            }
            // Checked before the token is used up: a refusal must not cost the client its next token.
            let sessionState = account.value.sessionState(at: now())
            if session.id == presented.session, sessions.isValid(session, sessionState) {
                try limits.consume(presented.user, on: presented.device, for: .protection)
            }
            let next = try await refreshSession(presented, on: record, sessionState)
            // A replay at another instance returns a token that is unusable without the key.
            try await dpopProofs.consume(presented.proof, isOnce: false)
            return SessionResponse(session: next)
        } catch SessionError.invalidToken {
            throw .sessionEnded
        } catch {
            throw ServiceError(error)
        }
    }

    private func refreshSession(
        _ presented: PresentedRefreshToken, on device: Stored<DeviceRecord>?, _ sessionState: SessionState
    ) async throws(SessionError) -> Session {
        do throws(SessionError) {
            return try await sessions.refresh(presented, on: device, sessionState)
        } catch {
            if error == .refreshTokenReused {
                metrics.increment(ServiceMetric.refreshReuse)
                await auditLog.enqueueDeviceEvents(onDeviceOf: presented.user)
            }
            throw error
        }
    }

    /// Refreshes the session of an app and returns the user that it belongs to.
    /// - Throws: `sessionEnded` for a token that was issued to another client or to a device.
    package func refreshApp(
        _ refreshToken: String, client: String?, _ presented: PresentedDPoPProof?
    ) async throws(ServiceError) -> (session: Session, user: UserID) {
        guard let client else { throw .invalidRequest("client_id is required.") }
        guard apps.isRegistered(client) else { throw .unknownApp }
        let request = RefreshRequest(refreshToken: refreshToken)
        let session = try await refresh(request, presented, as: .app(client)).session
        guard let user = sessions.user(ofRefreshToken: refreshToken) else { throw .sessionEnded }
        return (session, user)
    }
}
