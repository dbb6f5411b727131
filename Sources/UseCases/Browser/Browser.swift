import PhotolalaAPI
import Secrets

/// A browser, identified by a secret in its cookie. Accounts see it as a device with a stable id.
package struct Browser: Sendable {
    /// The secret, 43 characters.
    package let secret: String
    /// The name in the device list.
    private let name: String
    /// The BCP 47 tag of the language of its pages.
    package var language: String?

    private static let length = 32

    /// The longest sealed identity that a browser stores, in bytes. A browser drops a cookie of more than 4,096 bytes;
    /// the rest is for the cookie's name and attributes, the provider and the hints.
    package static let maximumPendingIdentityLength = 3600

    /// Creates a browser with a new secret.
    package init(_ randomness: Randomness, name: String) {
        secret = Base64URL.encode(randomness.bytes(Self.length))
        self.name = name
    }

    /// Restores a browser from its secret. Returns `nil` for a malformed secret.
    package init?(secret: String, name: String) {
        guard Base64URL.decode(secret)?.count == Self.length else { return nil }
        self.secret = secret
        self.name = name
    }

    var device: DeviceDescription { DeviceDescription(id: id, name: name, platform: "web") }

    private var id: DeviceID { DeviceID(derivedFrom: "photolala-browser-device\n\(secret)") }
}
