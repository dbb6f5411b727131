import Foundation

/// Runs the jobs that one instance runs for all, under leases.
package struct MaintenanceJobs: Sendable {
    let leases: JobLeases
    let usageCount: UsageCountJob
    let deviceCleanup: DeviceCleanup
    let consentCheck: ConsentCheck
    let subscriptions: SubscriptionService
    let accountErasure: AccountErasure
    let identityMoves: IdentityMoves

    /// Runs a job unless an instance runs it now or started it less than `interval` ago.
    /// - Returns: the outcome of the job; the record was read for the lease, so it costs no extra request.
    @discardableResult
    package func run(_ job: SharedJob, every interval: Duration) async throws(ServiceError) -> JobOutcome {
        try await withLease(job.rawValue, every: interval) { lease throws(ServiceError) in
            switch job {
            case .usage: return try await usageCount.countUsage(holding: lease)
            case .devices: try await deviceCleanup.cleanUpDevices(holding: lease)
            case .consent: try await consentCheck.checkConsent(holding: lease)
            case .missedNotifications: try await subscriptions.fetchMissedNotifications()
            case .deletions:
                let totals = try await accountErasure.eraseDueAccounts(holding: lease)
                try await identityMoves.finishMoves()
                return totals
            }
            return nil
        }
    }

    /// Runs a job that does not iterate over accounts, under a lease.
    /// - Parameter job: the name of the lease.
    package func run(
        lease job: String, every interval: Duration, _ work: () async throws -> Void
    ) async throws(ServiceError) -> JobOutcome {
        try await withLease(job, every: interval) { _ throws(ServiceError) in
            do {
                try await work()
                return nil
            } catch {
                throw ServiceError(error)
            }
        }
    }

    private func withLease(
        _ job: String, every interval: Duration, _ work: (JobLease) async throws(ServiceError) -> JobTotals?
    ) async throws(ServiceError) -> JobOutcome {
        let seconds = TimeInterval(interval.components.seconds)
        let acquisition = try await mapServiceErrors { try await leases.acquire(job, for: seconds) }
        guard let lease = acquisition.lease else { return .heldByAnotherInstance(acquisition.record) }
        let totals: JobTotals?
        do throws(ServiceError) {
            totals = try await work(lease)
        } catch {
            await release(lease)
            throw error
        }
        // A server shutdown interrupts the job, so it has not processed all accounts.
        guard !Task.isCancelled else {
            await release(lease)
            return .heldByAnotherInstance(acquisition.record)
        }
        guard let time = try await mapServiceErrors({ try await lease.finish(totals) }) else {
            return .heldByAnotherInstance(acquisition.record)
        }
        return .succeeded(at: time, totals: totals)
    }

    /// Releases a lease, also after a cancellation, in which requests fail: the job would wait for its whole interval.
    private func release(_ lease: JobLease) async { await Task { try? await lease.release() }.value }
}
