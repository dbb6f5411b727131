/// Why what a request says about its signature cannot be used. Whether the signature holds is another question.
package enum AuthorizationError: Error, Equatable, Sendable {
    /// Not `AWS4-HMAC-SHA256`.
    case unsupportedAlgorithm
    /// A part is missing, there twice, empty or of the wrong form; the part's name.
    case malformed(String)
    /// No date, or one of the wrong form.
    case badDate
    /// The life of a presigned request is not 1 to 604,800 seconds.
    case badExpiry
}
