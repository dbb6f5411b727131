import Foundation
import PhotolalaAPI
import Sessions

/// Lists and removes an account's devices.
package struct DeviceService: Sendable {
    let sessions: SessionIssuer
    let deviceList: DeviceList
    let sensitiveActions: SensitiveActionPolicy
    let auditLog: DeviceAuditLog
    let storageAccess: StorageAccessService
    let now: @Sendable () -> Date

    /// Returns the devices signed in to the caller's account, the most recently seen first.
    package func list(of caller: Caller) async throws(ServiceError) -> Devices {
        let sessionState = caller.account.value.sessionState(at: now())
        return try await mapServiceErrors {
            let signedIn = try await deviceList.listedDevices(of: caller.user).filter { device in
                device.session.map { sessions.isValid($0, sessionState) } ?? false
            }
            let devices = signedIn.map { record in
                Device(
                    id: record.id, name: record.name, model: record.model, platform: record.platform,
                    createdAt: record.createdAt,
                    // The record's own date is changed at most once a day.
                    lastSeenAt: max(record.lastSeenAt, record.lastSyncAt ?? record.lastSeenAt),
                    lastSyncAt: record.lastSyncAt, isBound: record.session?.key != nil,
                    isCurrent: record.id == caller.device.value.id, country: record.country
                )
            }
            return Devices(
                devices: devices.sorted { ($1.lastSeenAt, "\($0.id)") < ($0.lastSeenAt, "\($1.id)") },
                storageAccessAfterRemoval: Int(storageAccess.storageAccessAfterRemoval)
            )
        }
    }

    /// Signs out and removes a device of the caller's account. Requires recent authentication.
    package func removeDevice(_ id: DeviceID, caller: Caller) async throws(ServiceError) {
        try sensitiveActions.requireRecentAuthentication(caller, for: .removeDevice)
        let sessionState = caller.account.value.sessionState(at: now())
        try await mapServiceErrors {
            try await sessions.remove(id, of: caller.user, by: caller.device.value.id, sessionState) {
                sensitiveActions.isProtected($0, from: caller)
            }
        }
        await auditLog.enqueueDeviceEvents(onDeviceOf: caller.user)
    }

    /// Records that the calling device has finished a sync.
    package func recordSync(_ id: DeviceID, caller: Caller) async throws(ServiceError) {
        guard id == caller.device.value.id else { throw .notFound }
        try await mapServiceErrors { try await sessions.recordSync(caller.device, of: caller.user) }
    }
}
