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
        let world = try await EventFixture.make()
        for number in 1...8 { _ = try await world.service.signUp(.apple, "bob\(number)", device: number) }
        let other = try await world.makeInstance(2)
        world.clock.advance(by: 61)
        async let one: Void = world.service.services.eventDelivery.deliverEvents()
        async let two: Void = other.services.eventDelivery.deliverEvents()
        _ = try await (one, two)
        #expect(world.receiver.events.count == 8)
    }

    @Test("another instance takes over a stalled delivery after a minute; repeated events keep their first order")
    func stalled() async throws {
        let world = try await EventFixture.make()
        let bob = try await world.service.bobWithTwo()
        try await world.service.unlink(.google, in: bob.session)
        let other = try await world.makeInstance(2)
        let isFirst = Mutex(true)
        world.receiver.setResponse { _ in
            let stalls = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if stalls {
                world.clock.advance(by: 61)
                try? await other.services.eventDelivery.deliverEvents()
            }
            return nil
        }
        try await world.deliver()
        #expect(world.receiver.events.map(\.sequence) == [1, 2, 3, 1])
        try await EventRules(service: world.service, receiver: world.receiver).check()
        #expect(world.receiver.events.count == 4)
    }

    @Test("when an instance runs out of time, another instance delivers the remaining events")
    func outOfTime() async throws {
        let world = try await EventFixture.make()
        let bob = try await world.service.bobWithTwo()
        try await world.service.unlink(.google, in: bob.session)
        world.receiver.setResponse { _ in
            world.clock.advance(by: 20)
            return nil
        }
        try await world.deliver()
        #expect(world.receiver.events.map(\.sequence) == [1, 2])
        try await world.makeInstance(2).services.eventDelivery.deliverEvents()
        #expect(world.receiver.events.map(\.sequence) == [1, 2, 3])
    }

    @Test("when time runs out after a resolved refusal, the next refusal counts as the first")
    func outOfTimeAfterRefusal() async throws {
        let world = try await EventFixture.make()
        let bob = try await world.service.bobWithTwo()
        let user = bob.user.serviceUserID
        try await world.service.unlink(.google, in: bob.session)
        world.receiver.setResponse { _ in EventRejection("status 500") }
        try await world.deliver()
        world.clock.advance(by: 7)
        try await world.service.services.eventDelivery.deliverEvents()
        #expect(try await world.delivery(user)?.tries == 2)
        world.receiver.setResponse { _ in
            world.clock.advance(by: 20)
            return nil
        }
        world.clock.advance(by: 400)
        try await world.service.services.eventDelivery.deliverEvents()
        let rest = try #require(try await world.delivery(user))
        #expect(rest.tries == 0 && rest.refusal == nil && world.receiver.events.count == 2)
    }

    @Test("a delivery postponed for years by a wrong clock is sent immediately")
    func wrongClock() async throws {
        let world = try await EventFixture.make()
        let ahead = TestClock(world.clock.now.addingTimeInterval(3 * 365 * 86_400))
        let wrong = try await EventFixture.makeInstance(2, world.store, ahead, world.receiver)
        let user = try await wrong.signUp(.apple, "bob").user.serviceUserID
        try await world.deliver()
        #expect(world.types(user) == ["account.created"])
        #expect(try await world.delivery(user) == nil)
    }

    @Test("changes to the account or a device during delivery are delivered too")
    func concurrentChanges() async throws {
        let world = try await EventFixture.make()
        let bob = try await world.service.bobWithTwo()
        world.receiver.setResponse { event in
            if event.sequence == 2 {
                _ = try? await world.service.signIn(.apple, "bob", device: 2)
                try? await world.service.unlink(.google, in: bob.session)
            }
            return nil
        }
        try await world.deliver()
        #expect(
            world.types(bob.user.serviceUserID) == [
                "account.created", "provider.linked", "provider.unlinked", "device.added",
            ])
        #expect(world.receiver.events.count == 4)
        #expect(try await world.delivery(bob.user.serviceUserID) == nil)
    }

    @Test("an act at any moment of a delivery is delivered eventually", arguments: [false, true])
    func everyMoment(onDevice: Bool) async throws {
        var call = 0
        while try await run(onDevice, at: call) { call += 1 }
        #expect(call > 3)
    }

    private func run(_ onDevice: Bool, at call: Int) async throws -> Bool {
        let world = try await EventFixture.make()
        let bob = try await world.service.bobWithTwo()
        let interrupted = InterruptedObjectStore(world.store)
        let sender = try await world.makeInstance(2, on: interrupted)
        world.clock.advance(by: 61)
        interrupted.interrupt(before: call) {
            if onDevice {
                _ = try? await world.service.signIn(.apple, "bob", device: 2)
            } else {
                try? await world.service.unlink(.google, in: bob.session)
            }
        }
        try await sender.services.eventDelivery.deliverEvents()
        guard !interrupted.isWaiting else { return false }
        // No daily job runs: the delivery itself must not be lost.
        for _ in 0..<2 { try await world.deliver() }
        #expect(world.receiver.firstEvents(of: bob.user.serviceUserID).count == 3, "before request \(call)")
        #expect(try await world.delivery(bob.user.serviceUserID) == nil)
        return true
    }
}
