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
            byKind: last?.kinds.map(UsageByKind.init)
        )
    }

    /// Counts what every usable account stores, and notes the tier of those whom time has given another one. The
    /// service's own job, never a request's.
    package func countUsage(holding lease: JobLease? = nil) async throws(FlowError) {
        try await forEachAccount(.usage, holding: lease) { user in
            guard let account = try await accounts.account(user), account.value.isUsable else { return }
            try await checkSubscriptions(of: account)
            _ = try await count(account)
        }
    }

    /// Counts what one account stores.
    private func count(_ account: Stored<AccountDocument>) async throws(FlowError) -> Stored<AccountDocument> {
        try await step {
            let count = try await usage.count(account.value.serviceUserID)
            return try await accounts.noteCount(count.bytes, of: account, allowance: { tiers.allowance(of: $0) })
        }
    }

    /// An account as it is to be judged before its credentials may write: near the limit what was counted some time ago is
    /// counted again, so that a device gets past it by what it stores within one life of its credentials, and not day after day.
    ///
    /// No request far from the limit; near it one read, and a count a quarter of an hour at most.
    func recountedNearLimit(_ account: Stored<AccountDocument>) async throws(FlowError) -> Stored<AccountDocument> {
        let stored = account.value.storedBytes ?? 0
        guard QuotaLevel(stored, of: tiers.storageLimit(of: account.value)) != .roomy else { return account }
        let last = try await step { try await usage.last(of: account.value.serviceUserID) }
        if let last, now().timeIntervalSince(last.countedAt) < Self.trustedCount { return account }
        return try await count(account)
    }

    /// How old a count near the limit may be, in seconds.
    private static var trustedCount: TimeInterval { 900 }
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
