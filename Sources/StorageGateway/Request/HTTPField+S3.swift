import HTTPTypes

extension HTTPField.Name {
    static let crossOriginResourcePolicy = s3("cross-origin-resource-policy")
    static let contentMD5 = s3("content-md5")
    static let amzRequestID = s3("x-amz-request-id")
    static let amzErrorCode = s3("x-amz-error-code")
    static let amzDecodedContentLength = s3("x-amz-decoded-content-length")
    static let amzTrailer = s3("x-amz-trailer")
    static let amzChecksumAlgorithm = s3("x-amz-checksum-algorithm")
    static let amzChecksumMode = s3("x-amz-checksum-mode")
    static let amzChecksumType = s3("x-amz-checksum-type")
    static let amzObjectAttributes = s3("x-amz-object-attributes")
    static let amzMaxParts = s3("x-amz-max-parts")
    static let amzPartNumberMarker = s3("x-amz-part-number-marker")
    static let amzPartsCount = s3("x-amz-mp-parts-count")
    static let amzObjectSize = s3("x-amz-mp-object-size")
    static let amzCopySource = s3("x-amz-copy-source")
    static let amzCopySourceRange = s3("x-amz-copy-source-range")
    static let amzCopySourceIfMatch = s3("x-amz-copy-source-if-match")
    static let amzCopySourceIfNoneMatch = s3("x-amz-copy-source-if-none-match")
    static let amzCopySourceIfModifiedSince = s3("x-amz-copy-source-if-modified-since")
    static let amzCopySourceIfUnmodifiedSince = s3("x-amz-copy-source-if-unmodified-since")
    static let amzMetadataDirective = s3("x-amz-metadata-directive")
    static let amzBucketRegion = s3("x-amz-bucket-region")

    /// Creates a field name from a literal in this module, all of which are valid tokens.
    static func s3(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .date }
}
