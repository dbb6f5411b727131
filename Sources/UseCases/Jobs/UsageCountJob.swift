import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
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

    /// Counts the stored bytes of usable accounts whose changes are recorded and complete, or whose weekly recount is due;
    /// all without a lease. In every usable account records tier changes that are due to the passage of time, and
    /// carries out due unlinkings. Writes the missing record of a deletion. A background job, never part of a request.
    /// - Returns: the totals of all usable accounts.
    @discardableResult
    package func countUsage(holding lease: JobLease? = nil) async throws(ServiceError) -> JobTotals {
        let schedule = RecountSchedule(after: await lease?.totals?.recounts, at: now())
        var listing = usage.makeListing()
        var totals = JobTotals()
        if listing != nil {
            (totals.driftedAccounts, totals.driftedBytes, totals.recounts) = (0, 0, schedule.progress)
        }
        try await accountWalk.forEachAccount(.usage, holding: lease) { user in
            guard let read = try await accounts.account(user) else { return }
            try await accounts.ensureDeletionRecord(of: read.value)
            let found = try await accounts.dropExpiredMail(of: read)
            guard found.value.isUsable else { return }
            try await export.removeExpired(of: found)
            let account = try await accounts.finishUnlinkings(of: found)
            try await reconciler.reconcileEntitlements(of: account)
            let counted = try await count(account, schedule, &listing, &totals).value
            totals.add(
                tier: usageService.tiers.tier(of: counted), links: counted.activeLinks.count,
                storedBytes: counted.storedBytes ?? 0)
        }
        return totals
    }

    /// Counts an account if that is due, and returns it as it was last written. Without a change it costs no request but
    /// listings.
    private func count(
        _ account: Stored<AccountDocument>, _ schedule: RecountSchedule, _ listing: inout UsageListing?,
        _ totals: inout JobTotals
    ) async throws -> Stored<AccountDocument> {
        guard listing != nil else { return try await usageService.recount(account) }
        let (user, recorded) = (account.value.serviceUserID, account.value.storedBytes ?? 0)
        let marks = try await listing?.marks(of: user)
        let needsCount = marks?.needsCount == true || !usageService.isLevelRecorded(in: account.value)
        guard needsCount || schedule.includes(user), let count = try await listing?.count(of: user),
            needsCount || count.bytes != recorded
        else { return try await usageService.recordTier(of: account) }
        if marks?.isMarked == false, count.bytes != recorded, !schedule.coversUnmarkedChanges,
            // The listing of marks is older than the count.
            try await !usage.hasRecordedChange(of: user)
        {
            totals.addDrift(bytes: abs(count.bytes - recorded))
        }
        let counted = try await usageService.record(count, of: account)
        if let marks { try await listing?.remove(marks) }
        return counted
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
