import Crypto
import Foundation

/// A short identifier of a device within one account, derived from its id, that distinguishes the changes of devices.
package struct DeviceTag: Hashable, Sendable, Comparable {
    let value: UInt32

    init(value: UInt32) { self.value = value }

    /// Uses the first 8 hex digits of the device's id; 0 if they are invalid.
    package init(deviceID: String) { value = UInt32(deviceID.prefix(8), radix: 16) ?? 0 }

    /// The tag of a server that changes the library for a device, which may itself change the library at the same time.
    package init(serverFor deviceID: String) {
        value = SHA256.hash(data: Data("server \(deviceID)".utf8)).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The tag of writers that are not devices, such as a legacy import.
    package static let none = DeviceTag(value: 0)

    package static func < (left: DeviceTag, right: DeviceTag) -> Bool { left.value < right.value }
}
