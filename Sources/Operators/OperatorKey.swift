import Crypto
import Foundation
import ObjectStorage
import Secrets

/// `service/operators/{id}.json`: a key of the operator API. The key itself is not stored, only a hash of it.
package struct OperatorKey: VersionedDocument {
    package var version: Int
    /// 16 lower-case hex digits.
    package let id: String
    /// Who or what uses the key, as its creator named it.
    package let name: String
    package let role: OperatorRole
    /// The SHA-256 of the secret, in hex. The secret has 256 random bits, so a slow hash would add nothing.
    let secretHash: String
    package let createdAt: Date
    /// From this time on the key is refused; `nil` for no end.
    package internal(set) var endsAt: Date?

    /// Returns whether the key is accepted.
    package func isValid(at time: Date) -> Bool { endsAt.map { $0 > time } ?? true }
}

/// A key as its holder presents it: `plo_{id}_{secret}`.
package struct OperatorSecret: Sendable, Equatable, CustomStringConvertible {
    /// What every key begins with, so that a scanner of secrets finds it.
    private static let prefix = "plo_"
    private static let idLength = 16

    package let id: String
    private let secret: String

    /// Returns `nil` for a malformed key.
    package init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count)
        let (id, rest) = (parts.prefix(Self.idLength), parts.dropFirst(Self.idLength))
        guard Self.isID(id), rest.first == "_", let bytes = Base64URL.decode(String(rest.dropFirst())),
            bytes.count == 32
        else { return nil }
        (self.id, secret) = (String(id), String(rest.dropFirst()))
    }

    init(randomness: Randomness) {
        (id, secret) = (Hex.encode(randomness.bytes(Self.idLength / 2)), Base64URL.encode(randomness.bytes(32)))
    }

    /// Returns whether a text has the form of a key's id.
    package static func isID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == idLength
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// The key itself. Shown once, and never logged.
    package var description: String { "\(Self.prefix)\(id)_\(secret)" }

    var hash: String { Hex.encode(SHA256.hash(data: Data(secret.utf8))) }
}
