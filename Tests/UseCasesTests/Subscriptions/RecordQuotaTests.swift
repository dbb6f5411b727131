import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import Testing
import UseCases

/// On a bucket, where only credentials enforce the limit: what an account over its limit may still write, and how soon
/// that is counted.
@Suite struct RecordQuotaTests {
    /// More than the allowance of a library without photos.
    private static let tooMuch = (32 << 20) + 2048 * 2

    private let issuer = GrantRecorder()

    private func open(
        limit: Int64 = 1000, _ change: (inout TestService.Options) -> Void = { _ in }
    ) async throws -> (SubscriptionFixture, Caller) {
        let issuer = issuer
        let fixture = try await SubscriptionFixture.make { options in
            options.plan = TierPlan([.free: .init(storageLimit: limit, products: [])])
            options.credentialIssuer = issuer
            change(&options)
        }
        return (fixture, try await fixture.person("bob"))
    }

    private func store(_ bytes: Int, at key: String, _ fixture: SubscriptionFixture) async throws {
        _ = try await fixture.service.store.put(
            ObjectKey(known: key), ByteBuffer(repeating: 0x61, count: bytes), if: .always)
    }

    /// Returns the grant of credentials requested five minutes later.
    private func grant(_ fixture: SubscriptionFixture, _ bob: Caller) async throws -> StorageGrant {
        fixture.clock.advance(by: 300)
        let credentials = try await fixture.services.storageAccess.issueCredentials(try await fixture.refreshed(bob))
        let grant = try #require(issuer.last)
        // Omitted if nothing is withheld.
        #expect(credentials.recordWritesWithheld == (grant.mayRecord ? nil : true))
        return grant
    }

    @Test func `credentials last the configured time within the limit and 15 minutes over it`()
        async throws
    {
        let (fixture, bob) = try await open()
        var given = try await grant(fixture, bob)
        #expect(given.access == .readWrite && given.expiresAt == fixture.clock.now.addingTimeInterval(3600))
        try await store(1100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        given = try await grant(fixture, bob)
        #expect(given.access == .readDelete && given.mayRecord)
        #expect(given.expiresAt == fixture.clock.now.addingTimeInterval(900))
        #expect(given.latestEnd > given.expiresAt)
    }

    @Test(
        "over the limit, writing is withheld while the records exceed their allowance",
        arguments: [false, true], [true, false])
    func withheld(_ isReserved: Bool, _ isCatalog: Bool) async throws {
        let (fixture, bob) = try await open { $0.reservesUploads = isReserved }
        try await store(1100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        #expect(try await grant(fixture, bob).mayRecord)
        let (key, bytes) =
            isCatalog
            ? ("\(StorageLayout.catalogFiles(bob.user))junk", Self.tooMuch)
            : (StorageLayout.profile(bob.user), (1 << 20) + 1)
        try await store(bytes, at: key, fixture)
        let given = try await grant(fixture, bob)
        #expect(given.access == .readDelete && !given.mayRecord)
        try await store(10, at: key, fixture)
        #expect(try await grant(fixture, bob).mayRecord)
    }

    @Test func `records stored before the limit is exceeded do not use the allowance`()
        async throws
    {
        let limit = Int64(Self.tooMuch) * 2
        let (fixture, bob) = try await open(limit: limit)
        // Years of history.
        try await store(Self.tooMuch, at: "\(StorageLayout.catalogFiles(bob.user))old", fixture)
        try await fixture.services.usageCount.countUsage()
        #expect(try await grant(fixture, bob).access == .readWrite)
        try await store(Int(limit), at: "\(StorageLayout.photos(bob.user))a", fixture)
        #expect(try await grant(fixture, bob).access == .readWrite, "the count is younger than a quarter of an hour")
        fixture.clock.advance(by: 900)
        var given = try await grant(fixture, bob)
        #expect(given.access == .readDelete && given.mayRecord)
        try await store(Self.tooMuch, at: "\(StorageLayout.catalogFiles(bob.user))new", fixture)
        given = try await grant(fixture, bob)
        #expect(!given.mayRecord)
        try await fixture.service.store.delete(
            ObjectKey(known: "\(StorageLayout.photos(bob.user))a"), if: .always)
        try await fixture.service.store.delete(
            ObjectKey(known: "\(StorageLayout.catalogFiles(bob.user))new"), if: .always)
        given = try await grant(fixture, bob)
        #expect(given.access == .readWrite && given.mayRecord)
    }

    @Test func `over the limit, records are counted at each request for credentials`() async throws {
        let (fixture, bob) = try await open()
        try await store(1100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        #expect(try await grant(fixture, bob).mayRecord)
        let key = "\(StorageLayout.catalogFiles(bob.user))junk"
        for (bytes, mayRecord) in [(Self.tooMuch, false), (10, true)] {
            try await store(bytes, at: key, fixture)
            fixture.clock.advance(by: 1)
            _ = try await fixture.services.storageAccess.issueCredentials(try await fixture.refreshed(bob))
            #expect(issuer.last?.mayRecord == mayRecord)
        }
    }

    @Test func `over the limit, credentials have the shortest lifetime that the token service supports`() async throws {
        let issuer = GrantRecorder(minimumLifetime: 300)
        let (fixture, bob) = try await open { $0.credentialIssuer = issuer }
        try await store(1100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        _ = try await fixture.services.storageAccess.issueCredentials(try await fixture.refreshed(bob))
        #expect(issuer.last?.expiresAt == fixture.clock.now.addingTimeInterval(300))
    }

    @Test(arguments: [(799, 3600.0), (800, 900), (1000, 900)])
    func `credentials last 15 minutes from 80 percent of the limit on`(
        _ stored: Int, _ seconds: Double
    ) async throws {
        let (fixture, bob) = try await open()
        try await store(stored, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        let given = try await grant(fixture, bob)
        #expect(given.access == .readWrite && given.expiresAt == fixture.clock.now.addingTimeInterval(seconds))
    }

    @Test
    func `over the limit, records exceed the allowance by at most the writes of 15 minutes`()
        async throws
    {
        let (fixture, bob) = try await open()
        try await store(1100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        try await fixture.services.usageCount.countUsage()
        let perMinute = 4 << 20
        var (written, step, end) = (0, 0, Date.distantPast)
        while step < 120 {
            _ = try await fixture.services.storageAccess.issueCredentials(try await fixture.refreshed(bob))
            let given = try #require(issuer.last)
            if given.mayRecord { end = given.expiresAt }
            if fixture.clock.now < end {
                try await store(perMinute, at: "\(StorageLayout.catalogFiles(bob.user))\(step)", fixture)
                written += perMinute
            }
            fixture.clock.advance(by: 60)
            step += 1
        }
        #expect(written > 32 << 20, "the allowance can be exceeded up to the bound")
        #expect(written <= Self.tooMuch + perMinute * 16)
    }

    @Test
    func `objects under other spellings of a prefix count for its owner only if the engine resolves them`()
        async throws
    {
        let (fixture, bob) = try await open()
        let (store, own) = (fixture.service.store, bob.user.description)
        let retry = RetryPolicy(backoff: Backoff(first: .milliseconds(1), randomness: .system) { _ in })
        func count(_ isWide: Bool) async throws -> UsageDocument {
            try await UsageCounts(
                store: store, retry: retry, countsCaseVariants: isWide, now: { [clock = fixture.clock] in clock.now }
            ).count(bob.user, limit: 1000).document
        }
        try await self.store(1, at: "photos/\(own)/a", fixture)
        let upper = own.uppercased()
        try #require(upper != own)
        for key in [
            "PHOTOS/\(upper)/a", "photos/\(upper)/b", "photoS/\(own)/c", "Photos/\(own)/d/e",
            "THUMBNA\u{130}LS/\(own)/f",
            "thumbna\u{130}ls/\(own)/g",
        ] {
            try await self.store(10, at: key, fixture)
        }
        try await self.store(100, at: "CATALOGS/\(own)/x", fixture)
        // Another user's prefix, and another prefix of the user.
        let other = "\(own.dropLast())\(own.last == "0" ? "1" : "0")"
        for key in [
            "PHOTOS/\(other.uppercased())/a", "PHOTOS/\(own)x/a", "PHOTOSX/\(own)/a", "P", "thumbna\u{131}ls/\(own)/a",
        ] {
            try await self.store(1000, at: key, fixture)
        }
        #expect(try await count(false).bytes == 1)
        let all = try await count(true)
        #expect(all.bytes == 161 && all.objects == 8)
        #expect(all.kinds?[.thumbnails]?.bytes == 20)
        #expect(all.kinds?[.photos]?.bytes == 41 && all.kinds?[.photos]?.objects == 5)
        #expect(all.kinds?[.catalogs]?.bytes == 100 && all.kinds?[.catalogs]?.objects == 1)
    }

    @Test func `many objects under many spellings of a prefix are each counted once`() async throws {
        let (fixture, bob) = try await open()
        let own = bob.user.description
        var random = SeededGenerator(seed: 9)
        for number in 0..<2600 {
            let folder = number.isMultiple(of: 2) ? "PHOTOS" : ["pHotos", "photoS", "phoTOs"][number % 3]
            let spelled = String(own.map { Bool.random(using: &random) ? Character($0.uppercased()) : $0 })
            let name = number < 1300 ? "\(folder)/\(spelled)" : "PHOTOS/\(own)"
            try await store(1, at: "\(name)/\(number)", fixture)
        }
        let retry = RetryPolicy(backoff: Backoff(first: .milliseconds(1), randomness: .system) { _ in })
        let count = try await UsageCounts(
            store: fixture.service.store, retry: retry, countsCaseVariants: true,
            now: { [clock = fixture.clock] in clock.now }
        ).count(bob.user, limit: 1000).document
        #expect(count.objects == 2600)
    }

    @Test func `a new account is counted one minute after its first credentials`()
        async throws
    {
        let (fixture, bob) = try await open()
        _ = try await fixture.services.storageAccess.issueCredentials(bob)
        func counted() async throws -> Int64? {
            await fixture.services.usageCount.countFirstTime()
            return try await fixture.services.usage.lastCount(of: bob.user, caller: try await fixture.refreshed(bob))
                .storageUsed
        }
        try await store(100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        fixture.clock.advance(by: 59)
        #expect(try await counted() == nil)
        fixture.clock.advance(by: 1)
        #expect(try await counted() == 100)
        // It is known from then on: the next counts are the daily ones.
        try await store(50, at: "\(StorageLayout.photos(bob.user))b", fixture)
        fixture.clock.advance(by: 3600)
        #expect(try await counted() == 100)
    }

    @Test
    func
        `a late first upload is counted 61 minutes after the first credentials, an empty account not later`()
        async throws
    {
        let (fixture, bob) = try await open()
        _ = try await fixture.services.storageAccess.issueCredentials(bob)
        for delay in [60.0, 240, 600, 900] {
            fixture.clock.advance(by: delay)
            await fixture.services.usageCount.countFirstTime()
        }
        try await store(100, at: "\(StorageLayout.photos(bob.user))a", fixture)
        fixture.clock.advance(by: 1860)
        await fixture.services.usageCount.countFirstTime()
        let usage = try await fixture.services.usage.lastCount(of: bob.user, caller: try await fixture.refreshed(bob))
        #expect(usage.storageUsed == 100)
        let eve = try await fixture.person("eve")
        _ = try await fixture.services.storageAccess.issueCredentials(eve)
        for _ in 0..<5 {
            fixture.clock.advance(by: 3660)
            await fixture.services.usageCount.countFirstTime()
        }
        _ = fixture.service.store.drainRequests()
        fixture.clock.advance(by: 3660)
        await fixture.services.usageCount.countFirstTime()
        #expect(fixture.service.store.drainRequests().isEmpty)
    }

    @Test(arguments: [(minutes: 15.0, seconds: 1500), (30, 1800), (60, 3600)])
    func `the device list states how long a removed device has storage access, upload URLs included`(
        _ setting: (minutes: Double, seconds: Int)
    ) async throws {
        let (bucket, bob) = try await open { $0.credentialLifetime = setting.minutes * 60 }
        #expect(try await bucket.services.devices.list(of: bob).storageAccessAfterRemoval == setting.seconds)
        #expect(try await grant(bucket, bob).expiresAt == bucket.clock.now.addingTimeInterval(setting.minutes * 60))
        let machine = try await SubscriptionFixture.make { $0.credentialLifetime = setting.minutes * 60 }
        #expect(
            try await machine.services.devices.list(of: try await machine.person("bob")).storageAccessAfterRemoval == 0)
    }
}
