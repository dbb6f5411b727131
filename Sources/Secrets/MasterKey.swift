import Crypto
import Foundation

/// A master key of the deployment: 32 bytes under a short id that every value made with it names.
package struct MasterKey: Sendable {
    /// 1 to 16 characters of `a-z`, `0-9`.
    package let id: String
    package let key: SymmetricKey

    /// Returns `nil` if the id is not valid or the key does not have exactly 32 bytes.
    package init?(id: String, bytes: some ContiguousBytes) {
        let key = SymmetricKey(data: bytes)
        let legal = id.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard legal, (1...16).contains(id.utf8.count), key.bitCount == 256 else { return nil }
        self.id = id
        self.key = key
    }

    /// Returns whether both are the same key, regardless of their ids.
    package func hasSameBytes(as other: MasterKey) -> Bool { key == other.key }

    /// Parses the form used in settings, `id:base64`.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let bytes = Data(base64Encoded: String(parts[1])) else { return nil }
        self.init(id: String(parts[0]), bytes: bytes)
    }
}
