import ObjectStorage
import PhotolalaAPI

/// What an operator asks of the outbox.
extension EventOutbox {
    /// The delivery at a key, `nil` where there is none. One read.
    package func delivery(_ key: ObjectKey) async throws(AccountError) -> EventDelivery? {
        try await load(key)?.value
    }

    /// Has an account's events sent as soon as a server looks, whatever was refused before. One that is under way
    /// may then be sent twice.
    package func hasten(_ user: UserID) async throws(AccountError) {
        for attempt in 0..<retry.attempts {
            guard let found = try await load(Self.key(user)) else {
                if try await create(user, foldsDevices: true) { return }
                continue
            }
            var next = found.value
            next.nextTryAt = now()
            next.tries = 0
            next.refusal = nil
            next.foldsDevices = true
            if try await replace(found, with: next) != nil { return }
            await retry.pause(after: attempt)
        }
        throw .contended
    }
}
