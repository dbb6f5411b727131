import ObjectStorage

/// Why an operation on shared links failed.
package enum SharingError: StoreErrorConvertible, Equatable, Sendable {
    /// The account has as many links as it may have.
    case tooManyLinks
    /// There is no such link.
    case notFound
    /// Other writers changed the link at each attempt.
    case contended
    /// A stored object is malformed.
    case corrupted(String)
    case store(ObjectStoreError)
}
