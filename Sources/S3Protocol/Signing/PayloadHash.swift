import Crypto
import Foundation
import Secrets

/// How a signature covers the body: the value of `x-amz-content-sha256`.
package enum PayloadHash: Sendable, Equatable, CustomStringConvertible {
    /// The body's SHA-256, 64 lower-case hex digits.
    case sha256(String)
    /// The signature does not cover the body.
    case unsigned
    /// `aws-chunked`, with signed chunks.
    case streamingSigned
    /// `aws-chunked`, with signed chunks and a signed trailer.
    case streamingSignedTrailer
    /// `aws-chunked`, with an unsigned trailer.
    case streamingUnsignedTrailer

    /// The hash of an empty body.
    package static let empty = PayloadHash.sha256("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")

    /// Returns the hash of bytes in memory.
    package static func of(_ bytes: some DataProtocol) -> PayloadHash { .sha256(Hex.encode(SHA256.hash(data: bytes))) }

    /// Parses the header's value; returns `nil` for an unknown format.
    package init?(_ text: String) {
        switch text {
        case "UNSIGNED-PAYLOAD": self = .unsigned
        case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD": self = .streamingSigned
        case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER": self = .streamingSignedTrailer
        case "STREAMING-UNSIGNED-PAYLOAD-TRAILER": self = .streamingUnsignedTrailer
        default:
            guard Hex.isLowercase(text, count: 64) else { return nil }
            self = .sha256(text)
        }
    }

    package var description: String {
        switch self {
        case .sha256(let hex): hex
        case .unsigned: "UNSIGNED-PAYLOAD"
        case .streamingSigned: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        case .streamingSignedTrailer: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
        case .streamingUnsignedTrailer: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        }
    }

    /// Whether the body is encoded as `aws-chunked`.
    package var isStreaming: Bool {
        switch self {
        case .streamingSigned, .streamingSignedTrailer, .streamingUnsignedTrailer: true
        case .sha256, .unsigned: false
        }
    }
}
