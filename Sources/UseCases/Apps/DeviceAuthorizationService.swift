import Accounts
import Foundation
import PhotolalaAPI
import Secrets
import Sessions

/// A device that waits for approval, as the approval page shows it: only what its code contains, no text of the
/// requester.
package struct PendingDevice: Sendable {
    package let app: AppClient
    package let platform: DevicePlatform?
    fileprivate let code: UserCode
}

/// Authorizes devices without a browser (RFC 8628) and opens their sessions.
package struct DeviceAuthorizationService: Sendable {
    let requests: AppRequests
    let deviceCodes: DeviceCodes
    let devicePolls: DevicePolls
    let usedMarkers: SingleUseMarkers
    let dpopProofs: DPoPProofs
    let limits: RateLimiter
    let appSessions: AppSessions
    let sensitiveActions: SensitiveActionPolicy
    let randomness: Randomness

    /// Issues the codes for a device without a browser (RFC 8628 section 3.1). Makes no store request.
    /// - Parameter parameter: returns a request parameter by name.
    package func createDeviceCode(_ parameter: (String) -> String?) throws(ServiceError) -> IssuedDeviceCode {
        guard let id = parameter("client_id"), let client = requests.apps.first(where: { $0.id == id }) else {
            throw .unknownApp
        }
        guard
            let device = requests.deviceDescription(
                parameter("device_id"), name: parameter("device_name") ?? client.name,
                platform: parameter("device_platform") ?? "app")
        else {
            throw .invalidRequest(
                "device_id must be a UUID, device_name 1 to 100 and device_platform 1 to 32 characters.")
        }
        let platform = DevicePlatform(named: device.platform)?.rawValue ?? ""
        let subject = DeviceCodeSubject(client: client.id, platform: platform)
        do { return try deviceCodes.issue(to: device, for: subject, among: deviceCodeSubjects) } catch {
            throw ServiceError(error)
        }
    }

    /// All subjects that a user code can contain.
    private var deviceCodeSubjects: [DeviceCodeSubject] {
        let platforms = DevicePlatform.allCases.map(\.rawValue) + [""]
        return requests.apps.flatMap { app in platforms.map { DeviceCodeSubject(client: app.id, platform: $0) } }
    }

    /// Returns the device that shows a user code. One read. Does not know whether the device still waits.
    /// - Returns: `nil` for a code that is not authentic, has expired or has already been decided.
    package func pendingDevice(_ code: String, caller: Caller) async throws(ServiceError) -> PendingDevice? {
        // Limits the codes that one session can try.
        try limits.consume(caller.session.id)
        let found = try await mapServiceErrors { try await deviceCodes.pendingCode(code, among: deviceCodeSubjects) }
        guard let found, let app = requests.apps.first(where: { $0.id == found.subject.client }) else { return nil }
        return PendingDevice(app: app, platform: DevicePlatform(rawValue: found.subject.platform), code: found)
    }

    /// Stores whether a device is approved, which needs recent authentication. One write.
    /// - Throws: `notFound` where another decision about the code was stored first, `reauthenticationRequired`.
    package func decide(_ isAllowed: Bool, on waiting: PendingDevice, caller: Caller) async throws(ServiceError) {
        if isAllowed { try sensitiveActions.requireRecentAuthentication(caller, for: .authorizeApp) }
        let decision: DeviceCodeDocument.Decision =
            isAllowed
            ? .allowed(user: caller.user, device: caller.device.value.id, session: caller.session.id) : .denied
        let isStored = try await mapServiceErrors { try await deviceCodes.decide(decision, on: waiting.code) }
        guard isStored else { throw .notFound }
    }

    /// Opens the session of an approved device (RFC 8628 section 3.4). One read until the approval; then four reads and
    /// two writes. Makes no store request for a device that polls too often.
    /// - Throws: `invalidCode`, `slowDown`, `authorizationPending`, `deviceDenied`.
    package func exchangeDeviceCode(
        _ code: String, client: String, _ presented: PresentedDPoPProof?
    ) async throws(ServiceError) -> (session: Session, user: UserID) {
        let keyThumbprint = try dpopProofs.verifyDeviceKey(presented)
        let waiting: PendingDeviceCode
        do { waiting = try deviceCodes.open(code) } catch { throw Self.oauthError(error) }
        guard requests.apps.isRegistered(client) else { throw .unknownApp }
        guard waiting.subject.client == client else { throw .invalidCode("issued to another client") }
        try devicePolls.recordPoll(waiting.id)
        let found: DeviceCodeDocument?
        do { found = try await deviceCodes.decision(on: waiting) } catch { throw Self.oauthError(error) }
        guard let found else { throw .authorizationPending }
        guard case .allowed(let user, let device, let session) = found.decision else { throw .deviceDenied }
        // The app's session must not replace the session of the browser that approves it.
        guard waiting.device.id != device else { throw .invalidCode("device_id of the approving browser") }
        let approver = try await appSessions.approver(of: user, on: device, in: session)
        try await dpopProofs.consume(keyThumbprint, isOnce: false)
        do {
            // The mark is derived from the decision, so a decision opens one session even if several device codes name
            // it.
            try await usedMarkers.consume(
                "device-\(found.id.uuidString.lowercased())", expiresAt: waiting.decisionEndsAt,
                marker: Hex.encode(randomness.bytes(16)))
        } catch {
            throw ServiceError(error) { _ in .invalidCode("already used") }
        }
        let grant = AppGrant(session: SessionID(uuid: randomness.uuid()), client: client)
        return (
            try await appSessions.open(grant, on: waiting.device, approvedBy: approver, key: keyThumbprint?.key), user
        )
    }

    private static func oauthError(_ error: SessionError) -> ServiceError {
        guard case .invalidToken(let reason) = error else { return ServiceError(error) }
        return .invalidCode(reason)
    }
}
