/// The condition of a write. The check and the write are atomic.
package enum PutCondition: Sendable, Equatable {
    /// Replaces any existing object.
    case always
    /// Only if no object has this key (`If-None-Match: *`).
    case absent
    /// Only if the stored object has this ETag (`If-Match`).
    case matches(ETag)
}

/// The condition of a delete. The check and the delete are atomic.
package enum DeleteCondition: Sendable, Equatable {
    /// Deletes any object. Succeeds if there is none.
    case always
    /// Only if the stored object has this ETag (`If-Match`).
    case matches(ETag)
}
