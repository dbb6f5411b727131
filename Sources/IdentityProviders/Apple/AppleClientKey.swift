import Crypto
import Foundation
import JWS

/// The key of an Apple developer team that signs client secrets: the `.p8` file with its ids.
package struct AppleClientKey: Sendable {
    /// The lifetime of a client secret, in seconds. Apple accepts up to six months; each secret is used once,
    /// immediately.
    static let lifetime = 300

    private let teamID: String
    private let keyID: String
    private let key: P256.Signing.PrivateKey

    /// - Parameters:
    ///   - teamID: the id of the team, 10 characters of A-Z and 0-9.
    ///   - keyID: the id of the key, 10 characters of A-Z and 0-9.
    ///   - privateKey: the text of the `.p8` file (PEM, PKCS#8); line breaks may be written as `\n`.
    /// - Returns: `nil` if a parameter is malformed.
    package init?(teamID: String, keyID: String, privateKey: String) {
        let text = privateKey.replacingOccurrences(of: "\\n", with: "\n")
        guard Self.isIdentifier(teamID), Self.isIdentifier(keyID),
            let key = try? P256.Signing.PrivateKey(pemRepresentation: text)
        else { return nil }
        self.teamID = teamID
        self.keyID = keyID
        self.key = key
    }

    /// Creates a client secret: an ES256 JWT as described in Apple's "Creating a client secret".
    func secret(of clientID: String, for issuer: String, at time: Date) throws -> String {
        struct Claims: Encodable {
            let iss: String
            let iat: Int
            let exp: Int
            let aud: String
            let sub: String
        }
        let now = Int(time.timeIntervalSince1970)
        let claims = Claims(iss: teamID, iat: now, exp: now + Self.lifetime, aud: issuer, sub: clientID)
        return try CompactJWS.sign(claims, keyID: keyID, by: key)
    }

    /// Returns whether a text is a valid team id or key id.
    package static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) }
    }
}
