import Crypto
import Foundation
import Secrets

/// The SHA-256 thumbprint of a public key (RFC 7638), which identifies the key in bound tokens (`jkt`). Its text form
/// is 43 characters of base64url.
package struct KeyThumbprint: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Always 32 bytes.
    package let bytes: Data

    /// Creates the thumbprint of a public P-256 key.
    package init(of key: P256JSONWebKey) { bytes = Data(SHA256.hash(data: Data(key.json.utf8))) }

    /// Creates a thumbprint from a hash that takes the place of a key's.
    package init(_ digest: SHA256Digest) { bytes = Data(digest) }

    /// Returns `nil` unless there are 32 bytes.
    package init?(bytes: Data) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64URL.decode(try container.decode(String.self)), bytes.count == 32 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a thumbprint")
        }
        self.bytes = bytes
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package var description: String { Base64URL.encode(bytes) }
}
