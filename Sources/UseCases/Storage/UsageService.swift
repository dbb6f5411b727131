import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import StorageAccess

/// Counts the stored bytes of accounts and records them.
package struct UsageService: Sendable {
    let accounts: AccountDirectory
    let usage: UsageCounts
    let tiers: Tiers
    let policy: ServicePolicy
    let now: @Sendable () -> Date
    let logger: Logger

    /// Whether the store counts all bytes itself, so that no job has to.
    package var isMetered: Bool { usage.isMetered }

    /// Returns the last count of the caller's stored bytes.
    /// - Throws: `notFound` for another account.
    package func lastCount(of id: UserID, caller: Caller) async throws(ServiceError) -> Usage {
        guard id == caller.user else { throw .notFound }
        guard let access = tiers.storageAccess(of: caller.account.value) else { throw .sessionEnded }
        let last = try await mapServiceErrors { try await usage.last(of: id) }
        return Usage(
            storageUsed: last?.bytes, storageCountedAt: last?.countedAt,
            storageLimit: tiers.storageLimit(of: caller.account.value), access: access,
            byKind: last?.kinds.map { UsageByKind($0, previews: last?.previews) },
            uploads: policy.reservesUploads ? .reserved : nil
        )
    }

    /// Counts the stored bytes of one account.
    func recount(
        _ account: Stored<AccountDocument>, forCredentials: Bool = false
    ) async throws(ServiceError) -> Stored<AccountDocument> {
        try await mapServiceErrors {
            let limit = tiers.storageLimit(of: account.value)
            let count = try await usage.count(account.value.serviceUserID, limit: limit).document
            return try await recordUsage(count, of: account, keepingTime: forCredentials)
        }
    }

    /// Counts the stored bytes of an account now, as an operator requests it. Changes that may follow remain recorded.
    /// - Returns: the count, which is stored.
    /// - Throws: `notFound` for an account that does not exist or is deleted.
    package func countNow(_ user: UserID) async throws(ServiceError) -> UsageDocument {
        guard let account = try await mapServiceErrors({ try await accounts.account(user) }), account.value.isUsable
        else { throw .notFound }
        return try await mapServiceErrors {
            let count = try await usage.count(user, limit: tiers.storageLimit(of: account.value)).document
            _ = try await recordUsage(count, of: account, keepingTime: true)
            return count
        }
    }

    /// Stores a count and records it in its account.
    func record(
        _ count: UsageDocument, of account: Stored<AccountDocument>
    ) async throws(ServiceError) -> Stored<AccountDocument> {
        try await mapServiceErrors {
            let stored = try await usage.storeCount(
                count, of: account.value.serviceUserID, limit: tiers.storageLimit(of: account.value))
            return try await recordUsage(stored, of: account, keepingTime: false)
        }
    }

    /// Records a tier that has changed by the passage of time.
    func recordTier(of account: Stored<AccountDocument>) async throws(ServiceError) -> Stored<AccountDocument> {
        try await mapServiceErrors {
            try await accounts.recordTier(of: account, allowance: { tiers.allowance(of: $0) })
        }
    }

    /// Returns whether an account's recorded quota level is that of its last count and current limit.
    func isLevelRecorded(in account: AccountDocument) -> Bool {
        QuotaLevel(account.storedBytes ?? 0, of: tiers.storageLimit(of: account)) == account.quotaLevel ?? .roomy
    }

    /// Records a count in its account.
    /// - Parameter isTimeKept: whether the time of the count is recorded even if the count did not change.
    func recordUsage(
        _ count: UsageDocument, of account: Stored<AccountDocument>, keepingTime isTimeKept: Bool
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await accounts.recordUsage(
            count.bytes, at: count.countedAt, keepingTime: isTimeKept, of: account,
            allowance: { tiers.allowance(of: $0) })
    }

    /// Counts what the caller stores and records it in the account.
    func reservationCount(
        of caller: Caller, looking keys: Set<String>
    ) async throws(ObjectStoreError) -> ReservationCount {
        let limit = tiers.storageLimit(of: caller.account.value)
        let (count, sizes) = try await usage.count(caller.user, limit: limit, looking: keys)
        do {
            guard let account = try await accounts.account(caller.user) else { throw ServiceError.sessionEnded }
            _ = try await recordUsage(count, of: account, keepingTime: true)
        } catch {
            logger.warning(.usageNotStored, "recording a usage count failed", metadata: ["reason": "\(error)"])
        }
        // Parts of uploads are reserved with their objects.
        let bytes = count.kinds.map { $0.values.reduce(0) { $0 + $1.bytes } } ?? count.bytes
        return ReservationCount(bytes: bytes, objects: count.objects, at: count.countedAt, sizes: sizes)
    }

    /// Returns the account with a current count before its credentials may write. Recounts if the limit was near at the
    /// last count or may have been reached since. So a device can exceed the limit only by what it stores within one
    /// credential lifetime, not within a day.
    ///
    /// Makes no request if the limit is out of reach. Otherwise counts at most every 15 minutes, or every 5 minutes
    /// over the limit; a metered store is counted on each call.
    func recountedNearLimit(_ account: Stored<AccountDocument>) async throws(ServiceError) -> Stored<AccountDocument> {
        let age = now().timeIntervalSince(account.value.bytesCountedAt ?? account.value.createdAt)
        let limit = tiers.storageLimit(of: account.value)
        guard mayHaveReached(limit, from: account.value.storedBytes ?? 0, in: age) else { return account }
        return try await recount(account, forCredentials: !usage.isMetered)
    }

    /// Returns whether the limit is near or may have been reached, `age` seconds after a count of `stored` bytes.
    func mayHaveReached(_ limit: Int64, from stored: Int64, in age: TimeInterval) -> Bool {
        // An account over the limit may have deleted objects since.
        guard usage.isMetered || age >= (stored > limit ? Self.overLimitCountMaximumAge : Self.countMaximumAge) else {
            return false
        }
        return QuotaLevel(stored, of: limit) != .roomy || Double(stored) + age * Self.assumedUploadRate >= Double(limit)
    }

    /// The maximum age of a trusted count near the limit, in seconds.
    private static var countMaximumAge: TimeInterval { 900 }
    /// The maximum age of a trusted count over the limit, in seconds.
    private static var overLimitCountMaximumAge: TimeInterval { 300 }
    /// The assumed fastest upload rate of an account, in bytes per second: 100 Mbit/s.
    private static var assumedUploadRate: Double { 12_500_000 }
}

extension UsageByKind {
    /// - Parameter previews: The part of the thumbnails that is previews, if it was counted.
    init(_ kinds: [UsageKind: KindUsage], previews: KindUsage?) {
        func stored(_ kind: UsageKind, without part: KindUsage? = nil) -> StoredObjects {
            StoredObjects(
                bytes: (kinds[kind]?.bytes ?? 0) - (part?.bytes ?? 0),
                objects: (kinds[kind]?.objects ?? 0) - (part?.objects ?? 0))
        }
        self.init(
            photos: stored(.photos), thumbnails: stored(.thumbnails, without: previews),
            previews: previews.map { StoredObjects(bytes: $0.bytes, objects: $0.objects) },
            catalogs: stored(.catalogs), data: stored(.data))
    }
}
