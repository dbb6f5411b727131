import Crypto
import Secrets

/// Identifies a shared link within its account: 32 hex digits in lower case. It derives from the secret in the link's
/// address and does not open the link.
package struct SharedLinkID: Hashable, Sendable, Codable, LosslessStringConvertible {
    package let description: String

    init(hash: SHA256.Digest) { description = hash.withUnsafeBytes { Hex.encode($0.prefix(16)) } }

    /// - Returns: `nil` for text in another form.
    package init?(_ description: String) {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard description.utf8.count == 32, description.utf8.allSatisfy(isDigit) else { return nil }
        self.description = description
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = SharedLinkID(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not the id of a shared link"))
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
