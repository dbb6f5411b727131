import Crypto
import HTTPTypes
import NIOCore
import ObjectStorage
import Secrets
import SigV4
import Transport

/// One request to S3 before it is signed.
struct S3Request {
    enum Body {
        case none
        case bytes(ByteBuffer)
        /// Sent once: what was taken from a stream cannot be sent again.
        case stream(StreamedBody)
    }

    var method: HTTPRequest.Method
    /// `nil` for the bucket itself.
    var key: ObjectKey?
    var query: [(name: String, value: String)] = []
    var headers: HTTPFields = [:]
    var body = Body.none
    /// Whether doing it twice is as good as doing it once.
    var isRepeatable = true

    /// Whether the body can be sent again.
    var hasWholeBody: Bool {
        if case .stream(let body) = body { !body.wasTaken } else { true }
    }

    /// What the signature says of the body. A declared MD5 is a signed header and covers the bytes already; hashing
    /// them once more would cost as much as all the rest.
    var payloadHash: PayloadHash {
        switch body {
        case .none: .empty
        case .bytes(let bytes): headers[.contentMD5] == nil ? .sha256(Self.hash(bytes)) : .unsigned
        case .stream: .unsigned
        }
    }

    private static func hash(_ bytes: ByteBuffer) -> String {
        var hasher = SHA256()
        bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        return Hex.encode(hasher.finalize())
    }

    var transportBody: TransportRequest.Body {
        switch body {
        case .none: .none
        case .bytes(let bytes): .bytes(bytes)
        case .stream(let body): .stream(length: body.body.size, body)
        }
    }

    /// The time that the body's bytes may take on a slow line.
    var sendingTime: Duration {
        switch body {
        case .none: .zero
        case .bytes(let bytes): .seconds(bytes.readableBytes / 32_768)
        case .stream(let body): .seconds(body.body.size / 32_768)
        }
    }
}
