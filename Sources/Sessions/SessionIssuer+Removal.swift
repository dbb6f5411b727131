import Foundation
import ObjectStorage
import PhotolalaAPI

extension SessionIssuer {
    /// Removes a device: ends its session; the record is deleted once its pending audit events are flushed. A session
    /// that is opened there concurrently stays.
    /// - Parameters:
    ///   - other: the requesting device.
    ///   - isProtected: whether a valid session on the device must not be ended.
    /// - Throws: `noSuchDevice`, `sessionProtected`.
    package func remove(
        _ id: DeviceID, of user: UserID, by other: DeviceID, _ state: SessionState,
        unless isProtected: (SessionRecord) -> Bool
    ) async throws(SessionError) {
        let (time, eventID) = (now(), randomness.uuid())
        guard let device = try await readable(id, of: user), device.value.removedAt == nil else { throw .noSuchDevice }
        let session = device.value.session?.id
        _ = try await devices.change(id, of: user, from: device) { (record) throws(SessionError) in
            guard var record, record.session == nil || record.session?.id == session else { return nil }
            try requireUnprotected(record, state, unless: isProtected)
            if record.removedAt == nil { record.remove(.deviceRemoved, at: time, id: eventID, by: other) }
            return record
        }
    }

    /// Forgets a device that was not used for long, if it is unchanged since it was read.
    package func forget(_ device: Stored<DeviceRecord>, of user: UserID) async throws(SessionError) {
        try await remove(device, of: user, as: .deviceForgotten)
    }

    /// Signs out and removes a device of an account that has too many, unless it was used or signed in since it was
    /// listed. One read and one write.
    package func evict(_ listed: ListedDevice, of user: UserID) async throws(SessionError) {
        guard let device = try await devices.device(listed.id, of: user),
            device.value.session?.id == listed.session?.id,
            device.value.lastSeenAt == listed.lastSeenAt
        else { return }
        try await remove(device, of: user, as: .deviceDisplaced)
    }

    /// Removes a device on behalf of the service, unless it was used since it was read.
    private func remove(
        _ device: Stored<DeviceRecord>, of user: UserID, as action: AuditAction
    ) async throws(SessionError) {
        let (time, id, read) = (now(), randomness.uuid(), device.value)
        _ = try await devices.change(read.id, of: user, from: device) { record in
            guard var record, record.lastSeenAt == read.lastSeenAt, record.session?.id == read.session?.id,
                record.removedAt == nil
            else { return nil }
            record.remove(action, at: time, id: id)
            return record
        }
    }

    /// Treats a damaged record as empty, so that the account's owner can remove it; a damaged record cannot sign a user
    /// in.
    private func readable(
        _ id: DeviceID, of user: UserID
    ) async throws(SessionError) -> Stored<DeviceRecord>? {
        do throws(SessionError) {
            return try await devices.device(id, of: user)
        } catch .corrupted {
            guard let etag = try await devices.tag(id, of: user) else { return nil }
            let description = DeviceDescription(id: id, name: "", platform: "")
            return Stored(
                value: DeviceRecord(description, incarnation: randomness.uuid(), at: now()), etag: etag
            )
        }
    }
}
