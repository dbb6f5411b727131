import Crypto
import Foundation
import HTTPTypes
import Secrets

/// How a path is normalized for signing.
package enum PathNormalization: Sendable {
    /// S3: the path as it is, percent-encoded once.
    case none
    /// All other services: `.`, `..` and empty segments are resolved, and the encoded path is encoded again.
    case standard
}

/// The canonical form of a request, which both sides sign.
package struct CanonicalRequest: Sendable {
    package let text: String

    /// - Parameter signedHeaders: Sorted, lower-case names; the value of `host` is `request.host`.
    package init(
        _ request: SignableRequest, signedHeaders: [String], payload: PayloadHash, pathNormalization: PathNormalization
    ) {
        text = [
            request.method, Self.path(request.path, pathNormalization), Self.query(request.query),
            signedHeaders.map { "\($0):\(Self.value($0, request))\n" }.joined(),
            signedHeaders.joined(separator: ";"), payload.description,
        ].joined(separator: "\n")
    }

    /// Returns the string to sign.
    package func stringToSign(timestamp: AWSTimestamp, scope: CredentialScope) -> String {
        "AWS4-HMAC-SHA256\n\(timestamp)\n\(scope)\n\(Hex.encode(SHA256.hash(data: Data(text.utf8))))"
    }

    private static func path(_ raw: String, _ normalization: PathNormalization) -> String {
        switch normalization {
        case .none:
            return AWSPercentEncoding.canonical(raw.isEmpty ? "/" : raw, keepingSlash: true)
        case .standard:
            var normalized: [Substring] = []
            for segment in raw.split(separator: "/") where segment != "." {
                if segment == ".." { _ = normalized.popLast() } else { normalized.append(segment) }
            }
            let path = "/" + normalized.joined(separator: "/") + (raw.hasSuffix("/") && !normalized.isEmpty ? "/" : "")
            return AWSPercentEncoding.encode(path, keepingSlash: true)
        }
    }

    /// Sorts by the encoded name, then by the encoded value; the signature parameter is omitted.
    private static func query(_ raw: String) -> String {
        var items: [(name: String, value: String)] = []
        for (name, value) in AWSPercentEncoding.rawItems(raw) {
            let name = AWSPercentEncoding.canonical(name)
            if name == "X-Amz-Signature" { continue }
            items.append((name, AWSPercentEncoding.canonical(value)))
        }
        items.sort { left, right in
            left.name == right.name
                ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
                : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        return items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Returns all values of a field, trimmed, with white space collapsed, joined by commas.
    private static func value(_ name: String, _ request: SignableRequest) -> String {
        if name == "host" { return request.host }
        guard let field = HTTPField.Name(name) else { return "" }
        return request.headers[values: field].map { value in
            // Splits by bytes for speed: a session token has about a thousand.
            value.utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
                .map { String(Substring($0)) }.joined(separator: " ")
        }.joined(separator: ",")
    }
}
