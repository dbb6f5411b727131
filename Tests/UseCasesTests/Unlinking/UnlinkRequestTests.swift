import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Requests of several identities to unlink each other: an older one prevails over a younger one.
@Suite struct UnlinkRequestTests {
    /// Bob's account with Eve's identity, which was linked longer ago than the delay, and a session of hers.
    private static func makeIntruded() async throws -> (fixture: DelayedUnlink, bob: Session, eve: Session) {
        let fixture = try await DelayedUnlink()
        _ = try await fixture.service.link(.google, "eve", in: fixture.phone)
        fixture.service.clock.advance(by: DelayedUnlink.day + 1)
        let eve = try await fixture.service.signIn(.google, "eve", device: 66).session
        return (fixture, try await fixture.service.signIn(.apple, "bob", device: 3).session, eve)
    }

    private func states(_ fixture: DelayedUnlink, _ session: Session) async throws -> [LinkState] {
        try await fixture.links(session).map(\.state)
    }

    @Test("an identity that requested its own unlink first is unlinked immediately by an older one")
    func ownRequest() async throws {
        let (fixture, bob, eve) = try await Self.makeIntruded()
        let own = try await fixture.newest(eve).linkID
        #expect(try await fixture.unlink(own, in: eve).last?.state == .removing)
        #expect(try await fixture.unlink(own, in: bob).count == 3)
        await #expect(throws: ServiceError.sessionEnded) { try await fixture.service.caller(eve) }
    }

    @Test(
        "a new identity that requested its own unlink cannot undo it after an older one requests it, at the first date")
    func ownRequestOfNewIdentity() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let eve = try await fixture.intrude(in: fixture.phone)
        let own = try await fixture.newest(eve).linkID
        let date = try await fixture.unlink(own, in: eve).last?.unlinksAt
        service.clock.advance(by: 60)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        let response = try #require(try await fixture.unlink(own, in: bob).last)
        #expect(response.state == .removing && response.unlinksAt == date)
        let caller = try await service.caller(eve)
        await #expect(throws: ServiceError.unlinkPending) {
            _ = try await service.services.linking.undoUnlink(own, caller: caller)
        }
        #expect(service.services.linking.unlinkOutcome(of: own, caller: try await service.caller(bob)) == .unchanged)
        // The same request again, and one of the identity itself, leave it final.
        for session in [bob, eve] { _ = try await fixture.unlink(own, in: session) }
        await #expect(throws: ServiceError.unlinkPending) {
            _ = try await service.services.linking.undoUnlink(own, caller: caller)
        }
        #expect(try await fixture.auditEvents().count { $0 == .providerUnlinkRequested } == 2)
    }

    @Test(
        "unlinking an identity drops its requests to unlink older ones, so the owner's last identity does not block it")
    func requestsAreDropped() async throws {
        let (fixture, bob, eve) = try await Self.makeIntruded()
        // Only the first identity and Eve's remain.
        for provider in [ProviderName.google, .facebook] { try await fixture.service.unlink(provider, in: bob) }
        let first = try #require(try await fixture.links(eve).first).linkID
        #expect(try await fixture.unlink(first, in: eve).map(\.state) == [.removing, .active])
        let own = try await fixture.newest(bob).linkID
        let caller = try await fixture.service.caller(bob)
        #expect(fixture.service.services.linking.unlinkOutcome(of: own, caller: caller) == .immediate)
        #expect(try await fixture.unlink(own, in: bob).map(\.state) == [.active])
        #expect(try await fixture.auditEvents().count { $0 == .providerUnlinkUndone } == 1)
        fixture.service.clock.advance(by: DelayedUnlink.day)
        #expect(try await fixture.service.owner(.apple, "bob") == fixture.user)
    }

    @Test("an unlink of a new identity is final although that identity keeps the first one pending")
    func finalWhilePending() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let eve = try await fixture.intrude(in: fixture.phone)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        try await service.unlink(.apple, in: eve)
        try await service.unlink(.google, in: eve)
        let own = try await fixture.newest(bob).linkID
        #expect(try await fixture.unlink(own, in: bob).map(\.state) == [.active, .active, .active, .removing])
        let caller = try await service.caller(eve)
        await #expect(throws: ServiceError.unlinkPending) {
            _ = try await service.services.linking.undoUnlink(own, caller: caller)
        }
        // An identity that an older one removes requests no other unlinks.
        for link in try await fixture.links(eve).dropLast() {
            await #expect(throws: ServiceError.unlinkPending) { _ = try await fixture.unlink(link.linkID, in: eve) }
        }
    }

    @Test("an identity cannot delay its own unlink by linking another one")
    func ownSuccessor() async throws {
        let (fixture, bob, eve) = try await Self.makeIntruded()
        _ = try await fixture.service.link(.facebook, "eve", in: eve)
        let links = try await fixture.links(bob).map(\.linkID)
        #expect(links.count == 5)
        #expect(try await fixture.unlink(links[3], in: bob).count == 4)
        #expect(try await fixture.unlink(links[4], in: bob).count == 3)
        // An identity that was linked in a session of the older one still delays.
        _ = try await fixture.service.link(.facebook, "carol", in: bob)
        let phone = try await fixture.service.signIn(.apple, "bob").session
        #expect(try await fixture.unlink(links[2], in: phone)[2].state == .removing)
    }

    @Test("a younger identity's request restricts no one, and the older identity undoes another one")
    func requestOfYounger() async throws {
        let (fixture, _, eve) = try await Self.makeIntruded()
        let service = fixture.service
        // Google is older than Eve's identity, and so is Facebook.
        let google = try await service.signIn(.google, "bob", device: 4).session
        for provider in [ProviderName.google, .facebook] { try await service.unlink(provider, in: eve) }
        let caller = try await service.caller(google)
        _ = try await service.services.linking.undoUnlink(
            try #require(try await fixture.link(.facebook, google)).linkID, caller: caller)
        try await service.services.devices.removeDevice(eve.deviceID, caller: caller)
        #expect(try await states(fixture, google) == [.active, .removing, .active, .active])
    }

    @Test("an identity's own request restricts it until it is undone")
    func requestOfItself() async throws {
        let (fixture, _, eve) = try await Self.makeIntruded()
        let own = try await fixture.newest(eve).linkID
        _ = try await fixture.unlink(own, in: eve)
        let caller = try await fixture.service.caller(eve)
        await #expect(throws: ServiceError.unlinkPending) {
            try await fixture.service.services.sessions.signOutEverywhere(caller)
        }
        _ = try await fixture.service.services.linking.undoUnlink(own, caller: caller)
        #expect(try await states(fixture, eve) == [.active, .active, .active, .active])
    }

    @Test("requests of an identity whose unlink becomes due are dropped with it")
    func requesterBecomesDue() async throws {
        let (fixture, bob, eve) = try await Self.makeIntruded()
        let service = fixture.service
        let (own, apple) = (try await fixture.newest(eve).linkID, try #require(try await fixture.link(.apple, eve)).linkID)
        _ = try await fixture.unlink(own, in: eve)
        service.clock.advance(by: 60)
        _ = try await fixture.unlink(apple, in: eve)
        service.clock.advance(by: DelayedUnlink.day - 60)
        #expect(try await states(fixture, try await fixture.refreshed(bob)) == [.active, .active, .active])
        service.clock.advance(by: 60)
        #expect(try await service.owner(.apple, "bob") == fixture.user)
        #expect(try await service.owner(.google, "eve") == nil)
    }

    @Test("after an older identity unlinks one, sessions of younger identities link none for the delay")
    func noSuccessors() async throws {
        let (fixture, bob, eve) = try await Self.makeIntruded()
        let service = fixture.service
        _ = try await service.link(.facebook, "eve", in: eve)
        let accomplice = try await service.signIn(.facebook, "eve", device: 67).session
        let links = try await fixture.links(bob).map(\.linkID)
        #expect(try await fixture.unlink(links[3], in: bob).count == 4)
        for subject in ["eve", "mallory"] {
            await #expect(throws: ServiceError.unlinkPending) {
                _ = try await service.link(.google, subject, in: accomplice)
            }
        }
        // A session of the identity that unlinked links others, also if a younger one unlinks another.
        let google = try await service.signIn(.google, "bob", device: 4).session
        _ = try await fixture.unlink(try await fixture.newest(google).linkID, in: google)
        await #expect(throws: ServiceError.unlinkPending) { _ = try await service.link(.google, "carol", in: google) }
        _ = try await service.link(.google, "carol", in: bob)
        service.clock.advance(by: DelayedUnlink.day)
        let later = try await service.signIn(.google, "bob", device: 4).session
        #expect(try await service.link(.facebook, "carol", in: later).linkedProviders.count == 5)
    }

    @Test("unlinking in a session that a younger identity authenticated waits as in a session of that one")
    func lentAuthentication() async throws {
        let (fixture, _, _) = try await Self.makeIntruded()
        let service = fixture.service
        service.clock.advance(by: 1_200)
        let stolen = try await service.reauthenticate(.google, "eve", in: try await fixture.refreshed(fixture.phone))
        for provider in [ProviderName.google, .facebook] {
            let link = try #require(try await fixture.link(provider, stolen)).linkID
            let caller = try await service.caller(stolen)
            guard case .delayed? = service.services.linking.unlinkOutcome(of: link, caller: caller) else {
                Issue.record("\(provider) is not delayed")
                continue
            }
        }
        let own = try await service.reauthenticate(.apple, "bob", in: stolen)
        let facebook = try #require(try await fixture.link(.facebook, own)).linkID
        #expect(
            service.services.linking.unlinkOutcome(of: facebook, caller: try await service.caller(own)) == .immediate)
    }
}
