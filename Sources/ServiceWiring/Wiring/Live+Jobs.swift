import Accounts
import Foundation
import Monitoring
import UseCases

extension Live {
    /// Returns the jobs of the service, with those that depend on the settings.
    package func makeJobs(_ services: ServiceGraph, _ naming: ManifestCache) -> [Maintenance.Job] {
        makeUsualJobs(services, naming) + makeOptionalJobs(services)
    }

    /// Returns the jobs that every instance runs. Most are cheap and safe to run more than once; jobs over all accounts
    /// run on one instance, and each instance checks once a minute whether they are due.
    private func makeUsualJobs(_ services: ServiceGraph, _ naming: ManifestCache) -> [Maintenance.Job] {
        [
            .init(name: "store manifest", interval: .seconds(RekeyingSchedule(settings.environment).refreshInterval)) {
                try await naming.refresh()
            },
            .init(name: "signing keys", interval: .seconds(30)) {
                try await services.housekeeping.maintainSigningKeys()
            },
            .init(name: "expired markers", interval: .seconds(60)) {
                try await services.housekeeping.removeExpiredMarkers()
            },
            .init(name: "device codes", interval: .seconds(3600)) {
                try await services.housekeeping.removeExpiredDeviceCodes()
            },
            .init(name: "operator log", interval: .seconds(3600)) {
                try await services.housekeeping.removeExpiredOperatorCalls()
            },
            .init(name: "trials", interval: .seconds(3600), period: .seconds(86_400)) {
                try await services.maintenance.run(lease: "trials", every: .seconds(86_400)) {
                    try await services.housekeeping.removeExpiredTrials()
                }
            },
            .init(name: "provider calls", interval: .seconds(60)) {
                try await services.providerCalls.makeProviderCalls()
            },
            .init(name: "deleted accounts", interval: .seconds(3600)) {
                try await services.deletion.readErasedAccounts()
            },
            sharedJob(.consent, services), sharedJob(.usage, services), sharedJob(.devices, services),
            sharedJob(.deletions, services),
        ]
    }

    package func jobOverview(_ leases: JobLeases) -> JobOverview {
        JobOverview(leases: leases, countingUsageEvery: settings.countUsageEvery) { Date() }
    }

    private func sharedJob(_ job: SharedJob, _ services: ServiceGraph) -> Maintenance.Job {
        .init(job, every: job.interval(countingUsageEvery: settings.countUsageEvery), of: services)
    }

    /// Returns the jobs that depend on the settings.
    private func makeOptionalJobs(_ services: ServiceGraph) -> [Maintenance.Job] {
        var jobs: [Maintenance.Job] = []
        if !services.usage.isMetered {
            jobs.append(
                .init(name: "initial counts", interval: .seconds(30)) { await services.usageCount.countFirstTime() })
        }
        if services.limits.areShared {
            jobs.append(
                .init(name: "call counts", interval: .seconds(10)) { try await services.housekeeping.shareRateLimits() }
            )
        }
        if settings.webhooks != nil {
            jobs.append(
                .init(name: "events", interval: .seconds(10)) { try await services.eventDelivery.deliverEvents() })
        }
        if services.subscriptions.canFetchNotifications { jobs.append(sharedJob(.missedNotifications, services)) }
        return jobs
    }
}
