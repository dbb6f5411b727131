/// The permissions needed by the requests of this module, as named in AWS's policies.
package enum AWSAction: String, Sendable {
    case abortMultipartUpload = "s3:AbortMultipartUpload"
    case assumeRole = "sts:AssumeRole"
    case deleteObject = "s3:DeleteObject"
    case deleteObjectVersion = "s3:DeleteObjectVersion"
    case getBucketObjectLockConfiguration = "s3:GetBucketObjectLockConfiguration"
    case getObject = "s3:GetObject"
    case listBucket = "s3:ListBucket"
    case listBucketMultipartUploads = "s3:ListBucketMultipartUploads"
    case listBucketVersions = "s3:ListBucketVersions"
    case listMultipartUploadParts = "s3:ListMultipartUploadParts"
    case putObject = "s3:PutObject"
    case restoreObject = "s3:RestoreObject"

    /// The action without the service: `AssumeRole`.
    var name: String { String(rawValue.drop { $0 != ":" }.dropFirst()) }
}
