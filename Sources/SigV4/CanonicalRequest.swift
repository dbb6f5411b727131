import Crypto
import Foundation
import HTTPTypes
import Secrets

/// How a path is brought into the form that is signed.
package enum PathNormalization: Sendable {
    /// S3: the path as it is, percent-encoded once.
    case none
    /// Every other service: `.`, `..` and empty segments resolved, and what is encoded already encoded again.
    case standard
}

/// The one spelling of a request that both sides sign.
package struct CanonicalRequest: Sendable {
    package let text: String

    /// - Parameter signedHeaders: lower-case names in order; `host` is taken from the request's own part.
    package init(
        _ request: SignableRequest, signedHeaders: [String], payload: PayloadHash, pathNormalization: PathNormalization
    ) {
        text = [
            request.method, Self.path(request.path, pathNormalization), Self.query(request.query),
            signedHeaders.map { "\($0):\(Self.value($0, request))\n" }.joined(),
            signedHeaders.joined(separator: ";"), payload.description,
        ].joined(separator: "\n")
    }

    /// What the signing key signs.
    package func stringToSign(timestamp: AWSTimestamp, scope: CredentialScope) -> String {
        "AWS4-HMAC-SHA256\n\(timestamp)\n\(scope)\n\(Hex.encode(SHA256.hash(data: Data(text.utf8))))"
    }

    private static func path(_ raw: String, _ normalization: PathNormalization) -> String {
        switch normalization {
        case .none:
            return AWSPercentEncoding.canonical(raw.isEmpty ? "/" : raw, keepingSlash: true)
        case .standard:
            var kept: [Substring] = []
            for segment in raw.split(separator: "/") where segment != "." {
                if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
            }
            let path = "/" + kept.joined(separator: "/") + (raw.hasSuffix("/") && !kept.isEmpty ? "/" : "")
            return AWSPercentEncoding.encode(path, keepingSlash: true)
        }
    }

    /// Sorted by the encoded name, then by the encoded value; a signature among the parameters is left out.
    private static func query(_ raw: String) -> String {
        var items: [(name: String, value: String)] = []
        for piece in raw.split(separator: "&") {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = AWSPercentEncoding.canonical(parts[0])
            if name == "X-Amz-Signature" { continue }
            items.append((name, AWSPercentEncoding.canonical(parts.count > 1 ? parts[1] : "")))
        }
        items.sort { left, right in
            left.name == right.name
                ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
                : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        return items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// All values of a field, trimmed, runs of white space made one, joined by commas.
    private static func value(_ name: String, _ request: SignableRequest) -> String {
        if name == "host" { return request.host }
        guard let field = HTTPField.Name(name) else { return "" }
        return request.headers[values: field].map { value in
            // By bytes: a session token has a thousand.
            value.utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
                .map { String(Substring($0)) }.joined(separator: " ")
        }.joined(separator: ",")
    }
}
