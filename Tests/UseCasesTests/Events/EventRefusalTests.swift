import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// The operator's service is unavailable or refuses an event.
@Suite struct EventRefusalTests {
    private let refusal = EventRejection("status 500")

    @Test("a refused event is retried indefinitely with increasing delays and the same id")
    func pauses() async throws {
        let fixture = try await EventFixture.make()
        let user = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        let ids = Mutex<[String]>([])
        fixture.receiver.setResponse { [refusal] event in
            ids.withLock { $0.append(event.id) }
            return refusal
        }
        try await fixture.deliver()
        let start = fixture.clock.now
        for (index, pause) in [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400].enumerated()
        {
            let delivery = try #require(try await fixture.delivery(user))
            let wait = delivery.nextTryAt.timeIntervalSince(fixture.clock.now)
            #expect((pause * 9 / 10 - 1...pause * 11 / 10).contains(Int(wait)), "\(wait) after \(index + 1)")
            #expect(delivery.tries == index + 1 && delivery.refusal?.reason == "status 500")
            #expect(delivery.refusal?.since == start)
            fixture.clock.advance(by: wait - 1)
            try await fixture.service.services.eventDelivery.deliverEvents()
            #expect(ids.withLock { $0.count } == index + 1)
            fixture.clock.advance(by: 2)
            try await fixture.service.services.eventDelivery.deliverEvents()
            #expect(ids.withLock { $0.count } == index + 2)
        }
        #expect(Set(ids.withLock { $0 }).count == 1)
        fixture.receiver.setResponse(nil)
        fixture.clock.advance(by: 100_000)
        try await EventRules(service: fixture.service, receiver: fixture.receiver).check()
        #expect(fixture.types(user) == ["account.created"])
    }

    @Test(
        "a Retry-After of the receiver extends the delay, up to one day, and never shortens it",
        arguments: [(3600.0, 3600.0), (9e9, 86_400), (1, 4.5)])
    func patience(asked: Double, least: Double) async throws {
        let fixture = try await EventFixture.make()
        let user = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        fixture.receiver.setResponse { _ in EventRejection("status 503", retryAfter: asked) }
        try await fixture.deliver()
        let wait = try #require(try await fixture.delivery(user)).nextTryAt.timeIntervalSince(fixture.clock.now)
        #expect((least - 1...max(least, 5.5)).contains(wait))
    }

    @Test("a receiver that answers gone is retried once a day, and no event is lost")
    func gone() async throws {
        let fixture = try await EventFixture.make()
        let user = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        fixture.receiver.setResponse { _ in EventRejection("status 410", isGone: true) }
        try await fixture.deliver()
        let delivery = try #require(try await fixture.delivery(user))
        #expect(delivery.nextTryAt.timeIntervalSince(fixture.clock.now) == 86_400)
    }

    @Test("later events of an account wait for the refused one; events of other accounts do not")
    func poison() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        let user = bob.user.serviceUserID
        fixture.receiver.setResponse { [refusal] in $0.user == user && $0.type == .providerLinked ? refusal : nil }
        try await fixture.deliver()
        try await fixture.service.unlink(.google, in: bob.session)
        let eve = try await fixture.service.signUp(.apple, "eve", device: 9)
        try await fixture.deliver()
        #expect(fixture.types(user) == ["account.created"])
        #expect(fixture.types(eve.user.serviceUserID) == ["account.created"])
        fixture.receiver.setResponse(nil)
        fixture.clock.advance(by: 400)
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(fixture.types(user) == ["account.created", "provider.linked", "provider.unlinked"])
        #expect(fixture.receiver.events.count == 4, "no accepted event is sent twice")
    }

    @Test("a new event does not shorten the retry delay of waiting events")
    func bump() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        fixture.receiver.setResponse { [refusal] _ in refusal }
        try await fixture.deliver()
        let before = try #require(try await fixture.delivery(bob.user.serviceUserID))
        _ = try await fixture.service.link(.google, "bob", in: bob.session)
        let after = try #require(try await fixture.delivery(bob.user.serviceUserID))
        #expect(after.nextTryAt == before.nextTryAt && after.tries == 1 && after.version > before.version)
    }

    @Test("a waiting delivery is not read twice")
    func remembered() async throws {
        let fixture = try await EventFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        fixture.receiver.setResponse { _ in EventRejection("status 503", retryAfter: 3600) }
        try await fixture.deliver()
        try await fixture.service.services.eventDelivery.deliverEvents()
        _ = fixture.service.store.drainRequests()
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(fixture.service.store.drainRequests().map(\.kind) == [.list])
    }

    @Test("if more deliveries wait than are cached, most are still read only once")
    func manyRemembered() async throws {
        let fixture = try await EventFixture.make()
        for number in 1...120 { _ = try await fixture.service.signUp(.apple, "bob\(number)", device: number) }
        fixture.receiver.setResponse { _ in EventRejection("status 503", retryAfter: 3600) }
        try await fixture.deliver()
        try await fixture.service.services.eventDelivery.deliverEvents()
        _ = fixture.service.store.drainRequests()
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(fixture.service.store.drainRequests().count { $0.kind == .read } == 20)
    }

    @Test("an operator can trigger delivery for an account whose delivery object is missing")
    func hastenMissing() async throws {
        let fixture = try await EventFixture.make()
        let user = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        let key = ObjectKey(known: StorageLayout.eventDelivery(user))
        for damaged in [false, true] {
            try await fixture.store.delete(key, if: .always)
            if damaged { _ = try await fixture.store.put(key, .init(string: "{"), if: .absent) }
            try await fixture.service.components.accounts.outbox?.makeDue(user)
            #expect(try await fixture.delivery(user)?.nextTryAt == fixture.clock.now)
        }
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(fixture.types(user) == ["account.created"])
    }

    @Test("an operator can trigger an immediate retry of all events of an account")
    func hasten() async throws {
        let fixture = try await EventFixture.make()
        let user = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        fixture.receiver.setResponse { _ in EventRejection("status 410", isGone: true) }
        try await fixture.deliver()
        fixture.receiver.setResponse(nil)
        try await fixture.service.components.accounts.outbox?.makeDue(user)
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(fixture.types(user) == ["account.created"])
        #expect(try await fixture.delivery(user) == nil)
    }

    @Test("a retry triggered by the operator is not postponed by a refusal of the delivery in progress")
    func hastenUnderWay() async throws {
        let fixture = try await EventFixture.make()
        let user = try await fixture.service.signUp(.apple, "bob").user.serviceUserID
        let outbox = try #require(fixture.service.components.accounts.outbox)
        fixture.clock.advance(by: 60)
        let listed = try #require(try await outbox.deliveries(after: nil).objects.first)
        let taken = try #require(try await outbox.acquire(listed))
        try await outbox.makeDue(user)
        _ = try await outbox.postpone(taken, refusal, isFirst: false)
        let delivery = try #require(try await fixture.delivery(user))
        #expect(delivery.nextTryAt == fixture.clock.now && delivery.refusal == nil)
    }

    @Test("a damaged delivery affects only its own account")
    func damaged() async throws {
        let fixture = try await EventFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        let key = ObjectKey(known: "\(StorageLayout.eventDeliveries)00000000-0000-4000-8000-000000000000.json")
        _ = try await fixture.store.put(key, .init(string: "{"), if: .absent)
        try await fixture.deliver()
        #expect(fixture.receiver.events.count == 1)
    }
}
