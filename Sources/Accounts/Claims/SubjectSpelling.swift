import Foundation
import PhotolalaAPI
import Secrets

/// How a provider's subject is spelled as the last segment of a claim's key. A store is stamped with one spelling.
package struct SubjectSpelling: Sendable {
    /// The two ways to spell subjects.
    package enum Mode: String, Codable, Sendable, CaseIterable {
        /// Readable by operators, escaped where a store could stumble.
        case plain
        /// A keyed hash of every subject.
        case hashed
    }

    package let mode: Mode
    /// The master key of the hashes.
    package let keyID: String
    private let keyRing: KeyRing
    private static let longest = 200

    package init(mode: Mode, keyID: String, keyRing: KeyRing) {
        self.mode = mode
        self.keyID = keyID
        self.keyRing = keyRing
    }

    /// The segment for a subject; `isHashed` tells that the subject cannot be read back from it.
    package func segment(
        _ provider: ProviderName, _ subject: String
    ) throws(SecretsError) -> (segment: String, isHashed: Bool) {
        let escaped = Self.escape(subject)
        if mode == .plain, escaped.utf8.count <= Self.longest { return (escaped, false) }
        let message = Data("\(provider)\u{0}\(subject)".utf8)
        let code = try keyRing.authenticationCode(of: message, for: .providerSubject, keyID: keyID)
        return ("~\(Hex.encode(code))", true)
    }

    /// Letters, digits, `-`, `_` and inner dots stay; every other byte becomes `=` and two upper-case hex digits.
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
