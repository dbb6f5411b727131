import ObjectStorage
import PhotolalaAPI
import Synchronization

/// The device lists that an instance made last, so that unchanged devices are not read again. The store is still asked for
/// the listing: a list is used only for the same objects with the same tags.
final class RecentDeviceLists: Sendable {
    private struct List {
        let objects: [ListedObject]
        let devices: [ListedDevice]
    }

    /// 2,000 devices in each of two generations, about 1 KiB each.
    private let lists = Mutex(RecentValues<UserID, List>(capacity: 2000))

    /// Returns the devices of the listed records; `nil` if they are not known.
    func devices(_ objects: [ListedObject], of user: UserID) -> [ListedDevice]? {
        guard let list = lists.withLock({ $0.value(user) }), list.objects == objects else { return nil }
        return list.devices
    }

    /// Keeps the devices of listed records, unless a record was missing, damaged or changed after the listing.
    func insert(_ devices: [ListedDevice], read objects: [ListedObject], of user: UserID) {
        guard devices.count == objects.count, Set(objects.map(\.etag.description)) == Set(devices.map(\.tag)) else {
            return
        }
        lists.withLock { $0.insert(List(objects: objects, devices: devices), at: user, cost: devices.count + 1) }
    }
}
