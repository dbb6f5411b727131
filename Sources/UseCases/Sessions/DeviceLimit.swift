import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import Sessions

/// Removes the devices of accounts beyond the limit.
struct DeviceLimit: Sendable {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let auditLog: DeviceAuditLog
    let sensitiveActions: SensitiveActionPolicy
    let policy: ServicePolicy
    let now: @Sendable () -> Date
    let logger: Logger

    /// The most devices that one sign-in removes; the daily job removes the rest.
    private static let evictionBatchSize = 8

    /// Completes a sign-in on a new device: schedules delivery of its event and, if the account exceeds its device
    /// limit, signs out and removes the least recently used devices. The session is already open, so a failure is only
    /// logged; the next sign-in on a new device or the daily job removes the devices.
    ///
    /// One listing. Beyond the limit a list of the devices, a read and a write for each that is removed, and their acts go
    /// into the audit chain.
    /// - Parameters:
    ///   - link: the identity that signed in.
    ///   - approver: the session that approved an app's; sessions that are protected from it stay.
    /// - Throws: `rateLimited` where the device is removed itself: its identity has signed in on as many others within this
    ///   second as the account may have.
    func addDevice(
        _ device: DeviceID, openedBy link: LinkID, approvedBy approver: Caller? = nil,
        to account: Stored<AccountDocument>
    ) async throws(ServiceError) {
        await auditLog.enqueueDeviceEvents(onDeviceOf: account.value.serviceUserID)
        let stays: Bool
        do {
            stays = try await makeHeadroom(for: device, link, approvedBy: approver, in: account.value)
        } catch {
            logger.error(
                .deviceLimitFailed, "removal of devices over the account's limit failed",
                metadata: ["account": "\(account.value.serviceUserID)", "reason": "\(error)"])
            return
        }
        guard stays else { throw .rateLimited(retryAfter: 1) }
    }

    /// - Returns: whether the device that signed in stays.
    private func makeHeadroom(
        for own: DeviceID, _ link: LinkID, approvedBy approver: Caller?, in account: AccountDocument
    ) async throws -> Bool {
        let user = account.serviceUserID
        let objects = try await sessions.devices.objects(of: user)
        guard objects.count > policy.devicesPerAccount else { return true }
        let listed = try await sessions.devices.list(objects, of: user).devices
        // Another sign-in at once may have removed it.
        guard listed.contains(where: { $0.id == own && $0.removedAt == nil }) else { return false }
        let surplus = surplus(of: listed, openedBy: link, approvedBy: approver, in: account)
        let isOwn = { (device: ListedDevice) in device.id == own }
        let removed = surplus.prefix(Self.evictionBatchSize) + surplus.dropFirst(Self.evictionBatchSize).filter(isOwn)
        let displaced = try await evict(removed, of: user)
        // Removed records that wait count in the next listing, so they do not wait here.
        _ = try await auditLog.flushDevices(displaced, of: user, delivering: true)
        return !removed.contains(where: isOwn)
    }

    /// Removes all devices beyond the limit. Makes no request if there are none.
    /// - Returns: the devices whose audit events must be flushed.
    func evictSurplus(_ stored: [Stored<DeviceRecord>], of user: UserID) async throws -> [DeviceID] {
        guard stored.count > policy.devicesPerAccount, let account = try await accounts.account(user),
            account.value.isUsable
        else { return [] }
        let surplus = surplus(
            of: stored.map { ListedDevice($0) }, openedBy: nil, approvedBy: nil, in: account.value)
        return try await evict(surplus, of: user)
    }

    private func evict(_ devices: ArraySlice<ListedDevice>, of user: UserID) async throws -> [DeviceID] {
        for device in devices { try await sessions.evict(device, of: user) }
        return devices.map(\.id)
    }

    /// Returns the devices beyond the limit, in the order of their removal: those without a valid session first, then those
    /// of the identity linked last; of one identity the least recently seen first, of one second by id. All concurrent
    /// sign-ins rank alike, so none removes a device within the limit. The last of them stays.
    /// - Parameters:
    ///   - link: the identity that signs in, which displaces devices of its own and of younger identities, of its own only
    ///     while it is new or being unlinked; `nil` for all devices.
    ///   - approver: the session that approved an app's; it displaces nothing that it could not remove.
    private func surplus(
        of devices: [ListedDevice], openedBy link: LinkID?, approvedBy approver: Caller?, in account: AccountDocument
    ) -> ArraySlice<ListedDevice> {
        let sessionState = account.sessionState(at: now())
        let stored = devices.filter { $0.removedAt == nil }
        let isRestricted = link.map { accounts.restriction(on: $0, in: account) != nil } ?? false
        let removable = stored.compactMap { device in
            let session = device.session.flatMap { sessions.isValid($0, sessionState) ? $0 : nil }
            guard let session else { return (rank: 0, device: device) }
            let isOwn = link.map { account.isSameIdentity(session.link, $0) } ?? true
            let isYounger = link.map { account.isOlder($0, than: session.link) } ?? false
            guard isOwn || isYounger && !isRestricted else { return nil }
            if let approver, sensitiveActions.isProtected(session, from: approver) { return nil }
            return (rank: account.links.count + 1 - account.position(of: session.link), device: device)
        }
        .sorted { ($0.rank, $0.device.lastSeenAt, $0.device.id) < ($1.rank, $1.device.lastSeenAt, $1.device.id) }
        .map(\.device)
        return removable.dropLast().prefix(max(0, stored.count - policy.devicesPerAccount))
    }
}
