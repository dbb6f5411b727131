import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import Testing

@testable import UseCases

/// The usage of an account, its limit, and the consequences.
@Suite struct QuotaFlowTests {
    private func open() async throws -> (SubscriptionFixture, Caller) {
        let fixture = try await SubscriptionFixture.make {
            $0.plan = TierPlan([
                .free: .init(storageLimit: 1000, products: []),
                .premium: .init(storageLimit: 5000, products: [TestAppStore.premium]),
            ])
        }
        return (fixture, try await fixture.person("bob"))
    }

    private func store(_ bytes: Int, at key: String, _ fixture: SubscriptionFixture) async throws {
        _ = try await fixture.service.store.put(
            ObjectKey(known: key), ByteBuffer(repeating: 0x61, count: bytes), if: .always)
    }

    private func auditEvents(_ fixture: SubscriptionFixture, _ caller: Caller) async throws -> [AuditAction] {
        try await fixture.services.account.history(
            caller.user, before: nil, limit: 50, caller: try await fixture.refreshed(caller)
        )
        .entries.map(\.act).filter { $0.rawValue.hasPrefix("quota") }
    }

    private func access(_ fixture: SubscriptionFixture, _ caller: Caller) async throws -> StorageAccessLevel {
        try await fixture.services.storageAccess.issueCredentials(try await fixture.refreshed(caller)).access
    }

    @Test func `usage is reported by kind`() async throws {
        let (fixture, bob) = try await open()
        try await store(300, at: StorageLayout.photo(bob.user, md5: String(repeating: "a", count: 32)), fixture)
        try await store(20, at: StorageLayout.thumbnail(bob.user, md5: String(repeating: "a", count: 32)), fixture)
        try await store(150, at: StorageLayout.preview(bob.user, md5: String(repeating: "a", count: 32)), fixture)
        try await store(7, at: StorageLayout.catalogPointer(bob.user), fixture)
        try await fixture.services.usageCount.countUsage()
        let usage = try await fixture.services.usage.lastCount(of: bob.user, caller: try await fixture.refreshed(bob))
        #expect(usage.storageUsed == 477)
        #expect(
            usage.byKind
                == UsageByKind(
                    photos: .init(bytes: 300, objects: 1), thumbnails: .init(bytes: 20, objects: 1),
                    previews: .init(bytes: 150, objects: 1), catalogs: .init(bytes: 7, objects: 1),
                    data: .init(bytes: 0, objects: 0)))
    }

    @Test func `a count of an earlier version has thumbnails with previews`() throws {
        let thumbnails = try JSONDecoder().decode(KindUsage.self, from: Data(#"{"bytes":170,"objects":2}"#.utf8))
        let usage = UsageByKind([.thumbnails: thumbnails], previews: nil)
        #expect(usage.previews == nil && usage.thumbnails == StoredObjects(bytes: 170, objects: 2))
    }

    @Test func `a late count does not replace one that began after it`() async throws {
        let (fixture, bob) = try await open()
        let accounts = fixture.components.accounts
        let allowance = { @Sendable (_: AccountDocument) in StorageAllowance(tier: .free, bytes: 1000) }
        let now = fixture.clock.now
        for (bytes, age) in [(Int64(600), 0.0), (900, 60), (650, 0)] {
            let account = try #require(try await accounts.account(bob.user))
            let noted = try await accounts.recordUsage(
                bytes, at: now.addingTimeInterval(-age), of: account, allowance: allowance)
            #expect(noted.value.storedBytes == (bytes == 650 ? 650 : 600))
        }
    }

    @Test func `a count from a clock that was ahead is replaced by the next one`() async throws {
        let (fixture, bob) = try await open()
        fixture.advance(days: 30)
        try await store(600, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        fixture.advance(days: -30)
        try await store(300, at: "\(StorageLayout.photos(bob.user))b", fixture)
        try await fixture.services.usageCount.countUsage()
        let usage = try await fixture.services.usage.lastCount(of: bob.user, caller: try await fixture.refreshed(bob))
        #expect(usage.storageUsed == 900)
        #expect(try await fixture.components.accounts.account(bob.user)?.value.storedBytes == 900)
    }

    @Test func `a large library with arbitrary keys is counted completely`() async throws {
        let (fixture, bob) = try await open()
        var random = SeededGenerator(seed: 3)
        var expected: Int64 = 0
        for number in 0..<5200 {
            let size = Int.random(in: 1...9, using: &random)
            // Some names are not an MD5, because users may write any name.
            let odd = ["~", "é", "Z", "-"][number % 4]
            let digits = String(UInt64.random(in: 0...UInt64.max, using: &random), radix: 16)
            let name = number.isMultiple(of: 13) ? "\(odd)\(number)" : "\(digits)-\(number)"
            try await store(size, at: "\(StorageLayout.photos(bob.user))\(name).dat", fixture)
            expected += Int64(size)
        }
        let count = try await fixture.components.usage.count(bob.user, limit: 1000).document
        #expect(count.bytes == expected && count.objects == 5200)
    }

    @Test func `the history records once that the limit is near and once that it is exceeded`() async throws {
        let (fixture, bob) = try await open()
        let key = StorageLayout.photos(bob.user)
        try await store(799, at: "\(key)a", fixture)
        try await fixture.services.usageCount.countUsage()
        #expect(try await auditEvents(fixture, bob) == [])
        try await store(1, at: "\(key)b", fixture)
        for _ in 0..<2 { try await fixture.services.usageCount.countUsage() }
        #expect(try await auditEvents(fixture, bob) == [.quotaNearLimit])
        try await store(201, at: "\(key)c", fixture)
        for _ in 0..<2 { try await fixture.services.usageCount.countUsage() }
        #expect(try await auditEvents(fixture, bob) == [.quotaExceeded, .quotaNearLimit])
        try await store(1, at: "\(key)c", fixture)
        try await fixture.services.usageCount.countUsage()
        #expect(try await auditEvents(fixture, bob).count == 2, "a smaller usage is not recorded")
        try await store(500, at: "\(key)c", fixture)
        try await fixture.services.usageCount.countUsage()
        #expect(try await auditEvents(fixture, bob).count == 3)
    }

    @Test func `after a subscription ends, nothing is deleted and uploads are refused until it renews`() async throws {
        let (fixture, bob) = try await open()
        try await fixture.present(fixture.purchase(), bob)
        try await store(3000, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        #expect(try await access(fixture, bob) == .readWrite)
        fixture.advance(days: 30)
        let later = try await fixture.service.caller(try await fixture.service.signIn(.google, "bob").session)
        #expect(try await access(fixture, later) == .readDelete, "without any count or notification since")
        #expect(try await fixture.subscription(later).tier == .free)
        try await fixture.services.usageCount.countUsage()
        #expect(try await fixture.keys(under: StorageLayout.photos(bob.user)).count == 1)
        #expect(try await auditEvents(fixture, later).first == .quotaExceeded)
        var renewed = TestPurchase(TestAppStore.premium, id: "1001", originalID: "1000", at: fixture.clock.now)
        renewed.accountToken = bob.user
        try await fixture.notify("DID_RENEW", nil, renewed)
        #expect(try await access(fixture, later) == .readWrite)
    }

    @Test func `near the limit, a count older than 15 minutes is refreshed before credentials are issued`()
        async throws
    {
        let (fixture, bob) = try await open()
        let key = StorageLayout.photos(bob.user)
        try await store(900, at: "\(key)a", fixture)
        try await fixture.services.usageCount.countUsage()
        try await store(900, at: "\(key)b", fixture)
        #expect(try await access(fixture, bob) == .readWrite, "the count is recent")
        fixture.clock.advance(by: 900)
        #expect(try await access(fixture, bob) == .readDelete)
        try await fixture.service.store.delete(ObjectKey(known: "\(key)b"), if: .always)
        fixture.clock.advance(by: 900)
        #expect(try await access(fixture, bob) == .readWrite, "write access returns after a deletion")
    }

    @Test func `if the limit is reachable since the last count, usage is counted before credentials are issued`()
        async throws
    {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        fixture.clock.advance(by: 1200)
        try await store(6000, at: "\(StorageLayout.photos(bob.user))a", fixture)
        #expect(try await access(fixture, bob) == .readWrite)
        #expect(
            try await fixture.components.accounts.account(bob.user)?.value.storedBytes == 6000,
            "5 GB take 400 seconds at 100 Mbit/s")
        // Once the larger limit is out of reach, credentials cost no store request.
        try await fixture.present(fixture.purchase(TestAppStore.professional), bob)
        fixture.clock.advance(by: 3000)
        let caller = try await fixture.refreshed(bob)
        _ = fixture.service.store.drainRequests()
        _ = try await fixture.services.storageAccess.issueCredentials(caller)
        #expect(fixture.service.store.drainRequests().isEmpty)
    }

    @Test func `far from the limit and soon after a count, credentials cost no store request`() async throws {
        let (fixture, bob) = try await open()
        try await store(100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        fixture.clock.advance(by: 899)
        let caller = try await fixture.refreshed(bob)
        _ = fixture.service.store.drainRequests()
        _ = try await fixture.services.storageAccess.issueCredentials(caller)
        #expect(fixture.service.store.drainRequests().map(\.kind) == [.write], "the first credentials mark the account")
        _ = try await fixture.services.storageAccess.issueCredentials(caller)
        #expect(fixture.service.store.drainRequests().isEmpty)
    }

    /// Devices on a bucket, where only credentials enforce the limit: each requests new ones continuously, so that the
    /// last ones are as late as possible, and uploads until they expire.
    @Test(arguments: [(devices: 1, rate: 0.5), (1, 2), (3, 1)], [0.0, 400, 899])
    func `on a bucket, each device exceeds the limit by at most its uploads of 75 minutes`(
        _ load: (devices: Int, rate: Double), _ start: TimeInterval
    ) async throws {
        let (fixture, bob) = try await open()
        let key = StorageLayout.photos(bob.user)
        try await store(500, at: "\(key)first", fixture)
        try await fixture.services.usageCount.countUsage()
        fixture.clock.advance(by: start)
        var ends = [Date](repeating: .distantPast, count: load.devices)
        var stored = 500
        var (step, isOver) = (0, false)
        while !isOver {
            for device in 0..<load.devices {
                let credentials = try await fixture.services.storageAccess.issueCredentials(
                    try await fixture.refreshed(bob))
                if credentials.access == .readWrite { ends[device] = credentials.expiration }
                guard fixture.clock.now < ends[device] else { continue }
                let bytes = Int(load.rate * 60)
                try await store(bytes, at: "\(key)\(device)-\(step)", fixture)
                stored += bytes
            }
            fixture.clock.advance(by: 60)
            step += 1
            isOver = ends.allSatisfy { $0 <= fixture.clock.now }
            try #require(step < 1000)
        }
        #expect(stored > 1000, "the limit can be exceeded up to the bound")
        #expect(Double(stored - 1000) <= Double(load.devices) * load.rate * (3600 + 900 + 60))
    }
}
