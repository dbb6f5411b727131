import Foundation
import ObjectStorage
import PhotolalaAPI

/// A device as a list shows it: its record without the acts that wait for the audit chain.
package struct ListedDevice: Codable, Sendable, Equatable {
    package let id: DeviceID
    package let name: String
    package let model: String?
    package let platform: String
    package let createdAt: Date
    package let lastSeenAt: Date
    package let lastSyncAt: Date?
    /// `nil` once the device is signed out.
    package let session: SessionRecord?
    /// Set while the record of a removed device waits for the audit chain.
    package let removedAt: Date?
    /// Whether the record holds acts that may not be in the audit chain yet.
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
        session = record.value.session
        removedAt = record.value.removedAt
        hasActs = !record.value.acts.isEmpty
        tag = record.etag.description
    }
}

/// `accounts/{uuid}/device-list.json`: what was last read of an account's device records. An entry counts only while the
/// store lists its record with the same tag, so the object is a cache and never decides anything.
struct DeviceListDocument: VersionedDocument {
    /// The most devices that are stored in it; the object stays below 1 MiB, the most that a document may have.
    static let most = 600

    var version: Int
    var devices: [ListedDevice]
}

/// The devices of an account.
package struct DeviceListing: Sendable {
    package let devices: [ListedDevice]
    /// Why the cache was not written. The devices are right without it.
    package let cacheFailure: ObjectStoreError?
}
