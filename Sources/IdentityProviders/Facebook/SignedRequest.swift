import Crypto
import Foundation
import JSONCoding
import Secrets

/// A request of Facebook to one of an app's two callbacks, signed with the app's secret: a person has removed the app
/// or requests deletion.
package struct SignedRequest: Sendable, Equatable {
    /// An upper bound for Facebook's signed requests, in bytes.
    static let maximumSize = 8 * 1024

    /// Members of signed requests for sign-ins and for pages on Facebook.
    private static let ofOtherUses = ["code", "app_data", "page"]

    /// Facebook's app-scoped id of the person, 1 to 255 bytes.
    package let subject: String
    package let issuedAt: Date

    /// Parses and verifies the parameter `signed_request`, `{signature}.{payload}` in base64url. The payload is read
    /// only after the signature was verified.
    /// - Parameter secret: the app secret.
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
        // The same secret signs the requests that a browser page receives at a sign-in, which must not trigger a
        // callback.
        guard Self.ofOtherUses.allSatisfy({ members[$0] == nil }) else { throw .otherUse }
        guard let subject = members["user_id"]?.string, (1...255).contains(subject.utf8.count),
            case .number(let seconds) = members["issued_at"], (0...253_402_300_799).contains(seconds)
        else { throw .malformed }
        self.subject = subject
        issuedAt = Date(timeIntervalSince1970: seconds)
    }

    /// Facebook's samples are not padded. Padding is accepted, because the signature covers the text as sent.
    private static func decode(_ part: Substring.UTF8View) -> Data? {
        var part = part
        for _ in 0..<2 where part.last == UInt8(ascii: "=") { part.removeLast() }
        return Base64URL.decode(Substring(part))
    }
}

/// Why a signed request is refused.
package enum SignedRequestError: Error, Equatable, Sendable {
    case malformed
    case badSignature
    /// The algorithm is not HMAC-SHA256.
    case algorithmRefused
    /// The request was created for a sign-in or a page, not for a callback.
    case otherUse
}
