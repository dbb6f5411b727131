import HTTPTypes

/// Refuses conditions that an operation does not check. A change whose condition is passed over does harm; a read gives
/// more than was asked for.
enum ConditionHeaders {
    private static let http: Set = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"]
    private static let source: Set = [
        "x-amz-copy-source-if-match", "x-amz-copy-source-if-none-match", "x-amz-copy-source-if-modified-since",
        "x-amz-copy-source-if-unmodified-since",
    ]
    /// Parameters of signatures. Others of their prefix stand for header fields, as some clients write them in links.
    private static let signature: Set = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders", "x-amz-signature",
        "x-amz-security-token", "x-amz-content-sha256",
    ]
    /// Parameters that are read (`DeclaredChecksum`), or that change nothing.
    private static let harmless: Set = [
        "x-amz-sdk-checksum-algorithm", "x-amz-user-agent", "x-amz-request-payer", "x-amz-expected-bucket-owner",
    ]

    static func check(_ request: GatewayRequest, _ operation: S3Operation) throws(S3Error) {
        if let checked = checked(by: operation) {
            for field in request.headers {
                let name = field.name.canonicalName
                let isCondition =
                    http.contains(name) || name.hasPrefix("x-amz-if-") || name.hasPrefix("x-amz-copy-source-if-")
                if isCondition && !checked.contains(name) { throw .notImplemented("The header '\(name)'") }
            }
        }
        for (name, _) in request.query {
            let lower = name.lowercased()
            guard lower.hasPrefix("x-amz-"), !signature.contains(lower), !harmless.contains(lower) else { continue }
            guard lower.hasPrefix("x-amz-checksum-") else { throw .notImplemented("The query parameter '\(name)'") }
        }
    }

    /// The conditions that the operation checks; `nil` for an operation that changes nothing.
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
