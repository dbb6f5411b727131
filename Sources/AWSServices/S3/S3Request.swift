import Crypto
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import S3Protocol
import Secrets
import Transport

/// An unsigned request to S3.
struct S3Request {
    /// Always held in memory, so that it can be sent again.
    enum Body {
        case none
        case bytes(ByteBuffer)
    }

    let operation: S3Operation
    /// `nil` for the bucket itself.
    let key: ObjectKey?
    var query: [(name: String, value: String)] = []
    var headers: HTTPFields = [:]
    let body: Body
    /// Whether repeating the request is harmless.
    var isRepeatable = true
    /// The date from which the request is not signed any more, also for retries.
    var deadline: Date?
    /// Whether the signature covers a hash of the body although its MD5 is declared.
    private var isHashed = false
    /// The additional time that the service may need before it responds.
    var workingTime = Duration.zero

    init(_ operation: S3Operation, key: ObjectKey?, body: Body = .none) {
        self.operation = operation
        self.key = key
        self.body = body
    }

    /// Adds the attributes to store with the object.
    mutating func add(_ attributes: ObjectAttributes) throws(ObjectStoreError) {
        for (name, value) in attributes {
            guard let name = HTTPField.Name(name) else { throw .bodyFailed("invalid attribute name \(name)") }
            headers[name] = value
        }
    }

    /// Declares the MD5 of the body, unless that was done: without it SeaweedFS stores an empty object where the sender ends
    /// after the header.
    mutating func declareMD5() {
        guard case .bytes(let bytes) = body, headers[.contentMD5] == nil else { return }
        var hasher = Insecure.MD5()
        bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        headers[.contentMD5] = Data(hasher.finalize()).base64EncodedString()
        isHashed = true
    }

    /// Adds a condition; a conditional request is never repeated if it may have been performed.
    mutating func require(_ condition: PutCondition) {
        switch condition {
        case .always: return
        case .absent: headers[.ifNoneMatch] = "*"
        case .matches(let etag): headers[.ifMatch] = "\"\(etag)\""
        }
        isRepeatable = false
    }

    /// How the signature covers the body. A caller's MD5 is a signed header and already covers the bytes; hashing
    /// them again would cost as much as the rest of the request.
    var payloadHash: PayloadHash {
        switch body {
        case .none: .empty
        case .bytes(let bytes): headers[.contentMD5] == nil || isHashed ? .sha256(Self.hash(bytes)) : .unsigned
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
        }
    }

    /// The time that sending the body may take on a slow connection.
    var sendingTime: Duration {
        switch body {
        case .none: .zero
        case .bytes(let bytes): .seconds(bytes.readableBytes / 32_768)
        }
    }
}
