import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// An attacker with a stolen, recently authenticated session of Bob: the limits on changing his identities.
@Suite struct TakeoverTests {
    @Test("identities cannot be removed one by one: the first one still signs in, which keeps it")
    func stepByStep() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let eve = try await fixture.intrude(in: fixture.phone)
        // Bob's identities, from the stolen session and from the new identity's own session.
        try await service.unlink(.facebook, in: fixture.phone)
        for link in try await fixture.links(eve).dropLast() { _ = try? await fixture.unlink(link.linkID, in: eve) }
        #expect(try await fixture.links(eve).map(\.state) == [.removing, .removing, .active])
        let caller = try await service.caller(eve)
        await #expect(throws: ServiceError.identityTooNew) {
            try await service.services.sessions.signOutEverywhere(caller)
        }
        let again = try await service.signIn(.google, "eve", device: 66).session
        let own = try await fixture.newest(again).linkID
        await #expect(throws: ServiceError.lastProvider) { _ = try await fixture.unlink(own, in: again) }
        service.clock.advance(by: DelayedUnlink.day - 1)
        #expect(try await service.owner(.apple, "bob") == fixture.user)
        service.clock.advance(by: 2)
        #expect(try await service.owner(.apple, "bob") == fixture.user)
        #expect(try await service.owner(.google, "bob") == nil)
    }

    @Test("a stolen session cannot unlink the only identity with which the owner signs in")
    func onlyIdentityOfTheOwner() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let stolen = try await service.signIn(.google, "bob", device: 2).session
        let eve = try await fixture.intrude(in: stolen, device: 66)
        for session in [stolen, eve] { try await service.unlink(.google, in: session) }
        service.clock.advance(by: DelayedUnlink.day - 60)
        let bob = try await service.signIn(.google, "bob", device: 5).session
        #expect(try await !fixture.isPending(.google, bob))
        service.clock.advance(by: 120)
        #expect(try await service.owner(.google, "bob") == fixture.user)
    }

    @Test("a second request, removed devices or sign-out everywhere do not shorten the delay")
    func delayStands() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let eve = try await fixture.intrude(in: fixture.phone)
        let apple = try #require(try await fixture.link(.apple, eve)).linkID
        let date = try #require(try await fixture.unlink(apple, in: eve).first { $0.linkID == apple }?.unlinksAt)
        service.clock.advance(by: 300)
        for session in [eve, fixture.phone] {
            let response = try await fixture.unlink(apple, in: session)
            #expect(response.first { $0.linkID == apple }?.unlinksAt == date)
        }
        try await service.services.devices.removeDevice(eve.deviceID, caller: try await service.caller(fixture.phone))
        try await service.services.deviceCleanup.cleanUpDevices()
        try await service.services.sessions.signOutEverywhere(try await service.caller(fixture.phone))
        service.clock.advance(by: date.timeIntervalSince(service.clock.now) - 1)
        let later = try await service.signIn(.google, "eve", device: 66).session
        let link = try #require(try await fixture.link(.apple, later))
        #expect(link.unlinksAt == date && link.isPrimary)
        #expect(try await service.owner(.apple, "bob") == fixture.user)
    }

    @Test("a session opened by the new identity under the victim's device id is not treated as the victim's device")
    func borrowedDevice() async throws {
        let fixture = try await DelayedUnlink()
        _ = try await fixture.service.link(.google, "eve", in: fixture.phone)
        try await fixture.service.services.sessions.signOut(refreshToken: fixture.phone.refreshToken)
        let eve = try await fixture.service.signIn(.google, "eve", device: 1).session
        #expect(eve.deviceID == fixture.phone.deviceID)
        let facebook = try #require(try await fixture.link(.facebook, eve)).linkID
        #expect(try await fixture.unlink(facebook, in: eve).first { $0.linkID == facebook }?.state == .removing)
    }

    @Test("a new identity cannot end the owner's sessions or extend a stolen session's recent authentication")
    func newIdentityEndsNothing() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let eve = try await fixture.intrude(in: fixture.phone)
        let caller = try await service.caller(eve)
        await #expect(throws: ServiceError.identityTooNew) {
            try await service.services.sessions.signOutEverywhere(caller)
        }
        await #expect(throws: ServiceError.identityTooNew) {
            try await service.services.devices.removeDevice(fixture.phone.deviceID, caller: caller)
        }
        await #expect(throws: ServiceError.identityTooNew) {
            _ = try await service.reauthenticate(.google, "eve", in: fixture.phone)
        }
        _ = try await service.reauthenticate(.google, "eve", in: eve)
        _ = try await service.reauthenticate(.apple, "bob", in: fixture.phone)
        // It cannot while its unlink is pending either, even once it is no longer new.
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        service.clock.advance(by: 60)
        _ = try await fixture.unlink(try await fixture.newest(bob).linkID, in: bob)
        service.clock.advance(by: DelayedUnlink.day - 30)
        let late = try await service.signIn(.google, "eve", device: 66).session
        let lateCaller = try await service.caller(late)
        await #expect(throws: ServiceError.unlinkPending) {
            try await service.services.sessions.signOutEverywhere(lateCaller)
        }
    }

    @Test("a new identity cannot keep itself: repeated unlinking by an older identity is final")
    func repeatedRemovalIsFinal() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        _ = try await fixture.intrude(in: fixture.phone)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        let new = try await fixture.newest(bob).linkID
        #expect(try await fixture.unlink(new, in: bob).last?.state == .removing)
        let eve = try await service.signIn(.google, "eve", device: 66).session
        #expect(try await fixture.newest(bob).state == .removing)
        let kept = try await service.signIn(.google, "eve", device: 67).session
        #expect(try await fixture.newest(bob).state == .removing)
        for session in [eve, kept] where (try? await service.caller(session)) != nil {
            let caller = try await service.caller(session)
            await #expect(throws: ServiceError.unlinkPending) {
                _ = try await service.services.linking.undoUnlink(new, caller: caller)
            }
            // It cannot link a successor either.
            await #expect(throws: ServiceError.unlinkPending) {
                _ = try await service.link(.facebook, "eve", in: session)
            }
        }
        // The owner may still undo it.
        _ = try await service.services.linking.undoUnlink(new, caller: try await service.caller(bob))
        _ = try await fixture.unlink(new, in: bob)
        service.clock.advance(by: DelayedUnlink.day)
        #expect(try await service.owner(.google, "eve") == nil)
        #expect(try await service.owner(.apple, "bob") == fixture.user)
    }

    @Test("each request to unlink the first identity can be undone, however often it is repeated")
    func firstIdentityIsNeverFinal() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let eve = try await fixture.intrude(in: fixture.phone)
        for _ in 0..<3 {
            try await service.unlink(.apple, in: eve)
            let bob = try await service.signIn(.apple, "bob", device: 3).session
            #expect(try await !fixture.isPending(.apple, bob))
        }
        try await service.unlink(.apple, in: fixture.phone)
        _ = try await service.signIn(.apple, "bob", device: 4)
        service.clock.advance(by: DelayedUnlink.day)
        #expect(try await service.owner(.apple, "bob") == fixture.user)
    }

    @Test("the operator's service receives an event for each step, with the effective date")
    func events() async throws {
        let receiver = RecordingEventReceiver()
        let fixture = try await DelayedUnlink(receiver: receiver)
        let service = fixture.service
        try await service.unlink(.apple, in: fixture.phone)
        try await service.undoUnlink(.apple, in: fixture.phone)
        try await service.unlink(.apple, in: fixture.phone)
        let date = service.clock.now.addingTimeInterval(DelayedUnlink.day)
        service.clock.advance(by: DelayedUnlink.day)
        try await service.services.usageCount.countUsage()
        service.clock.advance(by: 61)
        try await service.services.eventDelivery.deliverEvents()
        let told = receiver.firstEvents(of: fixture.user).filter { $0.type.rawValue.hasPrefix("provider.unlink") }
        let types: [EventType] = [
            .providerUnlinkRequested, .providerUnlinkUndone, .providerUnlinkRequested, .providerUnlinked,
        ]
        #expect(told.map(\.type) == types)
        #expect(told.map(\.effectiveAt) == [date, nil, date, nil] && told.allSatisfy { $0.provider == .apple })
        #expect(told.map(\.actor) == [.user, .user, .user, .service])
        #expect(told.map(\.device) == [fixture.phone.deviceID, fixture.phone.deviceID, fixture.phone.deviceID, nil])
    }
}
