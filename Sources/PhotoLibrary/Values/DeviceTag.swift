/// A short name of a device among one person's, made from its id: it tells two devices' changes apart.
package struct DeviceTag: Hashable, Sendable, Comparable {
    let value: UInt32

    init(value: UInt32) { self.value = value }

    /// The first 8 hex digits of the device's id; 0 where there are none.
    package init(deviceID: String) { value = UInt32(deviceID.prefix(8), radix: 16) ?? 0 }

    /// Of whoever is no device, like a migration.
    package static let none = DeviceTag(value: 0)

    package static func < (left: DeviceTag, right: DeviceTag) -> Bool { left.value < right.value }
}
