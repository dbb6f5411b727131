import ObjectStorage
import PhotolalaAPI

/// What an operator asks of the outbox.
extension EventOutbox {
    /// The delivery at a key, `nil` where there is none. One read.
    package func delivery(_ key: ObjectKey) async throws(AccountError) -> EventDelivery? {
        try await load(key)?.value
    }

    /// Has an account's events sent as soon as a server looks, whatever was refused before. One that is under way
    /// may then be sent twice. A delivery that cannot be read is made anew: it holds nothing that is not elsewhere.
    package func hasten(_ user: UserID) async throws(AccountError) {
        for attempt in 0..<retry.attempts {
            let known: Stored<EventDelivery>?
            do {
                known = try await load(Self.key(user))
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
            // Who is about to be refused does not put it off again.
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
        _ = try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.writes.delete(Self.key(user), if: .always)
        }
    }
}
