import Crypto
import Foundation

/// A secret shared with the operator's receiving service: `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks
/// 1.0).
package struct WebhookSecret: Sendable {
    private let key: SymmetricKey

    /// Returns `nil` for a malformed secret.
    package init?(_ text: String) {
        let prefix = "whsec_"
        guard text.hasPrefix(prefix), let bytes = Data(base64Encoded: String(text.dropFirst(prefix.count))),
            (24...64).contains(bytes.count)
        else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// Returns the signature of a request: `v1,` and an HMAC-SHA256 in base64.
    /// - Parameters:
    ///   - id: the event id, which contains no full stop.
    ///   - timestamp: the time of this attempt, in seconds since 1970.
    package func signature(of id: String, _ timestamp: Int, _ body: Data) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(id).\(timestamp).".utf8) + body, using: key)
        return "v1,\(Data(code).base64EncodedString())"
    }
}
