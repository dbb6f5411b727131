import Monitoring
import ObjectStorage
import PhotolalaAPI

extension BucketOperations {
    /// Runs a write within the caller's quota. A write that cannot fit is rejected before its first byte is read; the
    /// store checks the quota again atomically with the write. Costs a read of the totals, and near the limit also a
    /// HEAD.
    /// - Parameters:
    ///   - size: The number of bytes to write.
    ///   - target: The key that is written.
    ///   - leaving: Prefixes of objects that are deleted after the write.
    func within<Value: Sendable>(
        limitOf call: Call, size: Int64, _ attributes: ObjectAttributes, at target: ObjectKey, leaving: [String] = [],
        _ write: (StorageQuota) async throws -> Value
    ) async throws -> Value {
        let account = try await accountQuota(call)
        let quota = account.quota(for: target, leaving: leaving)
        // Only the store knows the size of the objects to delete; such a write reads no body.
        if leaving.isEmpty {
            let charge = StorageCharge.bytes(of: target, size: size, attributes: attributes.withoutDeclaredDigest)
            guard try await fits(charge, at: target, account, quota) else { throw quotaError(account, call) }
        }
        let user = call.caller.session.user
        try uploadsInFlight.begin(size, of: user, limit: call.caller.storageLimit)
        defer { uploadsInFlight.end(size, of: user) }
        do {
            let written = try await write(quota)
            // Completing an upload stores the bytes of its parts, which were counted.
            if leaving.isEmpty { metrics.increment(ServiceMetric.uploadedBytes, by: size) }
            return written
        } catch ObjectStoreError.quotaExceeded {
            throw quotaError(try await accountQuota(call), call)
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
            // Only the store knows the charge of a damaged object, and uploading it again repairs it.
            return true
        }
    }

    private func quotaError(_ account: AccountQuota, _ call: Call) -> S3Error {
        metrics.increment(ServiceMetric.quotaRefusals)
        return account.hasTooManyUploads
            ? .tooManyUploads(AccountQuota.uploadObjects)
            : .quotaExceeded(stored: account.stored, limit: call.caller.storageLimit)
    }
}
