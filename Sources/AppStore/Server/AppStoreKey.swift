import Crypto
import Foundation
import JWS

/// The key of an App Store Connect team for the App Store Server API: the `.p8` file with its ids.
package struct AppStoreKey: Sendable {
    /// The lifetime of a token, in seconds. Apple accepts up to an hour.
    static let lifetime = 300

    package let issuerID: String
    package let keyID: String
    private let key: P256.Signing.PrivateKey

    /// - Parameters:
    ///   - issuerID: the id of the team, a UUID.
    ///   - keyID: the id of the key, 10 characters of A-Z and 0-9.
    ///   - privateKey: the text of the `.p8` file (PEM, PKCS#8); line breaks may be written as `\n`.
    /// - Returns: `nil` if a parameter is malformed.
    package init?(issuerID: String, keyID: String, privateKey: String) {
        let text = privateKey.replacingOccurrences(of: "\\n", with: "\n")
        let isKeyID =
            keyID.utf8.count == 10
            && keyID.utf8.allSatisfy { (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) }
        guard UUID(uuidString: issuerID) != nil, isKeyID,
            let key = try? P256.Signing.PrivateKey(pemRepresentation: text)
        else { return nil }
        self.issuerID = issuerID
        self.keyID = keyID
        self.key = key
    }

    /// Returns a bearer token for calls about one app.
    func token(bundleID: String, at time: Date) throws -> String {
        struct Claims: Encodable {
            let iss: String
            let iat: Int
            let exp: Int
            let aud: String
            let bid: String
        }
        let now = Int(time.timeIntervalSince1970)
        let claims = Claims(iss: issuerID, iat: now, exp: now + Self.lifetime, aud: "appstoreconnect-v1", bid: bundleID)
        return try CompactJWS.sign(claims, keyID: keyID, by: key)
    }
}
