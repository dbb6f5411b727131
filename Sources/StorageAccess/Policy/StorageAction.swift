/// The operations on an object, with S3's own names (`s3:GetObject`, …).
package enum StorageAction: String, Sendable, CaseIterable {
    case getObject = "GetObject"
    case putObject = "PutObject"
    case deleteObject = "DeleteObject"
    case abortMultipartUpload = "AbortMultipartUpload"
    case listMultipartUploadParts = "ListMultipartUploadParts"
    /// Restoring an archived object.
    case restoreObject = "RestoreObject"
}
