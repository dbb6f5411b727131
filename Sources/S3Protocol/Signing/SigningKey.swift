import Crypto
import Foundation
import Secrets

/// The key derived from a secret for one scope.
package struct SigningKey: Sendable {
    private let key: SymmetricKey
    package let scope: CredentialScope

    package init(secretAccessKey: String, scope: CredentialScope) {
        self.scope = scope
        key = [scope.day, scope.region, scope.service, "aws4_request"].reduce(
            SymmetricKey(data: Data("AWS4\(secretAccessKey)".utf8))
        ) { key, part in
            SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
        }
    }

    /// Returns the signature of a text, 64 lower-case hex digits.
    package func signature(of text: String) -> String {
        var text = text
        return text.withUTF8 {
            Hex.encode(HMAC<SHA256>.authenticationCode(for: UnsafeRawBufferPointer($0), using: key))
        }
    }

    /// Returns whether a signature is valid for a text, compared in constant time.
    package func isSignature(_ claimed: String, of text: String) -> Bool {
        ConstantTime.isEqual(signature(of: text), claimed)
    }
}
