import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing

@testable import UseCases

extension LongReservationTests: ReservedUploads {}

/// Addresses of reserved uploads that last for days, for uploads that a system starts later.
@Suite struct LongReservationTests {
    private static let week: TimeInterval = 604_800

    private func open(
        lifetime: TimeInterval = week, onBucket: Bool = false
    ) async throws -> (SubscriptionFixture, Caller) {
        let fixture = try await SubscriptionFixture.make({
            $0.plan = TierPlan([.free: .init(storageLimit: 1000, products: [])])
            $0.reservesUploads = true
            $0.uploadAddressLifetime = lifetime
            if onBucket { $0.credentialIssuer = GrantRecorder() }
        })
        return (fixture, try await fixture.person("bob"))
    }

    private func reserve(
        _ numbers: Range<Int>, size: Int64 = 1, lifetime: Int? = 604_800, _ fixture: SubscriptionFixture, _ bob: Caller
    ) async throws -> PhotolalaAPI.ReservedUploads {
        try await fixture.services.uploads.reserveUploads(
            UploadRequests(uploads: numbers.map { photo($0, size) }, lifetime: lifetime),
            caller: try await fixture.refreshed(bob))
    }

    @Test(
        "addresses last as long as requested and as the setting permits",
        arguments: [
            (Int?.none, 604_800, 300), (3600, 604_800, 3600), (604_800, 604_800, 604_800), (604_800, 7200, 7200),
            (604_800, 300, 300), (300, 604_800, 300), (1500, 604_800, 1500), (1501, 604_800, 1501),
        ])
    func lifetime(requested: Int?, setting: Int, seconds: Int) async throws {
        let (fixture, bob) = try await open(lifetime: TimeInterval(setting))
        let uploads = try await reserve(1..<3, lifetime: requested, fixture, bob).uploads
        for upload in uploads {
            #expect(upload?.expiresAt == fixture.clock.now.addingTimeInterval(TimeInterval(seconds)))
            #expect(upload?.url.contains("X-Amz-Expires=\(seconds)&") == true)
        }
    }

    @Test func `no address outlasts the session`() async throws {
        let (fixture, bob) = try await open()
        fixture.clock.advance(by: 27 * 86_400)
        let upload = try #require(try await reserve(1..<2, fixture, bob).uploads[0])
        #expect(upload.expiresAt <= bob.session.expiresAt)
        #expect(upload.expiresAt > fixture.clock.now.addingTimeInterval(2 * 86_400))
    }

    @Test("a lifetime outside of five minutes to a week is refused", arguments: [-1, 0, 299, 604_801])
    func invalidLifetime(lifetime: Int) async throws {
        let (fixture, bob) = try await open()
        await #expect(throws: ServiceError.invalidRequest("lifetime must be 300 to 604800 seconds.")) {
            try await reserve(1..<2, lifetime: lifetime, fixture, bob)
        }
    }

    @Test func `a batch has at most 500 uploads`() async throws {
        let (fixture, bob) = try await open()
        #expect(try await reserve(0..<500, fixture, bob).uploads.allSatisfy { $0 != nil })
        await #expect(throws: ServiceError.invalidRequest("uploads must have 1 to 500 elements.")) {
            try await reserve(0..<501, fixture, bob)
        }
    }

    @Test func `a reservation lasts as long as its address and the upload that begins in its last second`() async throws
    {
        let (fixture, bob) = try await open()
        _ = try await reserve(1..<2, size: 700, fixture, bob)
        fixture.clock.advance(by: Self.week)
        #expect(try await !fits(2, 700, fixture, bob), "the upload may still be running")
        fixture.clock.advance(by: UploadRequest.maximumDuration(of: 700) + 120)
        #expect(try await fits(2, 700, fixture, bob))
    }

    @Test func `500 stored uploads use their quota once while their addresses are valid`() async throws {
        let (fixture, bob) = try await open()
        _ = try await reserve(0..<500, fixture, bob)
        for number in 0..<500 { try await send(number, 1, fixture, bob) }
        fixture.clock.advance(by: 61)
        #expect(try await !fits(900, 501, fixture, bob))
        #expect(try await fits(901, 500, fixture, bob))
    }

    @Test(
        "a removed device's uploads continue as long as the server says",
        arguments: [
            (300, 3600), (7200, 7200), (604_800, 604_800),
        ])
    func removal(setting: Int, seconds: Int) async throws {
        let (bucket, bob) = try await open(lifetime: TimeInterval(setting), onBucket: true)
        #expect(try await bucket.services.devices.list(of: bob).storageAccessAfterRemoval == seconds)
        let (folder, ada) = try await open(lifetime: TimeInterval(setting))
        #expect(try await folder.services.devices.list(of: ada).storageAccessAfterRemoval == 0)
    }

    @Test("reservations of a removed device are released before a refusal, where its addresses end with it")
    func endedSession() async throws {
        for onBucket in [false, true] {
            let (fixture, bob) = try await open(onBucket: onBucket)
            let phone = try await fixture.service.caller(
                try await fixture.service.signIn(.google, "bob", device: 2).session)
            _ = try await reserve(1..<100, size: 10, fixture, phone)
            #expect(try await reserve(200..<201, size: 50, fixture, bob).uploads == [nil])
            try await fixture.services.devices.removeDevice(
                phone.device.value.id, caller: try await fixture.refreshed(bob))
            let after = try await reserve(200..<201, size: 50, fixture, bob).uploads
            #expect((after[0] != nil) == !onBucket)
            let next = try await fixture.service.caller(
                try await fixture.service.signIn(.google, "bob", device: 2).session)
            #expect((try await reserve(300..<301, size: 950, fixture, next).uploads[0] != nil) == !onBucket)
        }
    }

    @Test("what two sessions reserved for one object is not released with one of them")
    func sharedObject() async throws {
        let (fixture, bob) = try await open()
        let phone = try await fixture.service.caller(
            try await fixture.service.signIn(.google, "bob", device: 2).session)
        for caller in [bob, phone] { _ = try await reserve(1..<2, size: 900, fixture, caller) }
        try await fixture.services.devices.removeDevice(
            phone.device.value.id, caller: try await fixture.refreshed(bob))
        #expect(try await reserve(2..<3, size: 200, fixture, bob).uploads == [nil])
    }
}
