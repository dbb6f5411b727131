import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Sessions

extension Services {
    /// The most devices that one sign-in removes; the daily job removes the rest.
    private static let displacedAtOnce = 8

    /// What follows a sign-in on a device that the account did not have: its event is delivered, and where the account has
    /// more devices than it may, those that were used least recently are signed out and removed. The session is open
    /// already, so a failure is logged, and the next such sign-in or the daily job removes them.
    ///
    /// One listing. Beyond the limit a list of the devices, a read and a write for each that is removed, and their acts go
    /// into the audit chain.
    func addDevice(_ device: DeviceID, to account: Stored<AccountDocument>) async {
        let user = account.value.serviceUserID
        await keepEvent(onDeviceOf: user)
        do {
            let objects = try await sessions.devices.objects(of: user)
            guard objects.count > rules.devicesPerAccount else { return }
            let listed = try await sessions.devices.list(objects, of: user).devices
            let surplus = surplus(of: listed, keeping: device, in: account.value)
            let displaced = try await displace(surplus.prefix(Self.displacedAtOnce), of: user)
            // Removed records that wait count in the next listing, so they do not wait here.
            _ = try await settle(displaced, of: user, delivering: true)
        } catch {
            logger.error(
                "devices beyond the limit of an account were not removed",
                metadata: ["account": "\(user)", "reason": "\(error)"])
        }
    }

    /// Removes all devices beyond the limit. No request where there are none.
    /// - Returns: the devices whose acts are to be taken into the audit chain.
    func displaceSurplus(_ stored: [Stored<DeviceRecord>], of user: UserID) async throws -> [DeviceID] {
        guard stored.count > rules.devicesPerAccount, let account = try await accounts.account(user),
            account.value.isUsable
        else { return [] }
        let surplus = surplus(of: stored.map { ListedDevice($0) }, keeping: nil, in: account.value)
        return try await displace(surplus, of: user)
    }

    private func displace(_ devices: ArraySlice<ListedDevice>, of user: UserID) async throws -> [DeviceID] {
        for device in devices { try await sessions.displace(device, of: user) }
        return devices.map(\.id)
    }

    /// The devices beyond the limit: those without a session that stands first, then those of the same identity, each seen
    /// least recently first. An identity cannot displace devices of another one.
    /// - Parameter own: the device that has just signed in. Only devices that rank below it may be removed, so of two
    ///   sign-ins at once none removes the other's device unless the limit leaves no other.
    private func surplus(
        of devices: [ListedDevice], keeping own: DeviceID?, in account: AccountDocument
    ) -> ArraySlice<ListedDevice> {
        let standing = account.standing(at: now())
        let link = devices.first { $0.id == own }?.session?.link
        let ranked = devices.filter { $0.removedAt == nil }
            .map { device in
                let session = device.session.flatMap { sessions.isStanding($0, standing) ? $0 : nil }
                let rank = session.map { link == nil || $0.link == link ? 1 : 2 } ?? 0
                return (rank: rank, device: device)
            }
            .sorted { ($0.rank, $0.device.lastSeenAt, $0.device.id) < ($1.rank, $1.device.lastSeenAt, $1.device.id) }
            .map(\.device)
        let older = ranked.prefix { $0.id != own }
        return older.prefix(max(0, ranked.count - rules.devicesPerAccount))
    }
}
