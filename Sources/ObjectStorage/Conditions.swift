/// When a write may happen; the check and the write are one step.
package enum PutCondition: Sendable, Equatable {
    /// Whatever is there is replaced.
    case always
    /// Only if no object has this key (`If-None-Match: *`).
    case absent
    /// Only if the object there has this tag (`If-Match`).
    case matches(ETag)
}

/// When a delete may happen; the check and the delete are one step.
package enum DeleteCondition: Sendable, Equatable {
    /// Deleting what is not there succeeds.
    case always
    /// Only if the object there has this tag (`If-Match`).
    case matches(ETag)
}
