import HTTPTypes

/// An error response with S3's codes.
package struct S3Error: Error, Equatable, Sendable {
    package let status: Int
    package let code: String
    package let message: String
    /// The object's length in bytes, if a range started beyond its end.
    let objectSize: Int64?
    /// Seconds after which the client may retry.
    let retryAfter: Int?

    init(_ status: Int, _ code: String, _ message: String, objectSize: Int64? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.objectSize = objectSize
        self.retryAfter = retryAfter
    }
}

// Authentication errors.
extension S3Error {
    static func accessDenied(_ message: String = "Access Denied") -> S3Error { S3Error(403, "AccessDenied", message) }
    static let unknownAccessKey = S3Error(
        403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
    static let signatureMismatch = S3Error(
        403, "SignatureDoesNotMatch",
        "The request signature we calculated does not match the signature you provided. Check your signing method."
    )
    static let expiredToken = S3Error(400, "ExpiredToken", "The provided token has expired.")
    static let requestTimeTooSkewed = S3Error(
        403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large.")
    static func headerMalformed(_ part: String) -> S3Error {
        S3Error(400, "AuthorizationHeaderMalformed", "The authorization header is malformed; \(part)")
    }
    static func queryMalformed(_ part: String) -> S3Error {
        S3Error(400, "AuthorizationQueryParametersError", "Error parsing the X-Amz-* parameters; \(part)")
    }
}

// Request errors.
extension S3Error {
    static func invalidRequest(_ message: String) -> S3Error { S3Error(400, "InvalidRequest", message) }
    static func invalidArgument(_ message: String) -> S3Error { S3Error(400, "InvalidArgument", message) }
    static func notImplemented(_ what: String) -> S3Error {
        S3Error(501, "NotImplemented", "\(what) implies functionality that is not implemented.")
    }
    static let invalidURI = S3Error(400, "InvalidURI", "Couldn't parse the specified URI.")
    static let badHost = S3Error(400, "BadRequest", "Send exactly one Host header.")
    static let unknownHost = S3Error(
        421, "BadRequest", "Unknown host in the Host header. In dev, use localhost or the host of s3.endpoint.")
    static let keyTooLong = S3Error(400, "KeyTooLongError", "Your key is too long.")
    static let methodNotAllowed = S3Error(
        405, "MethodNotAllowed", "The specified method is not allowed against this resource.")
    static let noSuchBucket = S3Error(404, "NoSuchBucket", "The specified bucket does not exist")
    static let bucketExists = S3Error(
        409, "BucketAlreadyExists", "The requested bucket already exists. This endpoint has no other buckets.")
    static let noSuchKey = S3Error(404, "NoSuchKey", "The specified key does not exist.")
    static let noSuchUpload = S3Error(
        404, "NoSuchUpload", "The specified upload does not exist. It may have been aborted, completed or expired.")
    static let preconditionFailed = S3Error(
        412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")
    static let conflict = S3Error(
        409, "ConditionalRequestConflict", "A conflicting operation occurred during this request. Try again.")
    static func invalidRange(size: Int64) -> S3Error {
        S3Error(416, "InvalidRange", "The requested range is not satisfiable", objectSize: size)
    }
    static let invalidPartNumber = S3Error(416, "InvalidPartNumber", "The requested partnumber is not satisfiable")
    static let folderWithContent = invalidArgument(
        "A key that ends in '/' is a folder marker and cannot have content. Use another key.")
    static let malformedXML = S3Error(
        400, "MalformedXML", "The XML you provided was not well-formed or did not validate against our schema")
    static let invalidPart = S3Error(
        400, "InvalidPart", "One or more of the specified parts could not be found, or its entity tag did not match.")
    static let invalidPartOrder = S3Error(
        400, "InvalidPartOrder", "The list of parts was not in ascending order.")
    static let partTooSmall = S3Error(
        400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed object size.")
}

// Body errors.
extension S3Error {
    static let missingLength = S3Error(
        411, "MissingContentLength", "You must provide the Content-Length HTTP header.")
    static let tooLarge = S3Error(
        400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed object size.")
    static let incompleteBody = S3Error(
        400, "IncompleteBody", "The length of the request body does not match its headers.")
    static let requestTimeout = S3Error(
        400, "RequestTimeout",
        "Your socket connection to the server was not read from or written to within the timeout period.")
    static let contentHashMismatch = S3Error(
        400, "XAmzContentSHA256Mismatch",
        "The provided 'x-amz-content-sha256' header does not match what was computed.")
    static let badDigest = S3Error(
        400, "BadDigest", "The digest or checksum you specified did not match what we received.")
    static let invalidDigest = S3Error(400, "InvalidDigest", "The Content-MD5 you specified is not valid.")
    static let malformedTrailer = S3Error(
        400, "MalformedTrailerError", "The request contained trailing data that was not well-formed.")
    static let metadataTooLarge = S3Error(
        400, "MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size.")
}

// Store errors.
extension S3Error {
    /// A code that other S3 implementations use; S3 itself has no quotas.
    static func quotaExceeded(stored: Int64, limit: Int64) -> S3Error {
        S3Error(
            403, "QuotaExceeded",
            "Quota exceeded: \(stored) of \(limit) bytes are used. Delete objects permanently or upgrade.")
    }
    static func tooManyUploads(_ limit: Int64) -> S3Error {
        S3Error(
            403, "QuotaExceeded",
            "Too many multipart uploads: the limit is \(limit) uploads and parts. Complete or abort uploads.")
    }
    static func slowDown(retryAfter: Int = 1) -> S3Error {
        S3Error(503, "SlowDown", "Please reduce your request rate.", retryAfter: retryAfter)
    }
    static let unavailable = S3Error(503, "ServiceUnavailable", "Please try again later.")
    static let outOfSpace = S3Error(
        507, "InsufficientStorage",
        "The server's disk is nearly full. Uploads are disabled; downloads and deletions work.")
    /// A custom code: S3 has none for this, and a client must not treat it as transient.
    static let objectDamaged = S3Error(
        500, "ObjectDamaged", "The stored object is damaged and cannot be read. Upload it again.")
    static let internalError = S3Error(500, "InternalError", "We encountered an internal error. Please try again.")
}
