import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import Transport

/// An error response: the status and S3's error code, if the response has it in a body or header.
struct S3Failure: Equatable {
    let status: Int
    /// Empty for most responses to HEAD, which have no body.
    let code: String
    /// The bucket's region, if the response contains it.
    var region: String?
    /// The delay that the service requests.
    var retryAfter = Duration.zero

    /// The maximum delay for a single response, in seconds.
    private static let maximumRetryAfter = 60
    /// The length of an error document, in bytes, up to which it is read.
    static let documentLimit = 64 * 1024

    /// Reads the error document; without one the code is that of the header, or empty.
    static func read(_ response: TransportResponse) async -> S3Failure {
        let region = response.headers[.bucketRegion]
        let seconds = response.headers[.retryAfter].flatMap { Int($0) } ?? 0
        let retryAfter = Duration.seconds(min(max(seconds, 0), maximumRetryAfter))
        guard let bytes = try? await response.collect(limit: documentLimit), let document = Document(bytes) else {
            let code = response.headers[.errorCode] ?? ""
            return S3Failure(status: response.status, code: code, region: region, retryAfter: retryAfter)
        }
        return S3Failure(
            status: response.status, code: document.code, region: document.region ?? region, retryAfter: retryAfter)
    }

    /// Reads a failure that followed status 200, with the status that it would have had.
    static func afterSuccessStatus(_ bytes: ByteBuffer) -> S3Failure {
        let code = Document(bytes)?.code ?? ""
        let status =
            switch code {
            case "PreconditionFailed": 412
            case "ConditionalRequestConflict": 409
            case "SlowDown", "ServiceUnavailable": 503
            case "NoSuchUpload": 404
            case "InvalidPart": 400
            default: 500
            }
        return S3Failure(status: status, code: code)
    }

    private struct Document {
        let code: String
        let region: String?

        init?(_ bytes: ByteBuffer) {
            guard let document = try? XMLReader.read(bytes.readableBytesView), let code = document.value("Code") else {
                return nil
            }
            self.code = code
            region = document.value("Region")
        }
    }

    /// Whether other credentials may help. SeaweedFS reports an expired session as an unknown key; responses to HEAD
    /// contain no code.
    var indicatesCredentialFailure: Bool {
        let codes: Set = [
            "ExpiredToken", "ExpiredTokenException", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired",
        ]
        return codes.contains(code) || (code.isEmpty && (status == 403 || status == 400))
    }

    /// Whether the time of the signature was rejected.
    var indicatesClockSkew: Bool { code == "RequestTimeTooSkewed" }

    /// Whether a multipart upload no longer exists, or has other parts.
    var isLostUpload: Bool { [(404, "NoSuchUpload"), (400, "InvalidPart")].contains { $0 == (status, code) } }

    /// Whether nothing was done and the service requests a retry. An archive that is busy for hours is not worth
    /// waiting for.
    var isRetryable: Bool {
        (status == 503 && code != "GlacierExpeditedRetrievalNotAvailable") || status == 429 || code == "SlowDown"
    }

    /// Maps the failure of a request for an object to a store error.
    func error(isRepeatable: Bool) -> ObjectStoreError {
        switch (status, code) {
        case (412, _), (404, "NoSuchKey"): .preconditionFailed
        case (409, _): .conflict
        case (403, "InvalidObjectState"): .archived
        case (_, "ObjectDamaged"): .corrupted(summary)
        case (403, "QuotaExceeded"): .quotaExceeded
        case (507, _), (_, "InsufficientStorage"), (_, "QuotaExceeded"), (_, "XMinioStorageFull"): .outOfSpace
        case (400, "BadDigest"), (400, "InvalidDigest"), (400, "XAmzContentSHA256Mismatch"),
            (400, "XAmzContentChecksumMismatch"):
            .digestMismatch
        case (400, "IncompleteBody"), (400, "EntityTooLarge"), (413, _): .bodyFailed(summary)
        case (400, "RequestTimeout"), (408, _): .unavailable(summary)
        case (500..., _) where status != 501 && (isRetryable || isRepeatable): .unavailable(summary)
        case (429, _): .unavailable(summary)
        case (501, _): .denied(summary)
        case (500..., _): .outcomeUnknown(summary)
        default: .denied(summary)
        }
    }

    var summary: String { code.isEmpty ? "HTTP \(status)" : "\(code) (HTTP \(status))" }
}
