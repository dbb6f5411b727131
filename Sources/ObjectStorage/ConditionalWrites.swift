import NIOCore

/// Conditional writes and deletes of small objects, each retried until its outcome is certain.
///
/// 409 and 503 are retried. After a lost response, and after 412 for a creation, the object is read and compared with
/// what was sent; the outcome is never guessed. The bytes of a write must therefore be unique to the caller, by a
/// random or a counting part.
package struct ConditionalWrites: Sendable {
    package let store: any ObjectStore
    package let retry: RetryPolicy

    /// The outcome of a write.
    package enum Outcome: Sendable, Equatable {
        /// The bytes are stored, written by this call.
        case written(ETag)
        /// The condition does not hold. If `isSure`, no earlier attempt of this call can still take effect.
        case preconditionFailed(isSure: Bool)
        /// `mayTry` returned `false` before an attempt.
        case abandoned
    }

    package init(store: any ObjectStore, retry: RetryPolicy) {
        self.store = store
        self.retry = retry
    }

    /// Writes a small object. Costs one write unless an attempt fails.
    /// - Parameter mayTry: Called before every attempt.
    /// - Throws: The last failure when all attempts are used; after `outcomeUnknown` the outcome remains unknown.
    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition, mayTry: @Sendable () -> Bool = { true }
    ) async throws(ObjectStoreError) -> Outcome {
        var isSure = true
        var last = ObjectStoreError.conflict
        for attempt in 0..<retry.attempts {
            guard mayTry() else { return .abandoned }
            do {
                return .written(try await store.put(key, bytes, if: condition))
            } catch .preconditionFailed {
                // The stored object may be from an earlier attempt or, for a creation, from this one: the transport
                // may have repeated the request and returned the second response. A caller that replaces an object
                // reads it again in any case.
                if !isSure || condition == .absent, let own = try await etag(for: bytes, at: key) {
                    return .written(own)
                }
                return .preconditionFailed(isSure: isSure)
            } catch .outcomeUnknown(let reason) {
                isSure = false
                last = .outcomeUnknown(reason)
                // If the object cannot be read either, the outcome remains unknown.
                if let own = try? await etag(for: bytes, at: key) { return .written(own) }
            } catch .conflict {
                last = isSure ? .conflict : last
            } catch .unavailable(let reason) {
                last = isSure ? .unavailable(reason) : last
            }
            await retry.pause(after: attempt)
        }
        throw last
    }

    /// Deletes an object.
    /// - Returns: `false` if the condition does not hold: another object is stored there, or none.
    @discardableResult
    package func delete(
        _ key: ObjectKey, if condition: DeleteCondition
    ) async throws(ObjectStoreError) -> Bool {
        var isSure = true
        var last = ObjectStoreError.conflict
        for attempt in 0..<retry.attempts {
            do {
                try await store.delete(key, if: condition)
                return true
            } catch .preconditionFailed {
                // The object that was to be deleted no longer exists; after a lost response it was most likely
                // deleted by this call.
                return !isSure
            } catch .outcomeUnknown(let reason) {
                isSure = false
                last = .outcomeUnknown(reason)
            } catch .conflict {
                last = isSure ? .conflict : last
            } catch .unavailable(let reason) {
                last = isSure ? .unavailable(reason) : last
            }
            await retry.pause(after: attempt)
        }
        throw last
    }

    private func etag(for bytes: ByteBuffer, at key: ObjectKey) async throws(ObjectStoreError) -> ETag? {
        do {
            guard let found = try await store.get(key, limit: bytes.readableBytes), found.bytes == bytes else {
                return nil
            }
            return found.etag
        } catch .tooLarge {
            return nil
        }
    }
}
