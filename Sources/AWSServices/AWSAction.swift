/// The permissions that what is sent here needs, as AWS's policies spell them.
package enum AWSAction: String, Sendable {
    case abortMultipartUpload = "s3:AbortMultipartUpload"
    case assumeRole = "sts:AssumeRole"
    case deleteObject = "s3:DeleteObject"
    case getObject = "s3:GetObject"
    case listBucket = "s3:ListBucket"
    case listMultipartUploadParts = "s3:ListMultipartUploadParts"
    case putObject = "s3:PutObject"
    case restoreObject = "s3:RestoreObject"

    /// Without the service: `AssumeRole`.
    var name: String { String(rawValue.drop { $0 != ":" }.dropFirst()) }
}
