import Crypto
import Foundation
import JWS
import Secrets

/// What Facebook sends to an app's two callbacks: who has removed the app or wishes to be forgotten, signed with the app's
/// secret.
package struct SignedRequest: Sendable, Equatable {
    /// Larger than any that Facebook makes, in bytes.
    static let maximumSize = 8 * 1024

    /// Members of signed requests of sign-ins and of pages on Facebook.
    private static let ofOtherUses = ["code", "app_data", "page"]

    /// Facebook's id for the person, as the app knows it: 1 to 255 bytes.
    package let subject: String
    package let issuedAt: Date

    /// Reads the parameter `signed_request`, `{signature}.{payload}` in base64url. Nothing of the payload is looked at
    /// before the signature holds.
    /// - Parameter secret: the app's.
    package init(_ text: String, secret: String) throws(SignedRequestError) {
        guard text.utf8.count <= Self.maximumSize else { throw .malformed }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let signature = Self.decode(parts[0]), let payload = Self.decode(parts[1]) else {
            throw .malformed
        }
        let key = SymmetricKey(data: Data(secret.utf8))
        guard !secret.isEmpty,
            HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: Data(parts[1]), using: key)
        else { throw .badSignature }
        guard let members = (try? JSONReader.read(payload))?.object else { throw .malformed }
        guard members["algorithm"]?.string?.uppercased() == "HMAC-SHA256" else { throw .algorithmRefused }
        // The same secret signs what a page in a browser gets at a sign-in, which is no wish of the person's.
        guard Self.ofOtherUses.allSatisfy({ members[$0] == nil }) else { throw .otherUse }
        guard let subject = members["user_id"]?.string, (1...255).contains(subject.utf8.count),
            case .number(let seconds) = members["issued_at"], (0...253_402_300_799).contains(seconds)
        else { throw .malformed }
        self.subject = subject
        issuedAt = Date(timeIntervalSince1970: seconds)
    }

    /// Facebook's samples are not padded; what is signed is the text, so padding may be there.
    private static func decode(_ part: Substring.UTF8View) -> Data? {
        var part = part
        for _ in 0..<2 where part.last == UInt8(ascii: "=") { part.removeLast() }
        return Base64URL.decode(Substring(part))
    }
}

/// Why a signed request is not believed.
package enum SignedRequestError: Error, Equatable, Sendable {
    case malformed
    case badSignature
    /// It names another algorithm than HMAC-SHA256.
    case algorithmRefused
    /// It was made for a sign-in or a page, not for a callback.
    case otherUse
}
