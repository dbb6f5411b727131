import Foundation
import PhotolalaAPI
import Secrets

/// The key encoding: how a provider's subject becomes the last segment of a binding key. A store manifest names one
/// encoding, and the target encoding during re-keying.
package struct KeyEncoding: Sendable {
    /// The available key encodings.
    package enum Mode: String, Codable, Sendable, CaseIterable {
        /// Readable by operators; characters that a store may not accept are escaped.
        case plain
        /// A keyed hash of every subject.
        case hashed
    }

    package let mode: Mode
    /// The id of the master key for hashes.
    package let keyID: String
    private let keyRing: KeyRing
    private static let maximumLength = 200

    package init(mode: Mode, keyID: String, keyRing: KeyRing) {
        self.mode = mode
        self.keyID = keyID
        self.keyRing = keyRing
    }

    /// Returns the segment for a subject. A plain segment of more than 200 bytes is hashed.
    package func segment(_ provider: ProviderName, _ subject: String) throws(SecretsError) -> String {
        let escaped = Self.escape(subject)
        if mode == .plain, escaped.utf8.count <= Self.maximumLength { return escaped }
        let message = Data("\(provider)\u{0}\(subject)".utf8)
        let code = try keyRing.authenticationCode(of: message, for: .providerSubject, keyID: keyID)
        return "~\(Hex.encode(code))"
    }

    /// Returns whether a segment is a hash, from which the subject cannot be recovered.
    static func isHash(_ segment: String) -> Bool { segment.utf8.first == UInt8(ascii: "~") }

    /// Returns the subject of an escaped segment; `nil` for a hash and for a segment that `escape` cannot produce.
    static func unescape(_ segment: String) -> String? {
        var bytes: [UInt8] = []
        var remaining = segment.utf8[...]
        while let byte = remaining.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = UInt8(remaining.prefix(2).map { String(UnicodeScalar($0)) }.joined(), radix: 16) else {
                return nil
            }
            bytes.append(escaped)
            remaining = remaining.dropFirst(2)
        }
        guard let subject = String(validating: bytes, as: UTF8.self) else { return nil }
        return escape(subject).utf8.elementsEqual(segment.utf8) ? subject : nil
    }

    /// Escapes a subject. Letters, digits, `-`, `_` and non-leading dots stay; every other byte becomes `=` and two
    /// upper-case hex digits.
    static func escape(_ subject: String) -> String {
        var escaped = [UInt8]()
        for (index, byte) in subject.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                escaped.append(byte)
            case UInt8(ascii: ".") where index > 0:
                escaped.append(byte)
            default:
                escaped.append(UInt8(ascii: "="))
                escaped.append(contentsOf: Hex.encode([byte]).uppercased().utf8)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
