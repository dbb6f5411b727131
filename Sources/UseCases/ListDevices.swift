import PhotolalaAPI
import Sessions

extension Services {
    /// Returns the devices signed in to the caller's account, the most recently seen first.
    package func devices(_ caller: Caller) async throws(ServiceError) -> Devices {
        let standing = caller.account.value.sessionState(at: now())
        return try await mapServiceErrors {
            let signedIn = try await listedDevices(of: caller.user).filter { device in
                device.session.map { sessions.isValid($0, standing) } ?? false
            }
            return Devices(
                devices: signedIn.sorted { ($1.lastSeenAt, "\($0.id)") < ($0.lastSeenAt, "\($1.id)") }.map { record in
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
                "storing an account's device list failed; listing reads each device",
                metadata: ["account": "\(user)", "reason": "\(failure)"])
        }
        return listing.devices
    }

    /// Signs out and removes a device of the caller's account. Requires recent authentication.
    package func removeDevice(_ id: DeviceID, caller: Caller) async throws(ServiceError) {
        try requireRecentAuthentication(caller, for: .removeDevice)
        let standing = caller.account.value.sessionState(at: now())
        try await mapServiceErrors {
            try await sessions.remove(id, of: caller.user, by: caller.device.value.id, standing) {
                isProtected($0, from: caller)
            }
        }
        await enqueueDeviceEvents(onDeviceOf: caller.user)
    }

    /// Records that the calling device has finished a sync.
    package func recordSync(_ id: DeviceID, caller: Caller) async throws(ServiceError) {
        guard id == caller.device.value.id else { throw .notFound }
        try await mapServiceErrors { try await sessions.recordSync(caller.device, of: caller.user) }
    }
}
