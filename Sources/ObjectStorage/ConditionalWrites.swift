import NIOCore

/// Conditional writes and deletes of small objects, each followed until its outcome is sure.
///
/// 409 and 503 mean try again. A lost answer means look, and so does 412 where something was to be created: what is found
/// is compared with what was sent, never guessed.
/// So the bytes of a write have to be the caller's alone, by a random or a counting part.
package struct ConditionalWrites: Sendable {
    package let store: any ObjectStore
    package let retry: RetryPolicy

    /// What came of a write.
    package enum Outcome: Sendable, Equatable {
        /// These bytes are there, written by this call.
        case written(ETag)
        /// The condition does not hold. `isSure` tells that no earlier try of this call can still arrive.
        case refused(isSure: Bool)
        /// The caller wanted no further try.
        case stopped
    }

    package init(store: any ObjectStore, retry: RetryPolicy) {
        self.store = store
        self.retry = retry
    }

    /// Writes an object whole. One write, unless something goes wrong.
    /// - Parameter mayTry: asked before every try.
    /// - Throws: the last failure when the tries are used up; the outcome of an `outcomeUnknown` stays open.
    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition, mayTry: @Sendable () -> Bool = { true }
    ) async throws(ObjectStoreError) -> Outcome {
        var isSure = true
        var last = ObjectStoreError.conflict
        for attempt in 0..<retry.attempts {
            guard mayTry() else { return .stopped }
            do {
                return .written(try await store.put(key, bytes, if: condition))
            } catch .preconditionFailed {
                // An earlier try may be what is there; or, of what was to be created, this one: the way to the store may
                // have repeated it and told of the second. Whoever replaces something reads it again in any case.
                if !isSure || condition == .absent, let own = try await look(for: bytes, at: key) {
                    return .written(own)
                }
                return .refused(isSure: isSure)
            } catch .outcomeUnknown(let reason) {
                isSure = false
                last = .outcomeUnknown(reason)
                // One that cannot be looked for either stays unknown.
                if let own = try? await look(for: bytes, at: key) { return .written(own) }
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
    /// - Returns: `false` when another object than the condition names is there, or none.
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
                // What was to be deleted is gone in any case; after a lost answer most likely by this call.
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

    private func look(for bytes: ByteBuffer, at key: ObjectKey) async throws(ObjectStoreError) -> ETag? {
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
