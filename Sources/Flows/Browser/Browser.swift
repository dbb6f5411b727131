import PhotolalaAPI
import Secrets

/// A browser, known by a secret that it keeps in a cookie. To accounts it is a device like others, always the same one.
package struct Browser: Sendable {
    /// 43 characters.
    package let secret: String
    /// What a list of devices calls it.
    private let name: String

    private static let length = 32

    /// The longest sealed identity that a browser is given to keep, in bytes. A browser drops a cookie of more than 4,096;
    /// the rest is for the cookie's name and attributes, the provider and the hints.
    package static let longestKept = 3600

    /// A browser that is here for the first time.
    package init(_ randomness: Randomness, name: String) {
        secret = Base64URL.encode(randomness.bytes(Self.length))
        self.name = name
    }

    /// A browser that comes again; `nil` for what is no secret of one.
    package init?(secret: String, name: String) {
        guard Base64URL.decode(secret)?.count == Self.length else { return nil }
        self.secret = secret
        self.name = name
    }

    var device: DeviceDescription { DeviceDescription(id: id, name: name, platform: "web") }

    private var id: DeviceID { DeviceID(derivedFrom: "photolala-browser-device\n\(secret)") }
}
