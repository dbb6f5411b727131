import Accounts
import Crypto
import Foundation
import JWS
import PhotolalaAPI
import Secrets
import Sessions

extension Services {
    /// Opens the session of an app that the user approved. Three reads (account, approving device, the app's device)
    /// and two writes (spent code, device).
    /// - Parameters:
    ///   - verifier: the PKCE code verifier (RFC 7636 section 4.1).
    ///   - presented: the DPoP proof of the key to bind the session to.
    /// - Throws: `invalidCode`.
    package func exchangeAppCode(
        _ code: String, client: String, redirectURI: String, verifier: String, _ presented: PresentedDPoPProof?
    ) async throws(ServiceError) -> (session: Session, user: UserID) {
        let holder = try verifyDeviceKey(presented)
        let authorization: AppAuthorization
        do { authorization = try authorizationCodes.authorization(code) } catch {
            guard case .invalidToken(let reason) = error else { throw ServiceError(error) }
            throw .invalidCode(reason)
        }
        guard apps.contains(where: { $0.id == client }) else { throw .unknownApp }
        guard authorization.client == client, authorization.redirectURI.utf8.elementsEqual(redirectURI.utf8) else {
            throw .invalidCode("issued for another client or redirect_uri")
        }
        let hash = Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
        guard (43...128).contains(verifier.utf8.count),
            ConstantTime.isEqual(hash.utf8, authorization.codeChallenge.utf8)
        else { throw .invalidCode("code_verifier does not match code_challenge") }
        let approver = try await approver(
            of: authorization.user, on: authorization.approvedOn, in: authorization.approvedIn)
        try await consume(holder, isOnce: false)
        do {
            try await usedMarkers.consume(
                "code-\(Hex.encode(withUnsafeBytes(of: authorization.id.uuid) { Data($0) }))",
                expiresAt: authorization.expiresAt, mark: Hex.encode(sessions.randomness.bytes(16))
            )
        } catch {
            if error == .alreadyUsed { try await revokeSession(of: authorization) }
            throw ServiceError(error) { _ in .invalidCode("already used") }
        }
        let grant = AppGrant(session: SessionID(uuid: authorization.id), client: client)
        let session = try await startAppSession(grant, on: authorization.device, approvedBy: approver, key: holder?.key)
        return (session, authorization.user)
    }

    /// Ends the session that a replayed code opened (RFC 6749 section 4.1.2), because one of the two clients stole the
    /// code.
    private func revokeSession(of authorization: AppAuthorization) async throws(ServiceError) {
        try await mapServiceErrors {
            guard let device = try await sessions.devices.device(authorization.device.id, of: authorization.user) else {
                return
            }
            try await sessions.end(SessionID(uuid: authorization.id), on: device, of: authorization.user)
        }
    }

    /// Returns whether the app of a session is still registered; `true` for a session without an app.
    func isRegistered(_ client: String?) -> Bool {
        guard let client else { return true }
        return apps.contains { $0.id == client }
    }

    /// Refreshes the session of an app and returns the user that it belongs to.
    /// - Throws: `sessionEnded` for a token that was issued to another client or to a device.
    package func refreshApp(
        _ refreshToken: String, client: String?, _ presented: PresentedDPoPProof?
    ) async throws(ServiceError) -> (session: Session, user: UserID) {
        guard let client else { throw .invalidRequest("client_id is required.") }
        guard apps.contains(where: { $0.id == client }) else { throw .unknownApp }
        let request = RefreshRequest(refreshToken: refreshToken)
        let session = try await refresh(request, presented, as: .app(client)).session
        guard let user = sessions.user(ofRefreshToken: refreshToken) else { throw .sessionEnded }
        return (session, user)
    }

    /// Returns the approving caller with the current session and account. Two reads.
    func approver(
        of user: UserID, on device: DeviceID, in session: SessionID
    ) async throws(ServiceError) -> Caller {
        do {
            return try await caller(user, device, session, authTime: now())
        } catch ServiceError.sessionEnded, SessionError.ended {
            throw .invalidCode("approving session has ended")
        } catch { throw ServiceError(error) }
    }

    /// Opens a session on an app's device. One read, one write.
    func startAppSession(
        _ grant: AppGrant, on device: DeviceDescription, approvedBy approver: Caller, key: KeyThumbprint?
    ) async throws(ServiceError) -> Session {
        guard let link = approver.account.value.links.first(where: { $0.id == approver.session.link }) else {
            throw .invalidCode("approving identity is not linked")
        }
        return try await mapServiceErrors { () async throws -> Session in
            let opened = try await recordingAuditEvents(on: device.id, of: approver.account) { standing in
                // The user authenticated in another session, and the requester of this one may be another person.
                // Counting the approval as recent authentication would let the requester link an identity of their own.
                try await sessions.open(
                    on: device, user: approver.user, link: link.id, of: link.provider, standing, key: key,
                    provedAt: SessionRecord.neverAuthenticated, isNewAccount: false, grant: grant,
                    unless: {
                        isProtected($0, from: approver)
                            || isHeldByOther($0, than: approver.session.link, in: approver.account.value)
                    }
                )
            }
            if opened.isOnNewDevice {
                try await addDevice(device.id, openedBy: link.id, approvedBy: approver, to: approver.account)
            }
            return opened.session
        }
    }
}
