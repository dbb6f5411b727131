import Accounts
import Foundation
import PhotolalaAPI
import Sessions

extension Services {
    /// How long an unused device is remembered, in seconds.
    static let deviceRetention: TimeInterval = 90 * 86_400

    /// Deletes expired spent marks.
    package func removeExpiredMarkers() async throws(ServiceError) {
        _ = try await mapServiceErrors { try await usedMarkers.removeExpired(at: now()) }
    }

    /// Deletes expired decisions about device codes.
    package func removeExpiredDeviceCodes() async throws(ServiceError) {
        _ = try await mapServiceErrors { try await deviceCodes.removeExpired() }
    }

    /// Flushes the pending audit events of devices into the accounts' audit logs, finishes device removals, and forgets
    /// devices without a session for 90 days and devices beyond the device limit. An account without such devices costs
    /// one listing and a read for each device, and one more read if events are delivered, to find undelivered events.
    package func flushDevices(holding lease: JobLease? = nil) async throws(ServiceError) {
        let time = now().addingTimeInterval(-Self.deviceRetention)
        try await forEachAccount(.devices, holding: lease) { user in
            let stored = try await sessions.devices.stored(of: user)
            for device in stored where device.value.isUnused(since: time) {
                try await sessions.forget(device, of: user)
            }
            let displaced = try await evictSurplus(stored, of: user)
            let unsettled = stored.map(\.value).filter { device in
                device.awaitsAuditLog || device.isUnused(since: time) || displaced.contains(device.id)
            }
            if !unsettled.isEmpty { _ = try await flushDevices(unsettled.map(\.id), of: user, delivering: true) }
            try await accounts.ensureDelivery(of: user)
        }
    }

    /// Flushes the pending audit events of one account's devices, before its events are delivered.
    /// - Returns: whether nothing is left to flush.
    func flushDevices(of user: UserID) async throws -> Bool {
        let found = try await sessions.devices.devices(of: user).filter(\.awaitsAuditLog)
        return try await flushDevices(found.map(\.id), of: user, delivering: false)
    }

    /// Flushes devices in small batches until all are done or no progress is possible.
    /// - Returns: whether all are done; `true` for an account that is no longer in use.
    func flushDevices(_ devices: [DeviceID], of user: UserID, delivering: Bool) async throws -> Bool {
        var waiting = devices
        while !waiting.isEmpty {
            guard let account = try await accounts.account(user), account.value.isUsable else { return true }
            // Devices with a mark first: once their records are reconciled, the next flush drops their marks.
            let marked = Set(account.value.audit.folded.map(\.device))
            waiting = waiting.filter(marked.contains) + waiting.filter { !marked.contains($0) }
            let some = Array(waiting.prefix(Self.flushBatchSize))
            let folded = try await accounts.flush(
                some, into: account, noted: pendingAuditEvents(of: user), delivering: delivering)
            var done: Set<DeviceID> = []
            for device in some {
                let chained = folded.value.logged(device)
                if try await sessions.devices.reconcile(device, of: user, chained: chained) { done.insert(device) }
            }
            // Another instance may have flushed everything, or may be writing now; the next run flushes the rest.
            let isMoving = folded.value.audit.sequence > account.value.audit.sequence || !done.isEmpty
            guard isMoving else { return false }
            waiting.removeAll { done.contains($0) }
        }
        return true
    }

    private static let flushBatchSize = 8
}
