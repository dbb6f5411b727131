import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets
import Sessions

/// A device that waits, for the page that asks about it.
package struct WaitingDevice: Sendable {
    package let app: AppClient
    package let device: DeviceDescription
    fileprivate let stored: Stored<DeviceCodeDocument>
    fileprivate let code: String
}

extension Services {
    /// Lets a device without a browser wait for its person (RFC 8628 section 3.1). One write.
    /// - Parameter parameter: of the request, by name.
    package func issueDeviceCode(
        _ parameter: (String) -> String?
    ) async throws(FlowError) -> IssuedDeviceCode {
        guard let id = parameter("client_id"), let client = apps.first(where: { $0.id == id }) else {
            throw .unknownApp
        }
        guard
            let device = appDevice(
                parameter("device_id"), name: parameter("device_name") ?? client.name,
                platform: parameter("device_platform") ?? "app")
        else { throw .invalidRequest("device_id is a UUID, device_name and device_platform are short texts") }
        return try await step { try await deviceCodes.issue(to: device, client: client.id) }
    }

    /// The device that waits with the code that somebody typed; `nil` for a code that is none, or not any more. Two reads.
    package func waitingDevice(_ code: String, caller: Caller) async throws(FlowError) -> WaitingDevice? {
        // Who guesses at codes is signed in, and has so many tries.
        try limits.take(caller.session.id)
        guard let found = try await step({ try await deviceCodes.waiting(code) }),
            let app = apps.first(where: { $0.id == found.value.client })
        else { return nil }
        return WaitingDevice(app: app, device: found.value.device, stored: found, code: code)
    }

    /// Writes down whether a device is let in, which needs a recent proof. One write.
    package func decide(_ isAllowed: Bool, on waiting: WaitingDevice, caller: Caller) async throws(FlowError) {
        if isAllowed { try requireRecentProof(caller, for: .letAppIn) }
        try check(waiting.device, approvedBy: caller)
        let decision: DeviceCodeDocument.Decision =
            isAllowed
            ? .allowed(user: caller.user, device: caller.device.value.id, session: caller.session.id) : .denied
        try await step { try await deviceCodes.decide(decision, on: waiting.stored, typed: waiting.code) }
    }

    /// What became of a device that waits, when it asks (RFC 8628 section 3.4). One read; when it was let in, four reads
    /// and two writes.
    /// - Throws: `invalidCode`, `authorizationPending`, `deviceDenied`.
    package func exchangeDeviceCode(
        _ code: String, client: String, _ presented: PresentedProof?
    ) async throws(FlowError) -> (session: Session, user: UserID) {
        let holder = try holder(presented)
        let found: Stored<DeviceCodeDocument>
        do { found = try await deviceCodes.decision(code) } catch { throw Self.refused(error) }
        guard apps.contains(where: { $0.id == client }) else { throw .unknownApp }
        guard found.value.client == client else { throw .invalidCode("of another client") }
        switch found.value.decision {
        case .waiting: throw .authorizationPending
        case .denied: throw .deviceDenied
        case .allowed(let user, let device, let session):
            let approver = try await approver(of: user, on: device, in: session)
            try await take(holder, isOnce: false)
            do {
                try await spentMarks.spend(
                    "device-\(Hex.encode(found.value.secretHash.prefix(16)))", expiresAt: found.value.expiresAt,
                    mark: Hex.encode(sessions.randomness.bytes(16)))
            } catch {
                throw FlowError(error) { _ in .invalidCode("it was used before") }
            }
            let grant = AppGrant(session: SessionID(uuid: sessions.randomness.uuid()), client: client)
            return (try await openApp(grant, on: found.value.device, approvedBy: approver, key: holder?.key), user)
        }
    }

    private static func refused(_ error: SessionError) -> FlowError {
        guard case .invalidToken(let reason) = error else { return FlowError(error) }
        return .invalidCode(reason)
    }
}
