import HTTPTypes

/// Rejects conditions that an operation does not check. Ignoring the condition of a change is harmful; ignoring that
/// of a read returns more than requested.
enum ConditionHeaders {
    private static let http: Set = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"]
    private static let source: Set = [
        "x-amz-copy-source-if-match", "x-amz-copy-source-if-none-match", "x-amz-copy-source-if-modified-since",
        "x-amz-copy-source-if-unmodified-since",
    ]
    static func check(_ request: GatewayRequest, _ operation: S3Operation) throws(S3Error) {
        guard let checked = checked(by: operation) else { return }
        for field in request.headers {
            let name = field.name.canonicalName
            let isCondition =
                http.contains(name) || name.hasPrefix("x-amz-if-") || name.hasPrefix("x-amz-copy-source-if-")
            if isCondition && !checked.contains(name) { throw .notImplemented("The header '\(name)'") }
        }
    }

    /// Returns the conditions that the operation checks; `nil` for an operation that changes nothing.
    private static func checked(by operation: S3Operation) -> Set<String>? {
        switch operation {
        case .putObject, .completeMultipartUpload: ["if-match", "if-none-match"]
        case .copyObject: source.union(["if-match", "if-none-match"])
        case .uploadPartCopy: source
        case .deleteObject: ["if-match"]
        case .deleteObjects, .createMultipartUpload, .uploadPart, .abortMultipartUpload: []
        case .headBucket, .getBucketLocation, .getBucketVersioning, .listObjects, .listObjectsV2, .listMultipartUploads,
            .listParts,
            .getObject, .headObject, .getObjectAttributes:
            nil
        }
    }
}
