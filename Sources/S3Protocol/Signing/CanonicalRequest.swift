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
    private var bytes: [UInt8] = []

    /// - Parameter signedHeaders: Sorted, lower-case names; the value of `host` is `request.host`.
    package init(
        _ request: SignableRequest, signedHeaders: [String], payload: PayloadHash, pathNormalization: PathNormalization
    ) {
        bytes.reserveCapacity(1024)
        append(request.method, "\n")
        append(Self.path(request.path, pathNormalization), "\n")
        append(Self.query(request.query), "\n")
        for name in signedHeaders {
            append(name, ":")
            appendValue(name, request)
            append("\n")
        }
        append("\n")
        for (index, name) in signedHeaders.enumerated() { append(index == 0 ? "" : ";", name) }
        append("\n", payload.description)
    }

    /// Returns the string to sign.
    package func stringToSign(timestamp: AWSTimestamp, scope: CredentialScope) -> String {
        "AWS4-HMAC-SHA256\n\(timestamp)\n\(scope)\n\(Hex.encode(SHA256.hash(data: bytes)))"
    }

    private mutating func append(_ texts: String...) {
        for text in texts { bytes.append(contentsOf: text.utf8) }
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

    /// Appends all values of a field, trimmed, with white space collapsed, joined by commas.
    private mutating func appendValue(_ name: String, _ request: SignableRequest) {
        guard name != "host" else { return append(request.host) }
        var isFirst = true
        for field in request.headers where field.name.canonicalName == name {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            let start = bytes.count
            var isAfterSpace = false
            for byte in field.value.utf8 {
                let isSpace = byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
                if !isSpace {
                    if isAfterSpace, bytes.count > start { bytes.append(0x20) }
                    bytes.append(byte)
                }
                isAfterSpace = isSpace
            }
        }
    }
}
