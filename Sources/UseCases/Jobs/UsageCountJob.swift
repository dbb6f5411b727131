import Accounts
import Foundation
import Logging
import Monitoring
import StorageAccess

/// Counts the stored bytes of all accounts.
package struct UsageCountJob: Sendable {
    let accounts: AccountDirectory
    let usage: UsageCounts
    let usageService: UsageService
    let reconciler: SubscriptionReconciler
    let export: AccountExportService
    let accountWalk: AccountWalk
    let now: @Sendable () -> Date
    let logger: Logger

    /// Counts the stored bytes of every usable account, records tier changes that are due to the passage of time, and
    /// carries out due unlinkings. Writes the missing record of a deletion. A background job, never part of a request.
    /// - Returns: the totals of all usable accounts.
    @discardableResult
    package func countUsage(holding lease: JobLease? = nil) async throws(ServiceError) -> JobTotals {
        var totals = JobTotals()
        try await accountWalk.forEachAccount(.usage, holding: lease) { user in
            guard let found = try await accounts.account(user) else { return }
            try await accounts.ensureDeletionRecord(of: found.value)
            guard found.value.isUsable else { return }
            try await export.removeExpired(of: found)
            let account = try await accounts.finishUnlinkings(of: found)
            try await reconciler.reconcileEntitlements(of: account)
            let counted = try await usageService.recount(account).value
            totals.add(
                tier: usageService.tiers.tier(of: counted), links: counted.activeLinks.count,
                storedBytes: counted.storedBytes ?? 0)
        }
        return totals
    }

    /// Counts accounts that received credentials before their first count. A failure of one account is logged and does
    /// not stop the others.
    package func countFirstTime() async {
        for user in usage.firstCountSchedule.due(at: now()) {
            do {
                guard let account = try await accounts.account(user), account.value.isUsable else {
                    usage.firstCountSchedule.remove(user)
                    continue
                }
                if try await usageService.recount(account).value.storedBytes ?? 0 > 0 {
                    usage.firstCountSchedule.remove(user)
                }
            } catch {
                guard !Task.isCancelled else { return }
                logger.error(
                    .initialCountFailed, "initial usage count failed",
                    metadata: ["account": "\(user)", "reason": "\(error)"])
            }
        }
    }
}
