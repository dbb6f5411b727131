import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// A browser, known by a secret that it keeps in a cookie. To accounts it is a device like others, always the same one.
package struct Browser: Sendable {
    /// 43 characters.
    package let secret: String
    /// What a list of devices calls it.
    private let name: String

    private static let length = 32

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

    /// Tells nothing of the secret.
    private var id: DeviceID {
        var bytes = Array(SHA256.hash(data: Data("photolala-browser-device\n\(secret)".utf8)).prefix(16))
        // RFC 9562 version 8: made by a rule of our own.
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        return DeviceID(uuid: bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }
}
