import ObjectStorage
import PhotolalaAPI

/// Operator commands on the outbox.
extension EventOutbox {
    /// Returns the delivery at a key; `nil` if there is none. One read.
    package func delivery(_ key: ObjectKey) async throws(AccountError) -> EventDelivery? {
        try await load(key)?.value
    }

    /// Makes an account's events due at once, regardless of earlier rejections. An event that is being sent may be sent
    /// twice. An unreadable delivery is recreated: all of its content exists elsewhere.
    package func makeDue(_ user: UserID) async throws(AccountError) {
        for attempt in 0..<retry.attempts {
            let known: Stored<EventDelivery>?
            do {
                known = try await load(key(user))
            } catch {
                guard case .corrupted = error else { throw error }
                known = nil
                try await remove(user)
            }
            guard let found = known else {
                if try await create(user, foldsDevices: true, lease: 0) { return }
                continue
            }
            var next = found.value
            // A sender whose event is being rejected must not postpone the delivery again.
            next.sender = randomness.uuid()
            next.nextTryAt = now()
            next.tries = 0
            next.refusal = nil
            next.foldsDevices = true
            if try await replace(found, with: next) != nil { return }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    private func remove(_ user: UserID) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(key(user), if: .always)
        }
    }
}
