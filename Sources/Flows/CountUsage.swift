import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import StorageAccess

extension Services {
    /// The last count of what the caller stores. Another's is not found.
    package func usage(_ id: UserID, caller: Caller) async throws(FlowError) -> Usage {
        guard id == caller.user else { throw .notFound }
        guard let access = caller.account.value.storageAccess else { throw .sessionEnded }
        let last = try await step { try await usage.last(of: id) }
        return Usage(
            storageUsed: last?.bytes, storageCountedAt: last?.countedAt,
            storageLimit: caller.account.value.storageLimit, access: access
        )
    }

    /// Counts what every account stores and notes who is over quota. The service's own job, never a request's.
    package func countUsage() async throws(FlowError) {
        var after: String?
        while let folder = try await nextAccount(after: after) {
            after = "\(StorageLayout.accounts)\(folder)/\u{7f}"
            guard let user = UserID(folder) else { continue }
            try await step {
                let count = try await usage.count(user)
                guard let account = try await accounts.account(user), account.value.isUsable else { return }
                let isOver = count.bytes > account.value.storageLimit
                guard isOver != account.value.isOverQuota else { return }
                try await accounts.setOverQuota(isOver, of: account)
            }
        }
    }

    /// Removes marks of spent proofs that have ended.
    package func clearSpentMarks() async throws(FlowError) {
        _ = try await step { try await spentMarks.clearExpired(at: now()) }
    }

    private func nextAccount(after: String?) async throws(FlowError) -> String? {
        let page = try await step {
            try await store.list(prefix: StorageLayout.accounts, after: after, limit: 1)
        }
        guard let key = page.objects.first?.key.description.dropFirst(StorageLayout.accounts.count) else { return nil }
        return String(key.prefix { $0 != "/" })
    }
}
