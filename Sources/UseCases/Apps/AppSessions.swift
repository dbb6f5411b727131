import Foundation
import JWS
import PhotolalaAPI
import Sessions

/// Opens the sessions of apps that a signed-in user approved.
struct AppSessions: Sendable {
    let authenticator: CallerAuthenticator
    let sessions: SessionIssuer
    let auditLog: DeviceAuditLog
    let sensitiveActions: SensitiveActionPolicy
    let deviceLimit: DeviceLimit
    let now: @Sendable () -> Date

    /// Returns the approving caller with the current session and account. Two reads.
    func approver(
        of user: UserID, on device: DeviceID, in session: SessionID
    ) async throws(ServiceError) -> Caller {
        do {
            return try await authenticator.caller(user, device, session, authTime: now())
        } catch ServiceError.sessionEnded, SessionError.ended {
            throw .invalidCode("approving session has ended")
        } catch { throw ServiceError(error) }
    }

    /// Opens a session on an app's device. One read, one write.
    func open(
        _ grant: AppGrant, on device: DeviceDescription, approvedBy approver: Caller, key: KeyThumbprint?
    ) async throws(ServiceError) -> Session {
        // The session belongs to the identity that authenticated for the approval, and ends with its link.
        let authority = approver.authority(at: now())
        guard approver.isAuthenticationLinked(at: now()),
            let link = approver.account.value.links.first(where: { $0.id == authority })
        else { throw .invalidCode("approving identity is not linked") }
        return try await mapServiceErrors { () async throws -> Session in
            let opened = try await auditLog.recordingAuditEvents(on: device.id, of: approver.account) { state in
                // The user authenticated in another session, and the requester of this one may be another person.
                // Counting the approval as recent authentication would let the requester link an identity of their own.
                try await sessions.open(
                    on: device, user: approver.user, link: link.id, of: link.provider, state, key: key,
                    provedAt: SessionRecord.neverAuthenticated, isNewAccount: false, grant: grant,
                    unless: {
                        sensitiveActions.isProtected($0, from: approver)
                            || sensitiveActions.isHeldByOther($0, than: authority, in: approver.account.value)
                    }
                )
            }
            if opened.isOnNewDevice {
                try await deviceLimit.addDevice(
                    device.id, openedBy: link.id, approvedBy: approver, to: approver.account)
            }
            return opened.session
        }
    }
}
