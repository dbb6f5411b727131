/// Why a store did not do as it was asked. Absence is never an error: reads answer `nil`.
package enum ObjectStoreError: Error, Equatable, Sendable {
    /// The condition did not hold (HTTP 412). Nothing was written by this call; an earlier try of the caller's own may
    /// be what is there.
    case preconditionFailed
    /// Another act on the same key was under way (HTTP 409). Nobody may hold the key: try again.
    case conflict
    /// The store did nothing and may do it later (HTTP 503, refused connections).
    case unavailable(String)
    /// The answer was lost: the act may or may not have happened. Look before acting again.
    case outcomeUnknown(String)
    /// The object is in an archive and cannot be read before it was asked back (`ArchiveRetrieval`). It is there, and
    /// other objects can be read.
    case archived
    /// The store refuses this caller.
    case denied(String)
    /// The disk or the bucket's limit is full; nothing was written.
    case outOfSpace
    /// The account may not store so much; nothing was written.
    case quotaExceeded
    /// The object is larger than the caller allowed.
    case tooLarge(limit: Int)
    /// The range starts behind the object's end; `size` is the object's length in bytes.
    case rangeNotSatisfiable(size: Int64)
    /// The body ended early, ran over its declared size or failed to arrive; nothing was written.
    case bodyFailed(String)
    /// The body's bytes differ from the digest the caller declared; nothing was written.
    case digestMismatch
    /// What is stored differs from what was acknowledged. Never served, never taken for absence.
    case corrupted(String)
}
