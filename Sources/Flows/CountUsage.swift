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
            storageLimit: tiers.storageLimit(of: caller.account.value), access: access
        )
    }

    /// Counts what every usable account stores, and notes the tier of those whom time has given another one. The service's own job, never a request's.
    package func countUsage(holding lease: JobLease? = nil) async throws(FlowError) {
        try await forEachAccount(.usage, holding: lease) { user in
            guard let account = try await accounts.account(user), account.value.isUsable else { return }
            try await checkSubscriptions(of: account)
            let count = try await usage.count(user)
            _ = try await accounts.noteCount(count.bytes, of: account, tier: { tiers.tier(of: $0) })
        }
    }
}
