import ObjectStorage
import PhotolalaAPI

extension BucketOperations {
    /// Runs a write within the caller's quota. It is refused before its first byte is read where it cannot fit; the store
    /// checks the quota again in the step that makes the write. Costs a read of the totals; near the limit also a HEAD.
    /// - Parameters:
    ///   - size: bytes to be written.
    ///   - target: where they are written.
    ///   - leaving: prefixes of objects that go once it is done.
    func within<Value: Sendable>(
        limitOf call: Call, size: Int64, _ attributes: ObjectAttributes, at target: ObjectKey, leaving: [String] = [],
        _ write: (StorageQuota) async throws -> Value
    ) async throws -> Value {
        let account = try await accountQuota(call)
        let quota = account.quota(for: target, leaving: leaving)
        // What leaves is known to the store alone; such a write reads no body.
        if leaving.isEmpty {
            let charge = StorageCharge.bytes(of: target, size: size, attributes: attributes.kept)
            guard try await fits(charge, at: target, account, quota) else { throw refusal(account, call) }
        }
        let user = call.caller.session.user
        try uploadsInFlight.begin(size, of: user, most: call.caller.storageLimit)
        defer { uploadsInFlight.end(size, of: user) }
        do {
            return try await write(quota)
        } catch ObjectStoreError.quotaExceeded {
            throw refusal(try await accountQuota(call), call)
        }
    }

    private func accountQuota(_ call: Call) async throws -> AccountQuota {
        let user = call.caller.session.user
        return AccountQuota(
            user, limit: call.caller.storageLimit,
            totals: try await store.totals(below: AccountQuota.prefixes(of: user)))
    }

    private func fits(
        _ charge: Int64, at target: ObjectKey, _ account: AccountQuota, _ quota: StorageQuota
    ) async throws -> Bool {
        if account.allows(charge, replacing: nil, quota) { return true }
        do {
            guard let there = try await store.head(target) else { return false }
            let replaced = StorageCharge.bytes(of: target, size: there.size, attributes: there.attributes)
            return account.allows(charge, replacing: replaced, quota)
        } catch ObjectStoreError.corrupted {
            // Only the store knows what a damaged object counts for, and sending it again is what heals it.
            return true
        }
    }

    private func refusal(_ account: AccountQuota, _ call: Call) -> S3Error {
        account.hasTooManyUploads
            ? .tooManyUploads(AccountQuota.uploadObjects)
            : .quotaExceeded(stored: account.stored, limit: call.caller.storageLimit)
    }
}
