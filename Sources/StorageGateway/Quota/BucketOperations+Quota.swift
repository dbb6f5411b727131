import ObjectStorage
import PhotolalaAPI
import StorageAccess

extension BucketOperations {
    /// How much more than the limit catalogs and what a user keeps about themselves may take, in bytes: deleting must stay
    /// possible for who is over it, and needs a new catalog.
    private static var bookkeepingAllowance: Int64 { 1 << 30 }

    /// Does a write within the caller's limit. No other write of theirs takes the room meanwhile.
    /// - Parameters:
    ///   - size: bytes to be written.
    ///   - key: what the user calls it, where the limit is concerned.
    ///   - target: where it is written.
    ///   - parts: bytes that go when it is done.
    func within<Value: Sendable>(
        limitOf call: Call, size: Int64, for key: ObjectKey, at target: ObjectKey, replacing parts: Int64 = 0,
        _ write: () async throws -> Value
    ) async throws -> Value {
        let user = call.caller.session.user
        let bookkeeping = [StorageLayout.catalogs(user), StorageLayout.userData(user)]
        let isBookkeeping = bookkeeping.contains { key.description.utf8.starts(with: $0.utf8) }
        let limit = call.caller.storageLimit
        let stored = storedBytes.hold(user)
        defer { storedBytes.release(user) }
        let admission = try await stored.admit(
            size, at: target, replacing: parts, limit: isBookkeeping ? limit + Self.bookkeepingAllowance : limit)
        defer { stored.end(admission) }
        return try await write()
    }
}
