import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import UseCases

/// A job of the service or an operator's command, named as in `docs/costs.md`.
struct CostedJob: Sendable, CustomStringConvertible {
    let description: String
    /// With the default settings of a bucket; `nil` for an operator's command.
    let runsPerDay: Double?
    /// Whether the job runs with events enabled.
    let tellsEvents: Bool
    /// Runs the job once and returns its S3 requests.
    let run: @Sendable (CostFixture) async throws -> CountingBucket.Counts

    var day: String { "\(description), a day" }

    private init(
        _ description: String, runsPerDay: Double? = nil, tellsEvents: Bool = false,
        _ run: @escaping @Sendable (CostFixture) async throws -> CountingBucket.Counts
    ) {
        self.description = description
        self.runsPerDay = runsPerDay
        self.tellsEvents = tellsEvents
        self.run = run
    }

    private static func counting(
        _ description: String, every seconds: Double? = nil,
        _ act: @escaping @Sendable (CostFixture) async throws -> Void
    ) -> CostedJob {
        CostedJob(description, runsPerDay: seconds.map { 86_400 / $0 }) { fixture in
            try await fixture.count { try await act(fixture) }
        }
    }

    /// Returns a job that runs after all events were sent.
    private static func telling(
        _ description: String, every seconds: Double, _ act: @escaping @Sendable (CostFixture) async throws -> Void
    ) -> CostedJob {
        CostedJob(description, runsPerDay: 86_400 / seconds, tellsEvents: true) { fixture in
            fixture.clock.advance(by: 61)
            try await fixture.service.services.eventDelivery.deliverEvents()
            return try await fixture.count { try await act(fixture) }
        }
    }

    static let all: [CostedJob] = [
        counting("store manifest", every: RekeyingSchedule(.prod).refreshInterval) {
            try await $0.service.naming.refresh()
        },
        counting("signing keys", every: 30) { try await $0.service.services.signingKeys.maintain() },
        counting("expired markers", every: 60) { try await $0.service.services.housekeeping.removeExpiredMarkers() },
        counting("device codes", every: 3600) { try await $0.service.services.housekeeping.removeExpiredDeviceCodes() },
        counting("deleted accounts", every: 3600) {
            try await $0.service.services.deletion.readErasedAccounts()
        },
        counting("trials", every: 86_400) { try await $0.service.services.housekeeping.removeExpiredTrials() },
        counting("provider calls", every: 60) { try await $0.service.services.providerCalls.makeProviderCalls() },
        counting("call counts", every: 10) { try await $0.service.services.housekeeping.shareRateLimits() },
        counting("look whether a lease is over", every: 20) { fixture in
            try await fixture.service.services.maintenance.run(.usage, every: .seconds(864_000))
        },
        counting("usage", every: 86_400) {
            try await $0.service.services.maintenance.run(.usage, every: .seconds(86_400))
        },
        CostedJob("usage, all accounts changed") { fixture in
            try await changeAll(fixture)
            return try await fixture.count {
                try await fixture.service.services.maintenance.run(.usage, every: .seconds(86_400))
            }
        },
        counting("devices", every: 86_400) {
            try await $0.service.services.maintenance.run(.devices, every: .seconds(86_400))
        },
        telling("devices, with events", every: 86_400) {
            try await $0.service.services.maintenance.run(.devices, every: .seconds(86_400))
        },
        telling("events", every: 10) { try await $0.service.services.eventDelivery.deliverEvents() },
        counting("consent", every: 90_000) {
            try await $0.service.services.maintenance.run(.consent, every: .seconds(90_000))
        },
        counting("repair") { fixture in
            _ = try await Repair(fixture.service.components.accounts, isDryRun: true) { _ in }.run()
        },
        counting("snapshot") { _ = try await snapshot(of: $0) },
        CostedJob("recover") { fixture in
            let file = try await snapshot(of: fixture)
            let (bucket, store) = try CostFixture.makeStore(fixture.clock)
            let recovery = SnapshotRecovery(
                store: store, retry: CostFixture.retry, keyRing: fixture.service.keyRing, now: { fixture.clock.now },
                randomness: .seeded(6))
            _ = try await recovery.run(.dev, nil, isDryRun: false) { () throws(SnapshotError) in
                let rest = Mutex<ByteBuffer?>(file)
                return { () throws(SnapshotError) in
                    rest.withLock { rest in
                        defer { rest = nil }
                        return rest
                    }
                }
            }
            return bucket.drainCounts()
        },
    ]

    /// Stores a photo in every account, and waits until its record is over.
    private static func changeAll(_ fixture: CostFixture) async throws {
        let accounts = try await fixture.store.list(prefix: StorageLayout.accounts, after: nil, limit: 1000).objects
        for user in accounts.compactMap({ UserID(String($0.key.description.split(separator: "/")[1])) }) {
            try await fixture.service.components.usage.recordChange(of: user)
            let name = fixture.clock.now.timeIntervalSince1970
            let photo = ObjectKey(known: "\(StorageLayout.photos(user))\(name)")
            try await fixture.store.put(photo, ByteBuffer(string: "photo"), if: .always)
        }
        fixture.clock.advance(by: 30_000)
    }

    private static func snapshot(of fixture: CostFixture) async throws -> ByteBuffer {
        let file = Mutex(ByteBuffer())
        let snapshot = StoreSnapshot(
            store: fixture.store, keyRing: fixture.service.keyRing, now: { fixture.clock.now }, report: { _ in })
        _ = try await snapshot.write { (bytes) throws(SnapshotError) in
            _ = file.withLock { $0.writeImmutableBuffer(bytes) }
        }
        return file.withLock { $0 }
    }
}
