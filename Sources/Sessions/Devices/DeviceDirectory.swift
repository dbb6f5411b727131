import Foundation
import ObjectStorage
import PhotolalaAPI

/// The devices of an account, one document each, changed by compare-and-swap.
package struct DeviceDirectory: Sendable {
    let documents: Documents<DeviceRecord>
    let lists: Documents<DeviceListDocument>
    let retry: RetryPolicy
    /// More devices than this are not shown; those out of use are forgotten in time.
    private static let listed = 1000
    private static let readTogether = 16

    package init(store: any ObjectStore, retry: RetryPolicy) {
        documents = Documents(store: store, retry: retry)
        lists = Documents(store: store, retry: retry)
        self.retry = retry
    }

    /// A device, or `nil` when the account has no such one. One read.
    package func device(
        _ id: DeviceID, of user: UserID
    ) async throws(SessionError) -> Stored<DeviceRecord>? {
        try await SessionError.storing { () throws(ObjectStoreError) in
            try await documents.load(Self.key(user, id))
        }
    }

    /// The devices of an account that were ever signed in and not removed, in no order; at most 1,000. A read for each,
    /// a few at a time. One whose record is damaged is left out: it can sign nobody in, and must not hide the others.
    package func devices(of user: UserID) async throws(SessionError) -> [DeviceRecord] {
        try await stored(of: user).map(\.value)
    }

    /// The same records with their tags.
    package func stored(of user: UserID) async throws(SessionError) -> [Stored<DeviceRecord>] {
        try await read(try await objects(of: user).map(\.key))
    }

    /// The records of an account as the store lists them; at most 1,000. One listing.
    package func objects(of user: UserID) async throws(SessionError) -> [ListedObject] {
        try await SessionError.storing { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.devices(user), after: nil, limit: Self.listed).objects
        }
    }

    /// Reads records, a few at a time, without those that are gone or damaged.
    func read(_ keys: [ObjectKey]) async throws(SessionError) -> [Stored<DeviceRecord>] {
        var records: [Stored<DeviceRecord>] = []
        var rest = keys[...]
        while !rest.isEmpty {
            records += try await load(Array(rest.prefix(Self.readTogether)))
            rest = rest.dropFirst(Self.readTogether)
        }
        return records
    }

    private func load(_ keys: [ObjectKey]) async throws(SessionError) -> [Stored<DeviceRecord>] {
        let found = await withTaskGroup(of: Result<Stored<DeviceRecord>?, ObjectStoreError>.self) { group in
            for key in keys { group.addTask { await load(key) } }
            return await group.reduce(into: []) { $0.append($1) }
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

    /// The tag of a device's record, whatever it holds. One read.
    func tag(_ id: DeviceID, of user: UserID) async throws(SessionError) -> ETag? {
        try await SessionError.storing { () throws(ObjectStoreError) in
            try await documents.store.head(Self.key(user, id))?.etag
        }
    }

    /// Lets go of the acts that are in the account's audit chain, and of a removed device that has no others.
    /// - Returns: whether nothing is left to let go of.
    package func settle(
        _ id: DeviceID, of user: UserID, chained: ChainedActs?
    ) async throws(SessionError) -> Bool {
        guard let found = try await device(id, of: user) else { return true }
        var record = found.value
        record.trim(chained)
        if record.removedAt != nil, record.acts.isEmpty {
            return try await SessionError.storing { () throws(ObjectStoreError) in
                try await documents.writes.delete(Self.key(user, id), if: .matches(found.etag))
            }
        }
        let trimmed = try await change(id, of: user, from: found) { record in
            var record = record
            record?.trim(chained)
            return record
        }
        return trimmed?.value.acts.isEmpty ?? true
    }

    /// Changes a device on what others made of it meanwhile. `mutate` gets `nil` where there is none and answers the
    /// record to write, or `nil` to write nothing. Where nothing changes nothing is written, so `start` has to be as
    /// fresh as the act needs it.
    func change(
        _ id: DeviceID, of user: UserID, from start: Stored<DeviceRecord>?,
        _ mutate: (DeviceRecord?) throws(SessionError) -> DeviceRecord?
    ) async throws(SessionError) -> Stored<DeviceRecord>? {
        let key = Self.key(user, id)
        var current = start
        for attempt in 0..<retry.attempts {
            guard let next = try mutate(current?.value), next != current?.value else { return current }
            do {
                guard let current else { return try await documents.create(key, next) }
                return try await documents.replace(key, current, with: next)
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
