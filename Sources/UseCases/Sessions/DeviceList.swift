import Logging
import Monitoring
import PhotolalaAPI
import Sessions

/// Lists the devices of accounts.
struct DeviceList: Sendable {
    let sessions: SessionIssuer
    let logger: Logger

    /// Returns all devices of an account, including signed-out and removed ones. For the cost see
    /// `DeviceDirectory.list`.
    func listedDevices(of user: UserID) async throws -> [ListedDevice] {
        let listing = try await sessions.devices.list(of: user)
        if let failure = listing.cacheFailure {
            logger.warning(
                .deviceListNotStored, "storing an account's device list failed; listing reads each device",
                metadata: ["account": "\(user)", "reason": "\(failure)"])
        }
        return listing.devices
    }
}
