/// What a device needs to reach a server in pairing mode: the text of the QR code that the server prints.
///
///     photolala-pair://192.168.1.20:8080/?key=HASH&secret=SECRET
package struct PairingCode: Sendable, Equatable, CustomStringConvertible {
    /// The header field with the secret, in each request to the account API.
    package static let headerName = "Photolala-Pairing"

    /// The server's host and port.
    package let authority: String
    /// The SHA-256 of the SubjectPublicKeyInfo of the server's key, in Base64 for URLs.
    package let keyHash: String
    /// The secret, valid until the server ends: 16 bytes, in Base64 for URLs.
    package let secret: String

    private static let opening = "photolala-pair://"
    private static let (hashLength, secretLength) = (43, 22)
    private static let longestAuthority = 100

    package init(authority: String, keyHash: String, secret: String) {
        (self.authority, self.keyHash, self.secret) = (authority, keyHash, secret)
    }

    /// Parses a code as it was scanned or pasted; `nil` if it is none. White space around it is ignored.
    package init?(_ text: String) {
        let text = text.drop(while: \.isWhitespace)
        guard text.utf8.prefix(Self.opening.utf8.count).elementsEqual(Self.opening.utf8) else { return nil }
        let parts = text.dropFirst(Self.opening.count).split(
            separator: "/?key=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isAuthority(parts[0].utf8) else { return nil }
        let values = parts[1].split(separator: "&secret=", maxSplits: 1, omittingEmptySubsequences: false)
        guard values.count == 2, Self.isBase64(values[0].utf8, Self.hashLength) else { return nil }
        let secret = values[1].prefix { !$0.isWhitespace }
        guard Self.isBase64(secret.utf8, Self.secretLength),
            values[1].dropFirst(secret.count).allSatisfy(\.isWhitespace)
        else { return nil }
        self.init(authority: String(parts[0]), keyHash: String(values[0]), secret: String(secret))
    }

    /// The text of the QR code.
    package var description: String { "\(Self.opening)\(authority)/?key=\(keyHash)&secret=\(secret)" }

    private static func isAuthority(_ text: Substring.UTF8View) -> Bool {
        (1...longestAuthority).contains(text.count)
            && text.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    private static func isBase64(_ text: Substring.UTF8View, _ length: Int) -> Bool {
        text.count == length
            && text.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
