import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Several instances deliver events while accounts change.
@Suite struct EventRaceTests {
    @Test("two instances that deliver concurrently send each event once")
    func twoCopies() async throws {
        let fixture = try await EventFixture.make()
        for number in 1...8 { _ = try await fixture.service.signUp(.apple, "bob\(number)", device: number) }
        let other = try await fixture.makeInstance(2)
        fixture.clock.advance(by: 61)
        async let one: Void = fixture.service.services.eventDelivery.deliverEvents()
        async let two: Void = other.services.eventDelivery.deliverEvents()
        _ = try await (one, two)
        #expect(fixture.receiver.events.count == 8)
    }

    @Test("another instance takes over a stalled delivery after a minute; repeated events keep their first order")
    func stalled() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        try await fixture.service.unlink(.google, in: bob.session)
        let other = try await fixture.makeInstance(2)
        let isFirst = Mutex(true)
        fixture.receiver.setResponse { _ in
            let stalls = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if stalls {
                fixture.clock.advance(by: 61)
                try? await other.services.eventDelivery.deliverEvents()
            }
            return nil
        }
        try await fixture.deliver()
        #expect(fixture.receiver.events.map(\.sequence) == [1, 2, 3, 1])
        try await EventRules(service: fixture.service, receiver: fixture.receiver).check()
        #expect(fixture.receiver.events.count == 4)
    }

    @Test("when an instance runs out of time, another instance delivers the remaining events")
    func outOfTime() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        try await fixture.service.unlink(.google, in: bob.session)
        fixture.receiver.setResponse { _ in
            fixture.clock.advance(by: 20)
            return nil
        }
        try await fixture.deliver()
        #expect(fixture.receiver.events.map(\.sequence) == [1, 2])
        try await fixture.makeInstance(2).services.eventDelivery.deliverEvents()
        #expect(fixture.receiver.events.map(\.sequence) == [1, 2, 3])
    }

    @Test("when time runs out after a resolved refusal, the next refusal counts as the first")
    func outOfTimeAfterRefusal() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        let user = bob.user.serviceUserID
        try await fixture.service.unlink(.google, in: bob.session)
        fixture.receiver.setResponse { _ in EventRejection("status 500") }
        try await fixture.deliver()
        fixture.clock.advance(by: 7)
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(try await fixture.delivery(user)?.tries == 2)
        fixture.receiver.setResponse { _ in
            fixture.clock.advance(by: 20)
            return nil
        }
        fixture.clock.advance(by: 400)
        try await fixture.service.services.eventDelivery.deliverEvents()
        let rest = try #require(try await fixture.delivery(user))
        #expect(rest.tries == 0 && rest.refusal == nil && fixture.receiver.events.count == 2)
    }

    @Test("a delivery postponed for years by a wrong clock is sent immediately")
    func wrongClock() async throws {
        let fixture = try await EventFixture.make()
        let ahead = TestClock(fixture.clock.now.addingTimeInterval(3 * 365 * 86_400))
        let wrong = try await EventFixture.makeInstance(2, fixture.store, ahead, fixture.receiver)
        let user = try await wrong.signUp(.apple, "bob").user.serviceUserID
        try await fixture.deliver()
        #expect(fixture.types(user) == ["account.created"])
        #expect(try await fixture.delivery(user) == nil)
    }

    @Test("changes to the account or a device during delivery are delivered too")
    func concurrentChanges() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        fixture.receiver.setResponse { event in
            if event.sequence == 2 {
                _ = try? await fixture.service.signIn(.apple, "bob", device: 2)
                try? await fixture.service.unlink(.google, in: bob.session)
            }
            return nil
        }
        try await fixture.deliver()
        #expect(
            fixture.types(bob.user.serviceUserID) == [
                "account.created", "provider.linked", "provider.unlinked", "device.added",
            ])
        #expect(fixture.receiver.events.count == 4)
        #expect(try await fixture.delivery(bob.user.serviceUserID) == nil)
    }

    @Test("an act at any moment of a delivery is delivered eventually", arguments: [false, true])
    func everyMoment(onDevice: Bool) async throws {
        var call = 0
        while try await run(onDevice, at: call) { call += 1 }
        #expect(call > 3)
    }

    private func run(_ onDevice: Bool, at call: Int) async throws -> Bool {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        let interrupted = InterruptedObjectStore(fixture.store)
        let sender = try await fixture.makeInstance(2, on: interrupted)
        fixture.clock.advance(by: 61)
        interrupted.interrupt(before: call) {
            if onDevice {
                _ = try? await fixture.service.signIn(.apple, "bob", device: 2)
            } else {
                try? await fixture.service.unlink(.google, in: bob.session)
            }
        }
        try await sender.services.eventDelivery.deliverEvents()
        guard !interrupted.isWaiting else { return false }
        // No daily job runs: the delivery itself must not be lost.
        for _ in 0..<2 { try await fixture.deliver() }
        #expect(fixture.receiver.firstEvents(of: bob.user.serviceUserID).count == 3, "before request \(call)")
        #expect(try await fixture.delivery(bob.user.serviceUserID) == nil)
        return true
    }
}
