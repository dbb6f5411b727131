import HTTPTypes

/// The operation that a request specifies.
enum S3Operation: Sendable, Equatable {
    case headBucket, getBucketLocation, getBucketVersioning, listObjects, listObjectsV2, listMultipartUploads,
        deleteObjects
    /// With the number of the requested part, `nil` for the object or a range of it.
    case getObject(part: Int?)
    case headObject(part: Int?)
    case getObjectAttributes, putObject, copyObject, deleteObject
    case createMultipartUpload, completeMultipartUpload
    case uploadPart(uploadID: String, number: Int)
    case uploadPartCopy(uploadID: String, number: Int)
    case abortMultipartUpload(uploadID: String)
    case listParts(uploadID: String)

    /// Sub-resources of S3 that this endpoint does not support. They must be rejected: treated as the plain
    /// operation, a `PUT ?acl` would overwrite the object with a document.
    private static let unsupportedSubresources: Set<String> = [
        "abac", "accelerate", "acl", "analytics", "cors", "encryption", "intelligent-tiering",
        "inventory", "legal-hold", "lifecycle", "logging", "metadataConfiguration", "metadataTable", "metrics",
        "notification", "object-lock", "ownershipControls", "policy", "policyStatus", "publicAccessBlock",
        "renameObject", "replication", "requestPayment", "restore", "retention", "select", "session", "tagging",
        "torrent", "versionId", "versions", "website",
    ]

    init(_ request: GatewayRequest) throws(S3Error) {
        if let name = request.query.first(where: { Self.unsupportedSubresources.contains($0.name) })?.name {
            throw .notImplemented("The sub-resource '\(name)'")
        }
        // Only the read operation is supported for these, on an object or on the bucket.
        for (name, isOfObject) in [("attributes", true), ("versioning", false)] where request.parameter(name) != nil {
            guard request.method == .get, request.key.isEmpty != isOfObject else {
                throw .notImplemented("The sub-resource '\(name)'")
            }
        }
        self = request.key.isEmpty ? try Self.onBucket(request) : try Self.onObject(request)
    }

    private static func onBucket(_ request: GatewayRequest) throws(S3Error) -> S3Operation {
        switch request.method {
        case .head: return .headBucket
        case .get:
            if request.parameter("location") != nil { return .getBucketLocation }
            if request.parameter("versioning") != nil { return .getBucketVersioning }
            if request.parameter("uploads") != nil { return .listMultipartUploads }
            guard let version = request.parameter("list-type") else { return .listObjects }
            guard version == "2" else { throw .invalidArgument("Invalid List Type specified in Request") }
            return .listObjectsV2
        case .post where request.parameter("delete") != nil: return .deleteObjects
        case .post: throw .notImplemented("A form upload")
        // Clients create the bucket before they use it, and continue if it exists.
        case .put: throw .bucketExists
        case .delete: throw .accessDenied()
        default: throw .methodNotAllowed
        }
    }

    private static func onObject(_ request: GatewayRequest) throws(S3Error) -> S3Operation {
        let uploadID = request.parameter("uploadId")
        let copies = request.headers[.amzCopySource] != nil
        switch request.method {
        case .head: return .headObject(part: try part(request))
        case .get:
            if let uploadID { return .listParts(uploadID: uploadID) }
            if request.parameter("attributes") != nil { return .getObjectAttributes }
            return .getObject(part: try part(request))
        case .put:
            guard let uploadID else {
                if request.parameter("partNumber") != nil {
                    throw .invalidArgument("Missing required parameter: uploadId")
                }
                return copies ? .copyObject : .putObject
            }
            guard let number = try part(request) else { throw badPartNumber }
            return copies
                ? .uploadPartCopy(uploadID: uploadID, number: number) : .uploadPart(uploadID: uploadID, number: number)
        case .post:
            if request.parameter("uploads") != nil { return .createMultipartUpload }
            if uploadID != nil { return .completeMultipartUpload }
            throw .methodNotAllowed
        case .delete: return uploadID.map { .abortMultipartUpload(uploadID: $0) } ?? .deleteObject
        default: throw .methodNotAllowed
        }
    }

    private static let badPartNumber = S3Error.invalidArgument(
        "Part number must be an integer between 1 and 10000, inclusive")

    private static func part(_ request: GatewayRequest) throws(S3Error) -> Int? {
        guard let text = request.parameter("partNumber") else { return nil }
        guard let number = Int(text), (1...10_000).contains(number) else { throw badPartNumber }
        return number
    }
}
