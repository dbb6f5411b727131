import Foundation
import ObjectStorage
import PhotolalaAPI

extension DeviceDirectory {
    /// The number of records that a list reads directly. Writing the cache costs as much as reading a dozen records, so
    /// it is neither read for fewer devices nor written for fewer changes.
    static let directReadLimit = 4

    /// Returns the devices of an account, from their records, in no order; at most 1,000. A removed device keeps its
    /// record until its pending audit events are flushed. Omits a device whose record is damaged.
    ///
    /// One listing. Unless its devices are as this instance listed them last, one read for each of up to 4 devices. For
    /// more devices: one read of the cache and one of each record that changed since the cache was written; if more than 4
    /// changed, one write of the cache.
    package func list(of user: UserID) async throws(SessionError) -> DeviceListing {
        try await list(try await objects(of: user), of: user)
    }

    /// Returns the devices of listed records.
    package func list(
        _ objects: [ListedObject], of user: UserID
    ) async throws(SessionError) -> DeviceListing {
        if let devices = recentLists.devices(objects, of: user) {
            return DeviceListing(devices: devices, cacheFailure: nil)
        }
        let listing = try await read(objects, of: user)
        recentLists.insert(listing.devices, read: objects, of: user)
        return listing
    }

    private func read(
        _ objects: [ListedObject], of user: UserID
    ) async throws(SessionError) -> DeviceListing {
        guard objects.count > Self.directReadLimit else {
            let devices = try await read(objects.map(\.key)).map(ListedDevice.init)
            return DeviceListing(devices: devices, cacheFailure: nil)
        }
        let cache = try await cachedList(of: user)
        let entries = cache?.value.devices.map { (Self.key(user, $0.id), $0) } ?? []
        let known = Dictionary(entries) { first, _ in first }
        var (devices, changed): ([ListedDevice], [ObjectKey]) = ([], [])
        for object in objects {
            if let entry = known[object.key], entry.tag == object.etag.description {
                devices.append(entry)
            } else {
                changed.append(object.key)
            }
        }
        let loaded = try await read(changed).map(ListedDevice.init)
        devices += loaded
        guard loaded.count > Self.directReadLimit else { return DeviceListing(devices: devices, cacheFailure: nil) }
        return DeviceListing(devices: devices, cacheFailure: await cacheList(devices, over: cache, of: user))
    }

    /// Returns the records of some devices, in no order, without missing and damaged ones. One read each.
    package func records(
        _ ids: [DeviceID], of user: UserID
    ) async throws(SessionError) -> [DeviceRecord] {
        try await read(ids.map { Self.key(user, $0) }).map(\.value)
    }

    /// Treats a damaged or oversized cache as empty; the next write replaces it.
    private func cachedList(of user: UserID) async throws(SessionError) -> Stored<DeviceListDocument>? {
        let key = Self.listKey(user)
        do throws(ObjectStoreError) {
            return try await lists.load(key)
        } catch .corrupted, .tooLarge {
            return try await SessionError.mapStoreErrors { () throws(ObjectStoreError) in
                guard let etag = try await lists.store.head(key)?.etag else { return nil }
                return Stored(value: DeviceListDocument(version: 1, devices: []), etag: etag)
            }
        } catch { throw .store(error) }
    }

    /// Writes the cache. If two writers conflict, one wins; entries of either are compared with the store before they
    /// are used.
    private func cacheList(
        _ devices: [ListedDevice], over cache: Stored<DeviceListDocument>?, of user: UserID
    ) async -> ObjectStoreError? {
        let recent = devices.sorted { ($1.lastSeenAt, $1.id) < ($0.lastSeenAt, $0.id) }.prefix(
            DeviceListDocument.maximumDevices)
        let stored = recent.sorted { $0.id < $1.id }
        guard stored != cache?.value.devices else { return nil }
        let document = DeviceListDocument(version: 1, devices: stored)
        do throws(ObjectStoreError) {
            if let cache {
                _ = try await lists.replace(Self.listKey(user), cache, with: document)
            } else {
                _ = try await lists.create(Self.listKey(user), document)
            }
            return nil
        } catch .preconditionFailed {
            return nil
        } catch { return error }
    }

    private static func listKey(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.deviceList(user)) }
}
