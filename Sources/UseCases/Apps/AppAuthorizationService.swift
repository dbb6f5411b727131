import Accounts
import Crypto
import Foundation
import PhotolalaAPI
import Secrets
import Sessions

/// Authorizes apps with a browser and opens their sessions.
package struct AppAuthorizationService: Sendable {
    let apps: [AppClient]
    let authorizationCodes: AuthorizationCodes
    let usedMarkers: SingleUseMarkers
    let dpopProofs: DPoPProofs
    let sessions: SessionIssuer
    let appSessions: AppSessions
    let sensitiveActions: SensitiveActionPolicy
    let now: @Sendable () -> Date

    /// Returns the authorization code of an app that the caller authorizes. Requires recent authentication.
    package func approve(_ request: AppAuthorizationRequest, caller: Caller) throws(ServiceError) -> String {
        try sensitiveActions.requireRecentAuthentication(caller, for: .authorizeApp)
        let device = DeviceDescription(
            id: request.deviceID ?? deviceID(of: request.client, in: caller.device.value.id), name: request.deviceName,
            platform: request.devicePlatform)
        try checkApproval(device, approvedBy: caller)
        let authorization = AppAuthorization(
            id: sessions.randomness.uuid(), client: request.client.id, redirectURI: request.redirectURI,
            codeChallenge: request.codeChallenge, device: device, user: caller.user,
            approvedOn: caller.device.value.id, approvedIn: caller.session.id,
            expiresAt: now().addingTimeInterval(AuthorizationCodes.lifetime)
        )
        do { return try authorizationCodes.makeCode(for: authorization) } catch { throw ServiceError(error) }
    }

    /// Refuses a device id that equals the approving browser's: the app's session would replace the browser's own.
    func checkApproval(_ device: DeviceDescription, approvedBy caller: Caller) throws(ServiceError) {
        guard device.id != caller.device.value.id else {
            throw .invalidRequest("device_id must differ from the approving browser's.")
        }
    }

    /// Returns a stable device id for an app that stores none: the id of this app in this browser.
    private func deviceID(of app: AppClient, in browser: DeviceID) -> DeviceID {
        DeviceID(derivedFrom: "photolala-app-device\n\(app.id)\n\(browser)")
    }

    /// Opens the session of an app that the user approved. Three reads (account, approving device, the app's device)
    /// and two writes (spent code, device).
    /// - Parameters:
    ///   - verifier: the PKCE code verifier (RFC 7636 section 4.1).
    ///   - presented: the DPoP proof of the key to bind the session to.
    /// - Throws: `invalidCode`.
    package func exchangeAppCode(
        _ code: String, client: String, redirectURI: String, verifier: String, _ presented: PresentedDPoPProof?
    ) async throws(ServiceError) -> (session: Session, user: UserID) {
        let keyThumbprint = try dpopProofs.verifyDeviceKey(presented)
        let authorization: AppAuthorization
        do { authorization = try authorizationCodes.authorization(code) } catch {
            guard case .invalidToken(let reason) = error else { throw ServiceError(error) }
            throw .invalidCode(reason)
        }
        guard apps.isRegistered(client) else { throw .unknownApp }
        guard authorization.client == client, authorization.redirectURI.utf8.elementsEqual(redirectURI.utf8) else {
            throw .invalidCode("issued for another client or redirect_uri")
        }
        let hash = Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
        guard (43...128).contains(verifier.utf8.count),
            ConstantTime.isEqual(hash, authorization.codeChallenge)
        else { throw .invalidCode("code_verifier does not match code_challenge") }
        let approver = try await appSessions.approver(
            of: authorization.user, on: authorization.approvedOn, in: authorization.approvedIn)
        try await dpopProofs.consume(keyThumbprint, isOnce: false)
        do {
            try await usedMarkers.consume(
                "code-\(Hex.encode(withUnsafeBytes(of: authorization.id.uuid) { Data($0) }))",
                expiresAt: authorization.expiresAt, marker: Hex.encode(sessions.randomness.bytes(16))
            )
        } catch {
            if error == .alreadyUsed { try await revokeSession(of: authorization) }
            throw ServiceError(error) { _ in .invalidCode("already used") }
        }
        let grant = AppGrant(session: SessionID(uuid: authorization.id), client: client)
        let session = try await appSessions.open(
            grant, on: authorization.device, approvedBy: approver, key: keyThumbprint?.key)
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
}
