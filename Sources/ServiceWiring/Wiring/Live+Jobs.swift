import Accounts
import Foundation
import Monitoring
import UseCases

extension Settings {
    /// The jobs that one instance runs for all. Apple is asked for missed notifications with a key only.
    package var sharedJobs: [SharedJob] {
        SharedJob.allCases.filter { $0 != .missedNotifications || (purchases.key != nil && purchases.appStore != nil) }
    }
}

extension Live {
    /// Returns all jobs of a server.
    package func makeJobs(_ services: ServiceGraph, _ naming: ManifestCache) -> [Maintenance.Job] {
        makeInstanceJobs(services, naming) + [
            .init(name: "deleted accounts", interval: .seconds(3600)) {
                try await services.deletion.readErasedAccounts()
            }
        ] + makeStoreJobs(services)
    }

    /// Returns the jobs that every instance needs for itself: they read or exchange what it has in memory.
    package func makeInstanceJobs(_ services: ServiceGraph, _ naming: ManifestCache) -> [Maintenance.Job] {
        var jobs: [Maintenance.Job] = [
            .init(name: "store manifest", interval: .seconds(RekeyingSchedule(settings.environment).refreshInterval)) {
                try await naming.refresh()
            },
            .init(name: "signing keys", interval: .seconds(30)) {
                try await services.housekeeping.maintainSigningKeys()
            },
        ]
        if !services.usage.isMetered {
            jobs.append(
                .init(name: "initial counts", interval: .seconds(30)) { await services.usageCount.countFirstTime() })
        }
        if services.limits.areShared {
            jobs.append(
                .init(
                    name: "call counts", interval: .seconds(10), hasReport: { services.limits.hasSharedCounts }
                ) { try await services.housekeeping.shareRateLimits() })
        }
        return jobs
    }

    /// Returns the jobs that work on the store, for all instances. Most are cheap and safe to run more than once; jobs
    /// over all accounts run on one instance, and each instance checks once a minute whether they are due.
    package func makeStoreJobs(_ services: ServiceGraph) -> [Maintenance.Job] {
        var jobs: [Maintenance.Job] = [
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
        ]
        jobs += settings.sharedJobs.map { sharedJob($0, services) }
        if settings.webhooks != nil {
            jobs.append(
                .init(name: "events", interval: .seconds(10)) { try await services.eventDelivery.deliverEvents() })
        }
        if settings.mail != nil {
            jobs.append(
                .init(name: "mail", interval: .seconds(10)) { try await services.mailDelivery.deliverEvents() })
        }
        return jobs
    }

    package func jobOverview(_ leases: JobLeases) -> JobOverview {
        JobOverview(settings.sharedJobs, leases: leases, countingUsageEvery: settings.countUsageEvery) { Date() }
    }

    private func sharedJob(_ job: SharedJob, _ services: ServiceGraph) -> Maintenance.Job {
        .init(job, every: job.interval(countingUsageEvery: settings.countUsageEvery), of: services)
    }
}
