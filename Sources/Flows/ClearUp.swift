import Accounts
import Foundation
import PhotolalaAPI
import Sessions

extension Services {
    /// How long an unused device is remembered, in seconds.
    static let deviceMemory: TimeInterval = 90 * 86_400

    /// Deletes expired spent marks.
    package func clearSpentMarks() async throws(FlowError) {
        _ = try await step { try await spentMarks.clearExpired(at: now()) }
    }

    /// Deletes expired decisions about device codes.
    package func clearDeviceCodes() async throws(FlowError) {
        _ = try await step { try await deviceCodes.clearExpired() }
    }

    /// Flushes the pending audit events of devices into the accounts' audit logs, finishes device removals, and forgets
    /// devices without a session for 90 days and devices beyond the device limit. An account without such devices costs
    /// one listing and a read for each device, and one more read if events are delivered, to find undelivered events.
    package func settleDevices(holding lease: JobLease? = nil) async throws(FlowError) {
        let time = now().addingTimeInterval(-Self.deviceMemory)
        try await forEachAccount(.devices, holding: lease) { user in
            let stored = try await sessions.devices.stored(of: user)
            for device in stored where device.value.isUnused(since: time) {
                try await sessions.forget(device, of: user)
            }
            let displaced = try await displaceSurplus(stored, of: user)
            let unsettled = stored.map(\.value).filter { device in
                device.isUnsettled || device.isUnused(since: time) || displaced.contains(device.id)
            }
            if !unsettled.isEmpty { _ = try await settle(unsettled.map(\.id), of: user, delivering: true) }
            try await accounts.keepDelivery(of: user)
        }
    }

    /// Flushes the pending audit events of one account's devices, before its events are delivered.
    /// - Returns: whether nothing is left to flush.
    func settleDevices(of user: UserID) async throws -> Bool {
        let found = try await sessions.devices.devices(of: user).filter(\.isUnsettled)
        return try await settle(found.map(\.id), of: user, delivering: false)
    }

    /// Flushes devices in small batches until all are done or no progress is possible.
    /// - Returns: whether all are done; `true` for an account that is no longer in use.
    func settle(_ devices: [DeviceID], of user: UserID, delivering: Bool) async throws -> Bool {
        var waiting = devices
        while !waiting.isEmpty {
            guard let account = try await accounts.account(user), account.value.isUsable else { return true }
            let some = Array(waiting.prefix(Self.settledTogether))
            let folded = try await accounts.fold(
                some, into: account, noted: notedActs(of: user), delivering: delivering)
            var done: Set<DeviceID> = []
            for device in some {
                let chained = folded.value.chained(device)
                if try await sessions.devices.settle(device, of: user, chained: chained) { done.insert(device) }
            }
            // Another instance may have flushed everything, or may be writing now; the next run flushes the rest.
            let isMoving = folded.value.audit.sequence > account.value.audit.sequence || !done.isEmpty
            guard isMoving else { return false }
            waiting.removeAll { done.contains($0) }
        }
        return true
    }

    private static let settledTogether = 8
}
