/// A malformed or unsupported signature in a request. Whether a well-formed signature is valid is checked separately.
package enum AuthorizationError: Error, Equatable, Sendable {
    /// The algorithm is not `AWS4-HMAC-SHA256`.
    case unsupportedAlgorithm
    /// A part is missing, duplicated, empty or malformed; the value is the part's name.
    case malformed(String)
    /// The date is missing or malformed.
    case badDate
    /// The lifetime of a presigned request is not 1 to 604,800 seconds.
    case badExpiry
}
