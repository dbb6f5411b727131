import Crypto
import Foundation
import JWS

/// The key of an Apple developer team with which client secrets are signed: the `.p8` file, and its names.
package struct AppleClientKey: Sendable {
    /// How long a secret is good, in seconds. Apple takes up to six months; each is used once, at once.
    static let lifetime = 300

    private let teamID: String
    private let keyID: String
    private let key: P256.Signing.PrivateKey

    /// - Parameters:
    ///   - teamID: 10 characters of A-Z and 0-9.
    ///   - keyID: 10 characters of A-Z and 0-9.
    ///   - privateKey: the text of the `.p8` file (PEM, PKCS#8); line ends may be written as `\n`.
    /// - Returns: `nil` when one of them is none.
    package init?(teamID: String, keyID: String, privateKey: String) {
        let text = privateKey.replacingOccurrences(of: "\\n", with: "\n")
        guard Self.isIdentifier(teamID), Self.isIdentifier(keyID),
            let key = try? P256.Signing.PrivateKey(pemRepresentation: text)
        else { return nil }
        self.teamID = teamID
        self.keyID = keyID
        self.key = key
    }

    /// A client secret: a JWT, ES256, as Apple's "Creating a client secret" asks for.
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

    /// Whether a text can be the id of a team or a key.
    package static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) }
    }
}
