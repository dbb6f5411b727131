import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import Testing

@testable import UseCases

extension ReservedQuotaTests: ReservedUploads {}

/// Quota headroom that is reserved before an upload begins, and released again.
@Suite struct ReservedQuotaTests {
    @Test func `the quota of an unused reservation is released when it expires`() async throws {
        let (fixture, bob) = try await open()
        try await reserve(1, 700, fixture, bob)
        fixture.clock.advance(by: 300)
        #expect(try await !fits(2, 700, fixture, bob), "the upload may still be running")
        fixture.clock.advance(by: 120)
        #expect(try await fits(2, 700, fixture, bob))
    }

    @Test func `reserving a stored content again uses no further quota`() async throws {
        let (fixture, bob) = try await open()
        try await send(1, 900, fixture, bob)
        #expect(try await fits(1, 900, fixture, bob))
        #expect(try await !fits(2, 101, fixture, bob))
        #expect(try await fits(3, 100, fixture, bob))
    }

    @Test func `a completed upload counts once, even after many small reservations`() async throws {
        let (fixture, bob) = try await open()
        try await reserve(1, 500, fixture, bob)
        try await send(1, 500, fixture, bob)
        for number in 2..<200 { try await reserve(number, 1, fixture, bob) }
        fixture.clock.advance(by: 61)
        #expect(try await fits(900, 300, fixture, bob))
    }

    @Test func `reservations include the usage that the daily count found`() async throws {
        let (fixture, bob) = try await open()
        #expect(try await fits(1, 10, fixture, bob))
        try await send(2, 900, fixture, bob)
        fixture.clock.advance(by: 3600 * 3)
        try await fixture.services.usageCount.countUsage()
        #expect(try await !fits(3, 200, fixture, bob))
    }

    @Test func `after the switch to reserved uploads, direct writes with older credentials count`() async throws {
        let (free, ada) = try await open(isStrict: false)
        #expect(try await self.fits(1, 10, free, ada))
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: 1000, products: [])])
        options.reservesUploads = true
        let strict = try await TestService.make(options, store: free.service.store, clock: free.clock)
        func fits(_ number: Int, _ size: Int64) async throws -> Bool {
            do {
                let caller = try await free.refreshed(ada)
                _ = try await strict.services.uploads.reserveUpload(photo(number, size), caller: caller)
                return true
            } catch ServiceError.quotaExceeded {
                return false
            }
        }
        for _ in 0..<3 {
            #expect(try await fits(2, 10))
            free.clock.advance(by: 1000)
        }
        try await send(9, 900, free, ada)
        #expect(try await !fits(3, 200))
    }

    @Test func `a completed upload counts once`() async throws {
        let (fixture, bob) = try await open()
        try await reserve(1, 600, fixture, bob)
        try await send(1, 600, fixture, bob)
        fixture.clock.advance(by: 61)
        #expect(try await fits(2, 400, fixture, bob))
        #expect(try await !fits(3, 1, fixture, bob))
    }

    @Test func `a deleted upload keeps its quota until its URL expires`() async throws {
        let (fixture, bob) = try await open()
        try await reserve(1, 600, fixture, bob)
        try await send(1, 600, fixture, bob)
        fixture.clock.advance(by: 61)
        #expect(try await fits(2, 400, fixture, bob))
        try await delete(1, fixture, bob)
        fixture.clock.advance(by: 61)
        #expect(try await !fits(3, 100, fixture, bob))
        fixture.clock.advance(by: 600)
        #expect(try await fits(3, 1000, fixture, bob))
    }

    @Test func `objects stored without a reservation count from the first reservation`() async throws {
        let (fixture, bob) = try await open()
        try await send(7, 950, fixture, bob)
        #expect(try await !fits(1, 51, fixture, bob))
        #expect(try await fits(1, 50, fixture, bob))
    }

    @Test func `a larger tier increases the quota at once`() async throws {
        let (fixture, bob) = try await open()
        #expect(try await !fits(1, 1001, fixture, bob))
        try await fixture.present(fixture.purchase(), bob)
        #expect(try await fits(1, 5000, fixture, bob))
    }

    @Test func `32 concurrent reservations at two instances never exceed the quota`() async throws {
        let (fixture, bob) = try await open()
        let other = try await TestService.make(
            TestService.Options(), store: fixture.service.store, clock: fixture.clock)
        let copies = [fixture.components.reservations, other.components.reservations]
        let granted = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<32 {
                group.addTask {
                    let key = ObjectKey(known: StorageLayout.photo(bob.user, md5: md5(number)))
                    let reservation = UploadReservation(key, size: 90, linkEnd: fixture.clock.now)
                    let outcomes = try await copies[number % 2].reserve(
                        [[reservation]], of: bob.user, limit: 1000, isAlone: true,
                        isTrusted: { _, _, _ in true }, ended: { (_) async throws(ObjectStoreError) in [] },
                        count: { (_: Set<String>) async throws(ObjectStoreError) in
                            ReservationCount(bytes: 0, objects: 0, at: fixture.clock.now, sizes: [:])
                        })
                    return outcomes == [.reserved] ? 1 : 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(granted == 11)
    }

    @Test func `900 reservations keep their document below 32 KiB and are released when they expire`() async throws {
        let (fixture, bob) = try await open()
        for number in 0..<900 {
            try await reserve(number, 1, fixture, bob)
            if number.isMultiple(of: 9) { fixture.clock.advance(by: 7) }
        }
        let document = try #require(
            try await fixture.service.store.get(ObjectKey(known: StorageLayout.reservations(bob.user))))
        #expect(document.bytes.readableBytes < 32 << 10)
        #expect(try await !fits(1000, 200, fixture, bob))
        fixture.clock.advance(by: 1000)
        #expect(try await fits(1000, 1000, fixture, bob))
    }

    @Test func `with direct writes, an old count near the limit is refreshed`() async throws {
        let (fixture, bob) = try await open(isStrict: false)
        #expect(try await fits(1, 100, fixture, bob))
        try await send(9, 900, fixture, bob)
        fixture.clock.advance(by: 1000)
        #expect(try await !fits(2, 101, fixture, bob))
    }

    @Test(arguments: 0..<40)
    func `random reservations, uploads and deletions never exceed the limit`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (fixture, bob) = try await open()
        /// Upload addresses that a device holds: each can be used repeatedly until it expires.
        var addresses: [(number: Int, size: Int, end: Date)] = []
        for step in 0..<120 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let (number, size) = (Int.random(in: 0..<30, using: &random), Int.random(in: 1...400, using: &random))
                // Each number is one content and determines its size.
                let fixed = 1 + (number * 37 + size / 400) % 400
                if try await fits(number, Int64(fixed), fixture, bob) {
                    let end = UploadReservation(
                        ObjectKey(known: "x"), size: Int64(fixed), linkEnd: fixture.clock.now.addingTimeInterval(300)
                    ).endsAt
                    addresses.append((number, fixed, end))
                }
            case 4..<7:
                guard let address = addresses.randomElement(using: &random), address.end > fixture.clock.now else {
                    break
                }
                try await send(address.number, address.size, fixture, bob)
            case 7: try await delete(Int.random(in: 0..<30, using: &random), fixture, bob)
            case 8: fixture.clock.advance(by: Double(Int.random(in: 1...90, using: &random)))
            default: fixture.clock.advance(by: Double(Int.random(in: 1...500, using: &random)))
            }
            let stored = try await fixture.service.store.list(
                prefix: StorageLayout.photos(bob.user), after: nil, limit: 1000
            ).objects.reduce(0) { $0 + $1.size }
            try #require(stored <= 1000, "step \(step)")
        }
        fixture.clock.advance(by: 1000)
        let stored = try await fixture.service.store.list(
            prefix: StorageLayout.photos(bob.user), after: nil, limit: 1000
        ).objects.reduce(0) { $0 + $1.size }
        if stored < 1000 { #expect(try await fits(99, 1000 - stored, fixture, bob), "all free quota can be reserved") }
    }
}
