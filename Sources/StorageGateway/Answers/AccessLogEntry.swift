import Hummingbird
import Logging
import Monitoring
import PhotolalaAPI
import Synchronization

/// The log line of a request to the S3 endpoint. It names the operation and the first segment of the key, which is not
/// personal, and nothing that a client chose: no other part of the key, no query and no header.
///
/// The line is written once: after the last byte of the response, or, if the client is gone before, when the response
/// is released.
final class AccessLogEntry: Sendable {
    private struct State {
        var operation: S3Operation?
        var area: String?
        var account: String?
        var status = 0
        var errorCode: String?
        var received = 0
        var sent = 0
        var isWritten = false
    }

    private let start: ContinuousClock.Instant
    private let method: String
    private let requestID: String
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter requestID: the id in the response.
    init(_ request: Request, requestID: String, start: ContinuousClock.Instant, logger: Logger) {
        method = request.method.rawValue
        (self.requestID, self.start, self.logger) = (requestID, start, logger)
    }

    deinit { write() }

    /// Returns the request with a body whose bytes are counted as they are read.
    func counting(_ request: Request) -> Request {
        let body = request.body.map { buffer in
            self.state.withLock { $0.received += buffer.readableBytes }
            return buffer
        }
        return Request(head: request.head, body: RequestBody(asyncSequence: body))
    }

    /// Records the hash of the account whose signature was verified.
    func setAccount(_ hash: String?) { state.withLock { $0.account = hash } }

    func setOperation(_ operation: S3Operation, on request: GatewayRequest) {
        let area = StorageArea.allCases.first { request.key.hasPrefix($0.rawValue + "/") }
        state.withLock { ($0.operation, $0.area) = (operation, area?.rawValue) }
    }

    func setErrorCode(_ code: String) { state.withLock { $0.errorCode = code } }

    /// Returns the response with a body whose bytes are counted. The line is written when the body ends.
    func counting(_ response: Response) -> Response {
        state.withLock { $0.status = Int(response.status.code) }
        guard response.body.contentLength != 0 else { return response }
        var response = response
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            defer { self.write() }
            try await body.map { buffer in
                self.state.withLock { $0.sent += buffer.readableBytes }
                return buffer
            }.write(writer)
        }
        return response
    }

    private func write() {
        let ended = state.withLock { state -> State? in
            guard !state.isWritten else { return nil }
            state.isWritten = true
            return state
        }
        guard let ended else { return }
        logger.info(.s3Request, "s3 request", metadata: metadata(ended))
    }

    private func metadata(_ state: State) -> Logger.Metadata {
        var fields: Logger.Metadata = [
            "method": "\(method)", "operation": "\(state.operation?.name ?? "-")", "area": "\(state.area ?? "-")",
            "status": .stringConvertible(state.status), "bytesIn": .stringConvertible(state.received),
            "bytesOut": .stringConvertible(state.sent),
            "ms": .stringConvertible((ContinuousClock.now - start).milliseconds), "requestID": "\(requestID)",
        ]
        if let code = state.errorCode { fields["code"] = "\(code)" }
        if let account = state.account { fields["account"] = "\(account)" }
        return fields
    }
}

/// The first segment of a key that users may access.
private enum StorageArea: String, CaseIterable {
    case photos
    case thumbnails
    case catalogs
    case users
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension S3Operation {
    /// The name in AWS' documentation.
    fileprivate var name: String {
        switch self {
        case .headBucket: "HeadBucket"
        case .getBucketLocation: "GetBucketLocation"
        case .getBucketVersioning: "GetBucketVersioning"
        case .listObjects: "ListObjects"
        case .listObjectsV2: "ListObjectsV2"
        case .listMultipartUploads: "ListMultipartUploads"
        case .deleteObjects: "DeleteObjects"
        case .getObject: "GetObject"
        case .headObject: "HeadObject"
        case .getObjectAttributes: "GetObjectAttributes"
        case .putObject: "PutObject"
        case .copyObject: "CopyObject"
        case .deleteObject: "DeleteObject"
        case .createMultipartUpload: "CreateMultipartUpload"
        case .completeMultipartUpload: "CompleteMultipartUpload"
        case .uploadPart: "UploadPart"
        case .uploadPartCopy: "UploadPartCopy"
        case .abortMultipartUpload: "AbortMultipartUpload"
        case .listParts: "ListParts"
        }
    }
}
