import HTTPTypes

/// What a request asks for.
enum S3Operation: Sendable, Equatable {
    case headBucket, getBucketLocation, listObjects, listObjectsV2, listMultipartUploads, deleteObjects
    case getObject, headObject, putObject, copyObject, deleteObject
    case createMultipartUpload, completeMultipartUpload
    case uploadPart(uploadID: String, number: Int)
    case uploadPartCopy(uploadID: String, number: Int)
    case abortMultipartUpload(uploadID: String)
    case listParts(uploadID: String)

    /// Sub-resources of S3 that this endpoint does not have. They must be refused: taken for the plain call, a
    /// `PUT ?acl` would overwrite the object with a document.
    private static let foreign: Set<String> = [
        "abac", "accelerate", "acl", "analytics", "attributes", "cors", "encryption", "intelligent-tiering",
        "inventory", "legal-hold", "lifecycle", "logging", "metadataConfiguration", "metadataTable", "metrics",
        "notification", "object-lock", "ownershipControls", "policy", "policyStatus", "publicAccessBlock",
        "renameObject", "replication", "requestPayment", "restore", "retention", "select", "session", "tagging",
        "torrent", "versionId", "versioning", "versions", "website",
    ]

    init(_ request: GatewayRequest) throws(S3Error) {
        if let name = request.query.first(where: { Self.foreign.contains($0.name) })?.name {
            throw .notImplemented("The sub-resource '\(name)'")
        }
        self = request.key.isEmpty ? try Self.onBucket(request) : try Self.onObject(request)
    }

    private static func onBucket(_ request: GatewayRequest) throws(S3Error) -> S3Operation {
        switch request.method {
        case .head: return .headBucket
        case .get:
            if request.parameter("location") != nil { return .getBucketLocation }
            if request.parameter("uploads") != nil { return .listMultipartUploads }
            guard let version = request.parameter("list-type") else { return .listObjects }
            guard version == "2" else { throw .invalidArgument("Invalid List Type specified in Request") }
            return .listObjectsV2
        case .post where request.parameter("delete") != nil: return .deleteObjects
        case .post: throw .notImplemented("A form upload")
        case .put, .delete: throw .accessDenied()
        default: throw .methodNotAllowed
        }
    }

    private static func onObject(_ request: GatewayRequest) throws(S3Error) -> S3Operation {
        let uploadID = request.parameter("uploadId")
        let copies = request.headers[.amzCopySource] != nil
        switch request.method {
        case .head: return .headObject
        case .get:
            if let uploadID { return .listParts(uploadID: uploadID) }
            if request.parameter("partNumber") != nil { throw .notImplemented("Reading by part number") }
            return .getObject
        case .put:
            guard let uploadID else {
                if request.parameter("partNumber") != nil { throw .invalidArgument("uploadId is missing.") }
                return copies ? .copyObject : .putObject
            }
            guard let number = request.parameter("partNumber").flatMap({ Int($0) }), (1...10_000).contains(number)
            else {
                throw .invalidArgument("Part number must be an integer between 1 and 10000, inclusive")
            }
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
}
