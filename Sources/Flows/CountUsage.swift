import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import StorageAccess

extension Services {
    /// The last count of what the caller stores. Another's is not found.
    package func usage(_ id: UserID, caller: Caller) async throws(FlowError) -> Usage {
        guard id == caller.user else { throw .notFound }
        guard let access = tiers.storageAccess(of: caller.account.value) else { throw .sessionEnded }
        let last = try await step { try await usage.last(of: id) }
        return Usage(
            storageUsed: last?.bytes, storageCountedAt: last?.countedAt,
            storageLimit: tiers.storageLimit(of: caller.account.value), access: access,
            byKind: last?.kinds.map(UsageByKind.init), uploads: rules.reservesUploads ? .reserved : nil
        )
    }

    /// Counts what every usable account stores, notes the tier of those whom time has given another one, and carries out
    /// unlinkings that are due. The service's own job, never a request's.
    package func countUsage(holding lease: JobLease? = nil) async throws(FlowError) {
        try await forEachAccount(.usage, holding: lease) { user in
            guard let found = try await accounts.account(user), found.value.isUsable else { return }
            let account = try await accounts.finishUnlinkings(of: found)
            try await checkSubscriptions(of: account)
            _ = try await count(account)
        }
    }

    /// Counts the accounts that got credentials before anything of theirs was counted. One account's failure is logged and
    /// keeps nothing from the others.
    package func countFirstTime() async {
        for user in usage.firstCounts.due(at: now()) {
            do {
                guard let account = try await accounts.account(user), account.value.isUsable else {
                    usage.firstCounts.remove(user)
                    continue
                }
                if try await count(account).value.storedBytes ?? 0 > 0 { usage.firstCounts.remove(user) }
            } catch {
                guard !Task.isCancelled else { return }
                logger.error("a first count failed", metadata: ["account": "\(user)", "reason": "\(error)"])
            }
        }
    }

    /// Counts what one account stores.
    private func count(
        _ account: Stored<AccountDocument>, forCredentials: Bool = false
    ) async throws(FlowError) -> Stored<AccountDocument> {
        try await step {
            let limit = tiers.storageLimit(of: account.value)
            let count = try await usage.count(account.value.serviceUserID, limit: limit).document
            return try await note(count, of: account, keepingTime: forCredentials)
        }
    }

    /// Notes a count in its account.
    /// - Parameter isTimeKept: whether its time is noted even if it came to the same.
    func note(
        _ count: UsageDocument, of account: Stored<AccountDocument>, keepingTime isTimeKept: Bool
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await accounts.noteCount(
            count.bytes, at: count.countedAt, keepingTime: isTimeKept, of: account,
            allowance: { tiers.allowance(of: $0) })
    }

    /// An account as it is to be judged before its credentials may write. Where the limit was near at the last count, or may
    /// have been reached since, it is counted again: so a device gets past the limit by what it stores within one life of its
    /// credentials, and not by what it stores in a day.
    ///
    /// No request where the limit is out of reach; else a count, a quarter of an hour at most.
    func recountedNearLimit(_ account: Stored<AccountDocument>) async throws(FlowError) -> Stored<AccountDocument> {
        let age = now().timeIntervalSince(account.value.bytesCountedAt ?? account.value.createdAt)
        let limit = tiers.storageLimit(of: account.value)
        guard mayHaveReached(limit, from: account.value.storedBytes ?? 0, in: age) else { return account }
        return try await count(account, forCredentials: !usage.isMetered)
    }

    /// Whether a limit is near, or may have been reached, some seconds after so many bytes were counted.
    func mayHaveReached(_ limit: Int64, from stored: Int64, in age: TimeInterval) -> Bool {
        // Who is over the limit may have made room.
        guard usage.isMetered || age >= (stored > limit ? Self.trustedRefusal : Self.trustedCount) else { return false }
        return QuotaLevel(stored, of: limit) != .roomy || Double(stored) + age * Self.fastUpload >= Double(limit)
    }

    /// How old a count near the limit may be, in seconds.
    private static var trustedCount: TimeInterval { 900 }
    /// The same over the limit.
    private static var trustedRefusal: TimeInterval { 300 }
    /// How much an account is thought to store in a second, in bytes: 100 Mbit/s.
    private static var fastUpload: Double { 12_500_000 }
}

extension UsageByKind {
    fileprivate init(_ kinds: [UsageKind: KindUsage]) {
        func stored(_ kind: UsageKind) -> StoredObjects {
            StoredObjects(bytes: kinds[kind]?.bytes ?? 0, objects: kinds[kind]?.objects ?? 0)
        }
        self.init(
            photos: stored(.photos), thumbnails: stored(.thumbnails), catalogs: stored(.catalogs), data: stored(.data))
    }
}
