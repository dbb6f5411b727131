import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Which acts emit an event to the operator's service, and what the event contains.
@Suite struct EventTests {
    @Test("account changes are delivered in the order of the audit log")
    func order() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        try await fixture.service.unlink(.google, in: bob.session)
        try await fixture.deliver()
        let events = fixture.receiver.events
        #expect(events.map(\.type) == [.accountCreated, .providerLinked, .providerUnlinked])
        #expect(events.map(\.sequence) == [1, 2, 3])
        #expect(Set(events.map(\.id)).count == 3 && events.allSatisfy { $0.user == bob.user.serviceUserID })
        #expect(events.map(\.provider) == [.apple, .google, .google] && events[1].link == events[2].link)
        #expect(events.allSatisfy { $0.device == bob.session.deviceID && $0.byDevice == nil && $0.actor == .user })
        try await fixture.deliver()
        #expect(fixture.receiver.events.count == 3)
    }

    @Test("a device is added once, and again when a person signs in on it after its removal")
    func devices() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let tablet = TestService.device(2).id
        for _ in 0..<2 { _ = try await fixture.service.signIn(.apple, "bob", device: 2) }
        try await fixture.deliver()
        #expect(fixture.types(bob.user.serviceUserID) == ["account.created", "device.added"])
        try await fixture.service.services.devices.removeDevice(
            tablet, caller: try await fixture.service.caller(bob.session))
        _ = try await fixture.service.signIn(.apple, "bob", device: 2)
        try await fixture.deliver()
        let events = fixture.receiver.events.dropFirst(2)
        #expect(events.map(\.type) == [.deviceRemoved, .deviceAdded] && events.allSatisfy { $0.device == tablet })
        #expect(events.map(\.byDevice) == [bob.session.deviceID, nil])
    }

    @Test("the removal of an expired device is attributed to the service")
    func forgotten() async throws {
        let fixture = try await EventFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob")
        fixture.clock.advance(by: 121 * 86_400)
        try await fixture.service.services.deviceCleanup.cleanUpDevices()
        try await fixture.deliver()
        let last = try #require(fixture.receiver.events.last)
        #expect(last.type == .deviceRemoved && last.actor == .service && last.byDevice == nil)
        #expect(last.device == TestService.device(1).id)
    }

    @Test("reuse of a refresh token emits an event")
    func reuse() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let first = RefreshRequest(refreshToken: bob.session.refreshToken)
        let next = try await fixture.service.services.sessions.refresh(first).session
        _ = try await fixture.service.services.sessions.refresh(RefreshRequest(refreshToken: next.refreshToken))
        await #expect(throws: ServiceError.refreshTokenReused) {
            try await fixture.service.services.sessions.refresh(first)
        }
        try await fixture.deliver()
        #expect(fixture.types(bob.user.serviceUserID) == ["account.created", "session.reuse_detected"])
        #expect(fixture.receiver.events.last?.device == bob.session.deviceID)
    }

    @Test("a provider's notification emits an event, and so does the return of the identity")
    func provider() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        fixture.clock.advance(by: 5)
        let event = ProviderEvent(.accountDeleted, subject: "bob", at: fixture.clock.now)
        try await fixture.service.services.providerEvents.apply(event, of: .apple)
        fixture.clock.advance(by: 5)
        _ = try await fixture.service.signIn(.apple, "bob")
        try await fixture.deliver()
        #expect(
            fixture.types(bob.user.serviceUserID) == [
                "account.created", "provider.revoked", "account.deletion_requested", "provider.reactivated",
            ])
        #expect(fixture.receiver.events.map(\.actor) == [.user, .provider, .provider, .user])
    }

    @Test("sign-in and sign-out on a known device, reauthentication and sign-out everywhere emit no events")
    func others() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        try await fixture.deliver()
        let session = try await fixture.service.signIn(.apple, "bob").session
        _ = try await fixture.service.reauthenticate(.apple, "bob", in: session)
        try await fixture.service.services.sessions.signOutEverywhere(try await fixture.service.caller(session))
        #expect(try await fixture.delivery(bob.user.serviceUserID) == nil)
        try await EventRules(service: fixture.service, receiver: fixture.receiver).check()
        #expect(fixture.receiver.events.count == 1)
    }

    @Test("the instance that performs an act sends its event immediately")
    func fresh() async throws {
        let fixture = try await EventFixture.make()
        let service = fixture.service.services
        let (stream, taken) = AsyncStream.makeStream(of: EventType.self)
        fixture.receiver.setResponse { event in
            taken.yield(event.type)
            return nil
        }
        let sending = Task { await service.eventDelivery.deliverScheduledEvents() }
        _ = try await fixture.service.signUp(.apple, "bob")
        for await type in stream {
            #expect(type == .accountCreated)
            break
        }
        sending.cancel()
        await sending.value
    }

    @Test("enabling events delivers later changes but not earlier ones")
    func turnedOn() async throws {
        let fixture = try await EventFixture.make()
        let before = try await EventFixture.makeInstance(2, fixture.store, fixture.clock, nil)
        let bob = try await before.bobWithTwo()
        let eve = try await before.signUp(.apple, "eve", device: 9)
        #expect(!before.store.drainRequests().contains { $0.key.hasPrefix(StorageLayout.eventDeliveries) })
        try await fixture.service.services.deviceCleanup.cleanUpDevices()
        try await fixture.deliver()
        #expect(fixture.receiver.events.isEmpty)
        try await fixture.service.unlink(.google, in: bob.session)
        try await fixture.service.services.deviceCleanup.cleanUpDevices()
        try await fixture.deliver()
        #expect(fixture.types(bob.user.serviceUserID) == ["provider.unlinked"])
        #expect(fixture.types(eve.user.serviceUserID) == [])
    }

    @Test("changes made while events were disabled are delivered together with earlier undelivered ones")
    func turnedOff() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let off = try await EventFixture.makeInstance(2, fixture.store, fixture.clock, nil)
        _ = try await off.link(.google, "bob", in: bob.session)
        try await EventRules(service: fixture.service, receiver: fixture.receiver).check()
        #expect(fixture.types(bob.user.serviceUserID) == ["account.created", "provider.linked"])
    }

    @Test("after the store is reset to an earlier state, no event reuses another event's id")
    func ids() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        let earlier = fixture.store.copy { [clock = fixture.clock] in clock.now }
        try await fixture.service.unlink(.google, in: bob.session)
        try await fixture.deliver()
        let again = try await fixture.makeInstance(2, on: earlier)
        try await again.unlink(.google, in: bob.session)
        try await again.services.eventDelivery.deliverEvents()
        let unlinked = fixture.receiver.events.filter { $0.type == .providerUnlinked }
        #expect(unlinked.map(\.sequence) == [3, 3] && Set(unlinked.map(\.id)).count == 2)
    }

    @Test("a lost audit entry does not block the events of other entries")
    func lost() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        try await fixture.service.unlink(.google, in: bob.session)
        let key = ObjectKey(known: StorageLayout.auditEntry(bob.user.serviceUserID, sequence: 2))
        try await fixture.store.delete(key, if: .always)
        try await fixture.deliver()
        #expect(fixture.types(bob.user.serviceUserID) == ["account.created", "provider.unlinked"])
    }

    @Test("an audit log longer than one batch is delivered completely")
    func many() async throws {
        let fixture = try await EventFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        for _ in 0..<20 {
            _ = try await fixture.service.link(.google, "bob", in: bob.session)
            try await fixture.service.unlink(.google, in: bob.session)
        }
        try await fixture.deliver()
        #expect(fixture.receiver.events.map(\.sequence) == Array(1...41))
    }
}
