import Foundation
import ObjectStorage
import PhotolalaAPI

/// The devices of an account, one document each, changed by compare-and-swap.
package struct DeviceDirectory: Sendable {
    let documents: Documents<DeviceRecord>
    let retry: RetryPolicy

    package init(store: any ObjectStore, retry: RetryPolicy) {
        documents = Documents(store: store, retry: retry)
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

    /// All devices of an account that were ever signed in and not removed.
    package func devices(of user: UserID) async throws(SessionError) -> [DeviceRecord] {
        let prefix = StorageLayout.devices(user)
        var records: [DeviceRecord] = []
        var after: String?
        while true {
            let from = after
            let page = try await SessionError.storing { () throws(ObjectStoreError) in
                try await documents.store.list(prefix: prefix, after: from, limit: 1000)
            }
            for object in page.objects {
                let stored = try await SessionError.storing { () throws(ObjectStoreError) in
                    try await documents.load(object.key)
                }
                if let stored { records.append(stored.value) }
            }
            guard page.isTruncated, let last = page.objects.last else { return records }
            after = last.key.description
        }
    }

    /// Removes a device and with it its session.
    /// - Throws: `noSuchDevice`.
    package func remove(_ id: DeviceID, of user: UserID) async throws(SessionError) {
        let key = Self.key(user, id)
        guard try await device(id, of: user) != nil else { throw .noSuchDevice }
        try await SessionError.storing { () throws(ObjectStoreError) in
            try await documents.store.delete(key, if: .always)
        }
    }

    /// Changes a device on what others made of it meanwhile. `mutate` gets `nil` where there is none and answers the
    /// record to write, or `nil` to write nothing.
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
