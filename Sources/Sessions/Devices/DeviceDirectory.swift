import Foundation
import ObjectStorage
import PhotolalaAPI

/// The devices of an account, one document each, changed by compare-and-swap.
package struct DeviceDirectory: Sendable {
    let documents: Documents<DeviceRecord>
    let lists: Documents<DeviceListDocument>
    let recentLists = RecentDeviceLists()
    let retry: RetryPolicy
    /// The largest number of devices listed; unused devices are forgotten eventually.
    private static let maximumDevices = 1000
    private static let readConcurrency = 16

    package init(store: any ObjectStore, retry: RetryPolicy) {
        documents = Documents(store: store, retry: retry)
        lists = Documents(store: store, retry: retry)
        self.retry = retry
    }

    /// Returns a device, or `nil` if the account does not have it. One read.
    package func device(
        _ id: DeviceID, of user: UserID
    ) async throws(SessionError) -> Stored<DeviceRecord>? {
        try await SessionError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.load(Self.key(user, id))
        }
    }

    /// Returns the device records of an account, in no order; at most 1,000. A removed device keeps its record until
    /// its pending audit events are flushed. One read each, a few at a time. Omits a device whose record is damaged: it
    /// cannot sign a user in, and must not hide the others.
    package func devices(of user: UserID) async throws(SessionError) -> [DeviceRecord] {
        try await stored(of: user).map(\.value)
    }

    /// Returns the same records with their tags.
    package func stored(of user: UserID) async throws(SessionError) -> [Stored<DeviceRecord>] {
        try await read(try await objects(of: user).map(\.key))
    }

    /// Returns the device records of an account as listed by the store; at most 1,000. One listing.
    package func objects(of user: UserID) async throws(SessionError) -> [ListedObject] {
        try await SessionError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.devices(user), after: nil, limit: Self.maximumDevices)
                .objects
        }
    }

    /// Reads records, a few at a time, without missing and damaged ones.
    func read(_ keys: [ObjectKey]) async throws(SessionError) -> [Stored<DeviceRecord>] {
        var records: [Stored<DeviceRecord>] = []
        var remaining = keys[...]
        while !remaining.isEmpty {
            records += try await load(Array(remaining.prefix(Self.readConcurrency)))
            remaining = remaining.dropFirst(Self.readConcurrency)
        }
        return records
    }

    private func load(_ keys: [ObjectKey]) async throws(SessionError) -> [Stored<DeviceRecord>] {
        var found: [Result<Stored<DeviceRecord>?, ObjectStoreError>] = []
        if documents.store.isLocal {
            for key in keys { found.append(await load(key)) }
        } else {
            found = await withTaskGroup(of: Result<Stored<DeviceRecord>?, ObjectStoreError>.self) { group in
                for key in keys { group.addTask { await load(key) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        var records: [Stored<DeviceRecord>] = []
        for result in found {
            do {
                if let record = try result.get() { records.append(record) }
            } catch .corrupted {
                continue
            } catch {
                throw .store(error)
            }
        }
        return records
    }

    private func load(_ key: ObjectKey) async -> Result<Stored<DeviceRecord>?, ObjectStoreError> {
        do {
            return .success(try await documents.load(key))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the tag of a device record, whether or not it is readable. One read.
    func tag(_ id: DeviceID, of user: UserID) async throws(SessionError) -> ETag? {
        try await SessionError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.head(Self.key(user, id))?.etag
        }
    }

    /// Removes the pending audit events that are in the account's audit log, and the record of a removed device without
    /// others.
    /// - Returns: whether no pending event is left.
    package func reconcile(
        _ id: DeviceID, of user: UserID, logged: LoggedAuditEvents?
    ) async throws(SessionError) -> Bool {
        guard let found = try await device(id, of: user) else { return true }
        var record = found.value
        record.removeLoggedEvents(logged)
        if record.removedAt != nil, record.acts.isEmpty {
            return try await SessionError.mapStoreErrors { () throws(ObjectStoreError) in
                try await documents.writes.delete(Self.key(user, id), if: .matches(found.etag))
            }
        }
        let trimmed = try await change(id, of: user, from: found) { record in
            var record = record
            record?.removeLoggedEvents(logged)
            return record
        }
        return trimmed?.value.acts.isEmpty ?? true
    }

    /// Changes a device record by compare-and-swap and retries after conflicts. `mutate` gets `nil` if there is no
    /// record, and returns the record to write, or `nil` to write nothing. A no-op change writes nothing and is not
    /// checked against the store, so `start` must be as recent as the operation requires.
    func change(
        _ id: DeviceID, of user: UserID, from start: Stored<DeviceRecord>?,
        _ mutate: (DeviceRecord?) throws(SessionError) -> DeviceRecord?
    ) async throws(SessionError) -> Stored<DeviceRecord>? {
        let key = Self.key(user, id)
        var current = start
        for attempt in 0..<retry.attempts {
            guard let next = try mutate(current?.value), next != current?.value else { return current }
            do {
                let written =
                    if let current { try await documents.replace(key, current, with: next) } else {
                        try await documents.create(key, next)
                    }
                let (record, size) = (written.value.asStored, written.value.approximateSize)
                documents.keep(Stored(value: record, etag: written.etag), at: key, size: size)
                return written
            } catch .preconditionFailed {
                await retry.pause(after: attempt)
                current = try await device(id, of: user)
            } catch {
                throw .store(error)
            }
        }
        throw .contended
    }

    static func key(_ user: UserID, _ device: DeviceID) -> ObjectKey {
        ObjectKey(known: StorageLayout.device(user, device))
    }
}
