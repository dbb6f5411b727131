import Accounts
import Foundation
import Logging
import Monitoring
import PhotolalaAPI
import Sessions

/// Flushes, forgets and removes the devices of all accounts.
package struct DeviceCleanup: Sendable {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let auditLog: DeviceAuditLog
    let deviceLimit: DeviceLimit
    let accountWalk: AccountWalk
    let now: @Sendable () -> Date
    let logger: Logger

    /// How long an unused device is remembered, in seconds.
    static let deviceRetention: TimeInterval = 90 * 86_400

    /// Flushes the pending audit events of devices into the accounts' audit logs, finishes device removals, and forgets
    /// devices without a session for 90 days and devices beyond the device limit. Schedules the erasure of accounts that
    /// were deleted before and that a backup brought back. An account without such devices costs
    /// one listing and a read for each device, and one more read if events are delivered, to find undelivered events.
    package func cleanUpDevices(holding lease: JobLease? = nil) async throws(ServiceError) {
        let time = now().addingTimeInterval(-Self.deviceRetention)
        let erased = try await mapServiceErrors { try await accounts.erased.read() }
        try await accountWalk.forEachAccountConcurrently(.devices, holding: lease) { user in
            if erased.mayContain(user), try await deleteAgain(user, erased) { return }
            let stored = try await sessions.devices.stored(of: user)
            for device in stored where device.value.isUnused(since: time) {
                try await sessions.forget(device, of: user)
            }
            let displaced = try await deviceLimit.evictSurplus(stored, of: user)
            let unsettled = stored.map(\.value).filter { device in
                device.awaitsAuditLog || device.isUnused(since: time) || displaced.contains(device.id)
            }
            if !unsettled.isEmpty {
                _ = try await auditLog.flushDevices(unsettled.map(\.id), of: user, delivering: true)
            }
            try await accounts.ensureDelivery(of: user)
        }
    }

    /// Schedules the erasure of an account that was deleted before.
    /// - Returns: `false` if it was not.
    private func deleteAgain(_ user: UserID, _ erased: ErasedAccounts) async throws -> Bool {
        guard let account = try await accounts.account(user),
            try await accounts.isResurrected(account.value, among: erased)
        else { return false }
        try await accounts.scheduleErasure(of: account)
        logger.error(
            .deletedAccountReturned, "a deleted account was brought back; its erasure is scheduled",
            metadata: ["account": "\(user)"])
        return true
    }
}
