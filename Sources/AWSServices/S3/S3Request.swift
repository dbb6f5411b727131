import Crypto
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import Secrets
import SigV4
import Transport

/// One request to S3 before it is signed.
struct S3Request {
    /// Always whole, so that it can be sent again.
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
    /// Whether doing it twice is as good as doing it once.
    var isRepeatable = true
    /// It is not signed, nor signed again, with this date or a later one.
    var deadline: Date?
    /// The time that the service may work before it answers, besides the usual.
    var workingTime = Duration.zero

    init(_ operation: S3Operation, key: ObjectKey?, body: Body = .none) {
        self.operation = operation
        self.key = key
        self.body = body
    }

    /// Adds what is to be kept with the object.
    mutating func add(_ attributes: ObjectAttributes) throws(ObjectStoreError) {
        for (name, value) in attributes {
            guard let name = HTTPField.Name(name) else { throw .bodyFailed("no attribute can be called \(name)") }
            headers[name] = value
        }
    }

    /// Makes it conditional; what is conditional is never repeated when it may have happened.
    mutating func require(_ condition: PutCondition) {
        switch condition {
        case .always: return
        case .absent: headers[.ifNoneMatch] = "*"
        case .matches(let etag): headers[.ifMatch] = "\"\(etag)\""
        }
        isRepeatable = false
    }

    /// What the signature says of the body. A declared MD5 is a signed header and covers the bytes already; hashing
    /// them once more would cost as much as all the rest.
    var payloadHash: PayloadHash {
        switch body {
        case .none: .empty
        case .bytes(let bytes): headers[.contentMD5] == nil ? .sha256(Self.hash(bytes)) : .unsigned
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

    /// The time that the body's bytes may take on a slow line.
    var sendingTime: Duration {
        switch body {
        case .none: .zero
        case .bytes(let bytes): .seconds(bytes.readableBytes / 32_768)
        }
    }
}
