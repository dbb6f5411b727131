/// An error of a store. Absence is never an error: reads return `nil`.
package enum ObjectStoreError: Error, Equatable, Sendable {
    /// The condition did not hold (HTTP 412). This call wrote nothing; the stored object may be from an earlier
    /// attempt of the same caller.
    case preconditionFailed
    /// Another operation on the same key was in progress (HTTP 409). Neither may have succeeded: retry.
    case conflict
    /// The store did nothing and may succeed later (HTTP 503, refused connections).
    case unavailable(String)
    /// The response was lost: the operation may or may not have taken effect. Read before retrying.
    case outcomeUnknown(String)
    /// The object is archived and cannot be read until it has been restored (`ArchiveRetrieval`). It exists, and
    /// other objects can be read.
    case archived
    /// The store denies access to this caller.
    case denied(String)
    /// The disk is full or the bucket's limit is reached; nothing was written.
    case outOfSpace
    /// The write would exceed the account's quota; nothing was written.
    case quotaExceeded
    /// The object is larger than the caller allowed.
    case tooLarge(limit: Int)
    /// The range starts beyond the object's end; `size` is the object's length in bytes.
    case rangeNotSatisfiable(size: Int64)
    /// The body ended early, exceeded its declared size or could not be read; nothing was written.
    case bodyFailed(String)
    /// The bytes of the body do not match the declared digest; nothing was written.
    case digestMismatch
    /// The stored data differs from what was acknowledged. It is never served and never treated as absent.
    case corrupted(String)
}
