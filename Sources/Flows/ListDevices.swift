import Accounts
import PhotolalaAPI
import Sessions

extension Services {
    /// Returns the devices signed in to the caller's account, the most recently seen first.
    package func devices(_ caller: Caller) async throws(FlowError) -> Devices {
        let standing = caller.account.value.standing(at: now())
        return try await step {
            let signedIn = try await listedDevices(of: caller.user).filter { device in
                device.session.map { sessions.isStanding($0, standing) } ?? false
            }
            return Devices(
                devices: signedIn.sorted { $0.lastSeenAt > $1.lastSeenAt }.map { record in
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

    /// Returns all devices of an account, including signed-out and removed ones. For the cost see
    /// `DeviceDirectory.list`.
    func listedDevices(of user: UserID) async throws -> [ListedDevice] {
        let listing = try await sessions.devices.list(of: user)
        if let failure = listing.cacheFailure {
            logger.warning(
                "the device list of an account was not stored; lists read each device",
                metadata: ["account": "\(user)", "reason": "\(failure)"])
        }
        return listing.devices
    }

    /// Signs out and removes a device of the caller's account. Requires recent authentication.
    package func removeDevice(_ id: DeviceID, caller: Caller) async throws(FlowError) {
        try requireRecentProof(caller, for: .removeDevice)
        try await step { try await sessions.remove(id, of: caller.user, by: caller.device.value.id) }
        await keepEvent(onDeviceOf: caller.user)
    }

    /// Records that the calling device has finished a sync.
    package func noteSync(_ id: DeviceID, caller: Caller) async throws(FlowError) {
        guard id == caller.device.value.id else { throw .notFound }
        try await step { try await sessions.noteSync(caller.device, of: caller.user) }
    }
}
