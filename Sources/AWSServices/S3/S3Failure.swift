import Foundation
import NIOCore
import ObjectStorage
import Transport
import XMLCoder

/// An answer that says no: the status and, where the answer had a body or a header for it, S3's own code.
struct S3Failure: Equatable {
    let status: Int
    /// Empty for most answers to HEAD, which have no body.
    let code: String

    /// Reads the error document; without one the code is what the header says, or empty.
    static func read(_ response: TransportResponse) async -> S3Failure {
        guard let bytes = try? await response.collect(limit: 64 * 1024), bytes.readableBytes > 0,
            let document = try? XMLDecoder().decode(Document.self, from: Data(bytes.readableBytesView))
        else { return S3Failure(status: response.status, code: response.headers[.errorCode] ?? "") }
        return S3Failure(status: response.status, code: document.Code)
    }

    private struct Document: Decodable { let Code: String }

    /// Whether other credentials may help. SeaweedFS calls an expired session an unknown key; HEAD tells nothing.
    var blamesCredentials: Bool {
        let codes: Set = [
            "ExpiredToken", "ExpiredTokenException", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired",
        ]
        return codes.contains(code) || (code.isEmpty && (status == 403 || status == 400))
    }

    /// Whether nothing was done and trying again later is what the service asks for.
    var asksToTryAgain: Bool { status == 503 || status == 429 || code == "SlowDown" }

    /// What it means to whoever asked for a key.
    func error(isRepeatable: Bool) -> ObjectStoreError {
        switch (status, code) {
        case (412, _), (404, "NoSuchKey"): .preconditionFailed
        case (409, _): .conflict
        case (_, "ObjectDamaged"): .corrupted(words)
        case (507, _), (_, "InsufficientStorage"), (_, "QuotaExceeded"), (_, "XMinioStorageFull"): .outOfSpace
        case (400, "BadDigest"), (400, "InvalidDigest"), (400, "XAmzContentSHA256Mismatch"),
            (400, "XAmzContentChecksumMismatch"):
            .digestMismatch
        case (400, "IncompleteBody"), (400, "EntityTooLarge"), (413, _): .bodyFailed(words)
        case (400, "RequestTimeout"), (408, _): .unavailable(words)
        case (500..., _) where asksToTryAgain || isRepeatable: .unavailable(words)
        case (429, _): .unavailable(words)
        case (500..., _): .outcomeUnknown(words)
        default: .denied(words)
        }
    }

    private var words: String { code.isEmpty ? "HTTP \(status)" : "\(code) (HTTP \(status))" }
}
