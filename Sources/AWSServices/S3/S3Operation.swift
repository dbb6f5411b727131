import HTTPTypes

/// The requests that are sent to S3. The policies in `deploy/aws` are checked against this list.
package enum S3Operation: Sendable, CaseIterable {
    case getObject
    case headObject
    case putObject
    case deleteObject
    case listObjects
    case createMultipartUpload
    case uploadPart
    case completeMultipartUpload
    case abortMultipartUpload
    case listParts
    case restoreObject
    case listObjectVersions
    case deleteObjectVersion
    case listMultipartUploads
    case getObjectLockConfiguration

    var method: HTTPRequest.Method {
        switch self {
        case .getObject, .listObjects, .listParts, .listObjectVersions, .listMultipartUploads,
            .getObjectLockConfiguration:
            .get
        case .headObject: .head
        case .putObject, .uploadPart: .put
        case .deleteObject, .deleteObjectVersion, .abortMultipartUpload: .delete
        case .createMultipartUpload, .completeMultipartUpload, .restoreObject: .post
        }
    }

    /// The permission that AWS requires. A conditional write needs `getObject` as well.
    package var action: AWSAction {
        switch self {
        case .getObject, .headObject: .getObject
        case .listObjects: .listBucket
        case .putObject, .createMultipartUpload, .uploadPart, .completeMultipartUpload: .putObject
        case .deleteObject: .deleteObject
        case .abortMultipartUpload: .abortMultipartUpload
        case .listParts: .listMultipartUploadParts
        case .restoreObject: .restoreObject
        case .listObjectVersions: .listBucketVersions
        case .deleteObjectVersion: .deleteObjectVersion
        case .listMultipartUploads: .listBucketMultipartUploads
        case .getObjectLockConfiguration: .getBucketObjectLockConfiguration
        }
    }
}
