import Accounts
import Foundation
import PhotolalaAPI
import Sessions

extension Services {
    /// How long a device that is out of use is remembered, in seconds.
    static let deviceMemory: TimeInterval = 90 * 86_400

    /// Removes marks of spent proofs that have ended.
    package func clearSpentMarks() async throws(FlowError) {
        _ = try await step { try await spentMarks.clearExpired(at: now()) }
    }

    /// Removes what is left of devices that waited to be let in.
    package func clearDeviceCodes() async throws(FlowError) {
        _ = try await step { try await deviceCodes.clearExpired() }
    }

    /// Takes what devices noted into the accounts' audit chains, lets go of removed devices, and forgets those that nobody
    /// was signed in on for 90 days, and those beyond the limit of an account. An account without any such device costs one listing and a read for each device, and
    /// where events are sent a read more, to see whether some were forgotten.
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

    /// Takes what devices of one account noted into its chain now, for whoever sends its events.
    /// - Returns: whether nothing is left.
    func settleDevices(of user: UserID) async throws -> Bool {
        let found = try await sessions.devices.devices(of: user).filter(\.isUnsettled)
        return try await settle(found.map(\.id), of: user, delivering: false)
    }

    /// A few devices at a time, until all are done or none can be.
    /// - Returns: whether all are done; those of an account that is not in use any more never will be.
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
            // Somebody else may have been faster with all of it, or acts just now: the rest is for the next time.
            let isMoving = folded.value.audit.sequence > account.value.audit.sequence || !done.isEmpty
            guard isMoving else { return false }
            waiting.removeAll { done.contains($0) }
        }
        return true
    }

    private static let settledTogether = 8
}
