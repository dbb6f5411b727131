import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// The devices that are signed in to the caller's account, the most recently seen first.
    package func devices(_ caller: Caller) async throws(FlowError) -> Devices {
        let standing = caller.account.value.standing(at: now())
        return try await step {
            let records = try await sessions.devices.devices(of: caller.user).filter { record in
                guard let session = record.session else { return false }
                return (try? sessions.standing(session.id, on: record, standing)) != nil
            }
            return Devices(
                devices: records.sorted { $0.lastSeenAt > $1.lastSeenAt }.map { record in
                    Device(
                        id: record.id, name: record.name, model: record.model, platform: record.platform,
                        createdAt: record.createdAt, lastSeenAt: record.lastSeenAt, lastSyncAt: record.lastSyncAt,
                        isBound: record.session?.key != nil, isCurrent: record.id == caller.device.value.id
                    )
                },
                storageAccessAfterRemoval: Int(storageAccessAfterRemoval)
            )
        }
    }

    /// Signs a device of the caller's account out and forgets it. Needs a recent proof.
    package func removeDevice(_ id: DeviceID, caller: Caller) async throws(FlowError) {
        try requireRecentProof(caller, for: .removeDevice)
        try await step { try await sessions.remove(id, of: caller.user, by: caller.device.value.id) }
        await keepEvent(onDeviceOf: caller.user)
    }

    /// Notes that the calling device has finished a sync.
    package func noteSync(_ id: DeviceID, caller: Caller) async throws(FlowError) {
        guard id == caller.device.value.id else { throw .notFound }
        try await step { try await sessions.noteSync(caller.device, of: caller.user) }
    }
}
