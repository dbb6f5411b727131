import Foundation
import ObjectStorage
import PhotolalaAPI

/// A device in a list: its record without the pending audit events.
package struct ListedDevice: Codable, Sendable, Equatable {
    package let id: DeviceID
    package let name: String
    package let model: String?
    package let platform: String
    package let createdAt: Date
    package let lastSeenAt: Date
    package let lastSyncAt: Date?
    package let country: CountryCode?
    /// `nil` once the device is signed out.
    package let session: SessionRecord?
    /// Set while the record of a removed device has pending audit events.
    package let removedAt: Date?
    /// Whether the record has audit events that may not be in the audit log yet.
    package let hasActs: Bool
    /// The tag of the record that this entry was read from.
    let tag: String

    package init(_ record: Stored<DeviceRecord>) {
        id = record.value.id
        name = record.value.name
        model = record.value.model
        platform = record.value.platform
        createdAt = record.value.createdAt
        lastSeenAt = record.value.lastSeenAt
        lastSyncAt = record.value.lastSyncAt
        country = record.value.country
        session = record.value.session
        removedAt = record.value.removedAt
        hasActs = !record.value.acts.isEmpty
        tag = record.etag.description
    }
}

/// `accounts/{uuid}/device-list.json`: the account's device records as last read. An entry is used only if the store
/// lists its record with the same tag, so this object is only a cache.
struct DeviceListDocument: VersionedDocument {
    /// The largest number of stored devices; keeps the object below 1 MiB, the limit for a document.
    static let maximumDevices = 600

    var version: Int
    var devices: [ListedDevice]
}

/// The listed devices of an account.
package struct DeviceListing: Sendable {
    package let devices: [ListedDevice]
    /// Why the cache was not written. The devices are correct regardless.
    package let cacheFailure: ObjectStoreError?
}
