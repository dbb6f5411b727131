import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing
import UseCases

/// The usage of an account, its limit, and the consequences.
@Suite struct QuotaFlowTests {
    private func open() async throws -> (SubscriptionFixture, Caller) {
        let shop = try await SubscriptionFixture.make {
            $0.plan = TierPlan([
                .free: .init(storageLimit: 1000, products: []),
                .premium: .init(storageLimit: 5000, products: [TestAppStore.premium]),
            ])
        }
        return (shop, try await shop.person("bob"))
    }

    private func store(_ bytes: Int, at key: String, _ shop: SubscriptionFixture) async throws {
        _ = try await shop.service.store.put(
            ObjectKey(known: key), ByteBuffer(repeating: 0x61, count: bytes), if: .always)
    }

    private func auditEvents(_ shop: SubscriptionFixture, _ caller: Caller) async throws -> [AuditAction] {
        try await shop.services.account.history(
            caller.user, before: nil, limit: 50, caller: try await shop.refreshed(caller)
        )
        .entries.map(\.act).filter { $0.rawValue.hasPrefix("quota") }
    }

    private func access(_ shop: SubscriptionFixture, _ caller: Caller) async throws -> StorageAccessLevel {
        try await shop.services.storageAccess.issueCredentials(try await shop.refreshed(caller)).access
    }

    @Test func `usage is reported by kind`() async throws {
        let (shop, bob) = try await open()
        try await store(300, at: StorageLayout.photo(bob.user, md5: String(repeating: "a", count: 32)), shop)
        try await store(20, at: StorageLayout.thumbnail(bob.user, md5: String(repeating: "a", count: 32)), shop)
        try await store(7, at: StorageLayout.catalogPointer(bob.user), shop)
        try await shop.services.usageCount.countUsage()
        let usage = try await shop.services.usage.lastCount(of: bob.user, caller: try await shop.refreshed(bob))
        #expect(usage.storageUsed == 327)
        #expect(
            usage.byKind
                == UsageByKind(
                    photos: .init(bytes: 300, objects: 1), thumbnails: .init(bytes: 20, objects: 1),
                    catalogs: .init(bytes: 7, objects: 1), data: .init(bytes: 0, objects: 0)))
    }

    @Test func `a late count does not replace one that began after it`() async throws {
        let (shop, bob) = try await open()
        let accounts = shop.components.accounts
        let allowance = { @Sendable (_: AccountDocument) in StorageAllowance(tier: .free, bytes: 1000) }
        let now = shop.clock.now
        for (bytes, age) in [(Int64(600), 0.0), (900, 60), (650, 0)] {
            let account = try #require(try await accounts.account(bob.user))
            let noted = try await accounts.recordUsage(
                bytes, at: now.addingTimeInterval(-age), of: account, allowance: allowance)
            #expect(noted.value.storedBytes == (bytes == 650 ? 650 : 600))
        }
    }

    @Test func `a count from a clock that was ahead is replaced by the next one`() async throws {
        let (shop, bob) = try await open()
        shop.advance(days: 30)
        try await store(600, at: "\(StorageLayout.photos(bob.user))a", shop)
        try await shop.services.usageCount.countUsage()
        shop.advance(days: -30)
        try await store(300, at: "\(StorageLayout.photos(bob.user))b", shop)
        try await shop.services.usageCount.countUsage()
        let usage = try await shop.services.usage.lastCount(of: bob.user, caller: try await shop.refreshed(bob))
        #expect(usage.storageUsed == 900)
        #expect(try await shop.components.accounts.account(bob.user)?.value.storedBytes == 900)
    }

    @Test func `a large library with arbitrary keys is counted completely`() async throws {
        let (shop, bob) = try await open()
        var random = SeededGenerator(seed: 3)
        var expected: Int64 = 0
        for number in 0..<5200 {
            let size = Int.random(in: 1...9, using: &random)
            // Some names are not an MD5, because users may write any name.
            let odd = ["~", "é", "Z", "-"][number % 4]
            let digits = String(UInt64.random(in: 0...UInt64.max, using: &random), radix: 16)
            let name = number.isMultiple(of: 13) ? "\(odd)\(number)" : "\(digits)-\(number)"
            try await store(size, at: "\(StorageLayout.photos(bob.user))\(name).dat", shop)
            expected += Int64(size)
        }
        let count = try await shop.components.usage.count(bob.user, limit: 1000).document
        #expect(count.bytes == expected && count.objects == 5200)
    }

    @Test func `the history records once that the limit is near and once that it is exceeded`() async throws {
        let (shop, bob) = try await open()
        let key = StorageLayout.photos(bob.user)
        try await store(799, at: "\(key)a", shop)
        try await shop.services.usageCount.countUsage()
        #expect(try await auditEvents(shop, bob) == [])
        try await store(1, at: "\(key)b", shop)
        for _ in 0..<2 { try await shop.services.usageCount.countUsage() }
        #expect(try await auditEvents(shop, bob) == [.quotaNearLimit])
        try await store(201, at: "\(key)c", shop)
        for _ in 0..<2 { try await shop.services.usageCount.countUsage() }
        #expect(try await auditEvents(shop, bob) == [.quotaExceeded, .quotaNearLimit])
        try await store(1, at: "\(key)c", shop)
        try await shop.services.usageCount.countUsage()
        #expect(try await auditEvents(shop, bob).count == 2, "a smaller usage is not recorded")
        try await store(500, at: "\(key)c", shop)
        try await shop.services.usageCount.countUsage()
        #expect(try await auditEvents(shop, bob).count == 3)
    }

    @Test func `after a subscription ends, nothing is deleted and uploads are refused until it renews`() async throws {
        let (shop, bob) = try await open()
        try await shop.present(shop.purchase(), bob)
        try await store(3000, at: "\(StorageLayout.photos(bob.user))a", shop)
        try await shop.services.usageCount.countUsage()
        #expect(try await access(shop, bob) == .readWrite)
        shop.advance(days: 30)
        let later = try await shop.service.caller(try await shop.service.signIn(.google, "bob").session)
        #expect(try await access(shop, later) == .readDelete, "without any count or notification since")
        #expect(try await shop.subscription(later).tier == .free)
        try await shop.services.usageCount.countUsage()
        #expect(try await shop.keys(under: StorageLayout.photos(bob.user)).count == 1)
        #expect(try await auditEvents(shop, later).first == .quotaExceeded)
        var renewed = TestPurchase(TestAppStore.premium, id: "1001", originalID: "1000", at: shop.clock.now)
        renewed.accountToken = bob.user
        try await shop.notify("DID_RENEW", nil, renewed)
        #expect(try await access(shop, later) == .readWrite)
    }

    @Test func `near the limit, a count older than 15 minutes is refreshed before credentials are issued`()
        async throws
    {
        let (shop, bob) = try await open()
        let key = StorageLayout.photos(bob.user)
        try await store(900, at: "\(key)a", shop)
        try await shop.services.usageCount.countUsage()
        try await store(900, at: "\(key)b", shop)
        #expect(try await access(shop, bob) == .readWrite, "the count is recent")
        shop.clock.advance(by: 900)
        #expect(try await access(shop, bob) == .readDelete)
        try await shop.service.store.delete(ObjectKey(known: "\(key)b"), if: .always)
        shop.clock.advance(by: 900)
        #expect(try await access(shop, bob) == .readWrite, "write access returns after a deletion")
    }

    @Test func `if the limit is reachable since the last count, usage is counted before credentials are issued`()
        async throws
    {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        shop.clock.advance(by: 1200)
        try await store(6000, at: "\(StorageLayout.photos(bob.user))a", shop)
        #expect(try await access(shop, bob) == .readWrite)
        #expect(
            try await shop.components.accounts.account(bob.user)?.value.storedBytes == 6000,
            "5 GB take 400 seconds at 100 Mbit/s")
        // Once the larger limit is out of reach, credentials cost no store request.
        try await shop.present(shop.purchase(TestAppStore.professional), bob)
        shop.clock.advance(by: 3000)
        let caller = try await shop.refreshed(bob)
        _ = shop.service.store.drainRequests()
        _ = try await shop.services.storageAccess.issueCredentials(caller)
        #expect(shop.service.store.drainRequests().isEmpty)
    }

    @Test func `far from the limit and soon after a count, credentials cost no store request`() async throws {
        let (shop, bob) = try await open()
        try await store(100, at: "\(StorageLayout.photos(bob.user))a", shop)
        try await shop.services.usageCount.countUsage()
        shop.clock.advance(by: 899)
        let caller = try await shop.refreshed(bob)
        _ = shop.service.store.drainRequests()
        _ = try await shop.services.storageAccess.issueCredentials(caller)
        #expect(shop.service.store.drainRequests().isEmpty)
    }

    /// Devices on a bucket, where only credentials enforce the limit: each requests new ones continuously, so that the
    /// last ones are as late as possible, and uploads until they expire.
    @Test(arguments: [(devices: 1, rate: 0.5), (1, 2), (3, 1)], [0.0, 400, 899])
    func `on a bucket, each device exceeds the limit by at most its uploads of 75 minutes`(
        _ load: (devices: Int, rate: Double), _ start: TimeInterval
    ) async throws {
        let (shop, bob) = try await open()
        let key = StorageLayout.photos(bob.user)
        try await store(500, at: "\(key)first", shop)
        try await shop.services.usageCount.countUsage()
        shop.clock.advance(by: start)
        var ends = [Date](repeating: .distantPast, count: load.devices)
        var stored = 500
        var (step, isOver) = (0, false)
        while !isOver {
            for device in 0..<load.devices {
                let credentials = try await shop.services.storageAccess.issueCredentials(try await shop.refreshed(bob))
                if credentials.access == .readWrite { ends[device] = credentials.expiration }
                guard shop.clock.now < ends[device] else { continue }
                let bytes = Int(load.rate * 60)
                try await store(bytes, at: "\(key)\(device)-\(step)", shop)
                stored += bytes
            }
            shop.clock.advance(by: 60)
            step += 1
            isOver = ends.allSatisfy { $0 <= shop.clock.now }
            try #require(step < 1000)
        }
        #expect(stored > 1000, "the limit can be exceeded up to the bound")
        #expect(Double(stored - 1000) <= Double(load.devices) * load.rate * (3600 + 900 + 60))
    }
}
