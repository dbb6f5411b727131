import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Which sessions a younger identity cannot end.
@Suite struct SessionProtectionTests {
    /// Links Eve's identity and lets it age beyond the delay.
    private func agedIntruder(in fixture: DelayedUnlink) async throws {
        _ = try await fixture.service.link(.google, "eve", in: fixture.phone)
        fixture.service.clock.advance(by: DelayedUnlink.day + 1)
    }

    private func expectRefusal(
        _ error: ServiceError = .identityTooNew, at location: SourceLocation = #_sourceLocation,
        _ act: () async throws -> Void
    ) async {
        await #expect(throws: error, sourceLocation: location) { try await act() }
    }

    /// Checks that Eve's identity can end the session on a device by none of the three acts.
    private func expectProtected(
        _ session: Session, from eve: Session, in fixture: DelayedUnlink, at location: SourceLocation = #_sourceLocation
    ) async throws {
        let service = fixture.service
        let caller = try await service.caller(eve)
        await expectRefusal(at: location) { try await service.services.sessions.signOutEverywhere(caller) }
        await expectRefusal(at: location) {
            try await service.services.devices.removeDevice(session.deviceID, caller: caller)
        }
        let number = try #require((1...9).first { TestService.device($0).id == session.deviceID })
        await expectRefusal(at: location) { _ = try await service.signIn(.google, "eve", device: number) }
        _ = try await service.caller(session)
    }

    @Test("a new identity cannot replace a session of another identity, however old that is")
    func newIdentity() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        _ = try await service.link(.google, "eve", in: fixture.phone)
        service.clock.advance(by: 3_000)
        await expectRefusal { _ = try await service.signIn(.google, "eve", device: 1) }
        _ = try await service.caller(fixture.phone)
        let tablet = try await service.signIn(.facebook, "bob", device: 2).session
        await expectRefusal { _ = try await service.signIn(.google, "eve", device: 2) }
        // The identities of before, the same one again, and a signed-out device.
        let again = try await service.signIn(.google, "bob", device: 2).session
        _ = try await service.signIn(.google, "bob", device: 2)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(tablet) }
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(again) }
        try await service.services.sessions.signOut(refreshToken: fixture.phone.refreshToken)
        let eve = try await service.signIn(.google, "eve", device: 1).session
        _ = try await service.signIn(.google, "eve", device: 1)
        // The older identity signs in on any device.
        _ = try await service.signIn(.apple, "bob", device: 1)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(eve) }
    }

    @Test("an identity whose unlinking is final cannot replace a session of another identity")
    func pendingIdentity() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        _ = try await service.link(.google, "eve", in: fixture.phone)
        service.clock.advance(by: DelayedUnlink.day - 60)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        _ = try await fixture.unlink(try await fixture.newest(bob).linkID, in: bob)
        service.clock.advance(by: 3_000)
        #expect(try await fixture.newest(bob).state == .removing)
        await expectRefusal { _ = try await service.signIn(.google, "eve", device: 3) }
        _ = try await service.caller(bob)
        _ = try await service.signIn(.google, "eve", device: 66)
    }

    @Test("an app or device that a new identity approves cannot replace a session of another identity")
    func approvals() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let phone = TestService.device(1).id
        let eve = try await service.caller(try await fixture.intrude(in: fixture.phone))
        let parameters = [
            "client_id": "photolala", "redirect_uri": "http://127.0.0.1:4711/callback", "response_type": "code",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
            "device_id": phone.description, "device_platform": "Linux",
        ]
        let code = try service.services.appAuthorization.approve(
            try service.services.appRequests.parse { parameters[$0] }, caller: eve)
        await expectRefusal {
            _ = try await service.services.appAuthorization.exchangeAppCode(
                code, client: "photolala", redirectURI: "http://127.0.0.1:4711/callback",
                verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", nil)
        }
        let issued = try service.services.deviceAuthorization.createDeviceCode { parameters[$0] }
        let waiting = try #require(
            try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: eve))
        try await service.services.deviceAuthorization.decide(true, on: waiting, caller: eve)
        service.clock.advance(by: 5)
        await expectRefusal {
            _ = try await service.services.deviceAuthorization.exchangeDeviceCode(
                issued.deviceCode, client: "photolala", nil)
        }
        _ = try await service.caller(fixture.phone)
    }

    @Test(
        "approvals of a session that a younger identity made recent displace no protected session of its own identity")
    func approvalsAtTheDeviceLimit() async throws {
        let fixture = try await DelayedUnlink(devicesPerAccount: 3)
        let service = fixture.service
        try await agedIntruder(in: fixture)
        var stolen = try await service.reauthenticate(.google, "eve", in: try await fixture.refreshed(fixture.phone))
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        for number in 10..<14 {
            service.clock.advance(by: 30)
            stolen = try await service.reauthenticate(.google, "eve", in: stolen)
            let parameters = [
                "client_id": "photolala", "device_id": TestService.device(number).id.description,
                "device_platform": "Linux",
            ]
            let issued = try service.services.deviceAuthorization.createDeviceCode { parameters[$0] }
            let caller = try await service.caller(stolen)
            let waiting = try #require(
                try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: caller))
            try await service.services.deviceAuthorization.decide(true, on: waiting, caller: caller)
            service.clock.advance(by: 5)
            _ = try await service.services.deviceAuthorization.exchangeDeviceCode(
                issued.deviceCode, client: "photolala", nil)
            _ = try await service.caller(bob)
        }
        let devices = try await service.services.devices.list(of: try await service.caller(bob)).devices
        #expect(devices.count == 3 && devices.contains { $0.id == TestService.device(13).id })
    }

    @Test("a browser's session is replaced by a new identity only in that browser")
    func browser() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let flow = BrowserSignInFlow(service)
        let response = try await flow.respond(at: .apple, for: .signup, as: "bob")
        guard case .signedIn(let cookie, _) = try await flow.complete(response, at: .apple) else {
            Issue.record("not signed in")
            return
        }
        let caller = try await service.services.authenticator.authenticate(browserCookie: cookie)
        _ = try await flow.authorize(to: .google, for: .link, as: "bob", caller: caller)
        await expectRefusal { _ = try await flow.authorize(to: .google, for: .signin, as: "bob") }
        _ = try await service.services.authenticator.authenticate(browserCookie: cookie)
        let again = try await flow.respond(at: .google, for: .signin, as: "bob")
        guard case .signedIn = try await flow.complete(again, at: .google, cookie: cookie) else {
            Issue.record("not signed in")
            return
        }
        await #expect(throws: ServiceError.sessionEnded) {
            _ = try await service.services.authenticator.authenticate(browserCookie: cookie)
        }
    }

    @Test("a younger identity cannot end a session for ten minutes after its sign-in")
    func recentSignIn() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        try await agedIntruder(in: fixture)
        let eve = try await service.signIn(.google, "eve", device: 66).session
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        service.clock.advance(by: 599)
        try await expectProtected(bob, from: eve, in: fixture)
        let removed = try await fixture.unlink(try await fixture.newest(bob).linkID, in: bob)
        #expect(removed.count == 3)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(eve) }
    }

    @Test("a younger identity can end a session of an older one that has not authenticated for ten minutes")
    func olderSession() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        try await agedIntruder(in: fixture)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        service.clock.advance(by: 601)
        let google = try await service.signIn(.google, "bob", device: 4).session
        try await service.services.devices.removeDevice(bob.deviceID, caller: try await service.caller(google))
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(bob) }
        try await service.services.sessions.signOutEverywhere(try await service.caller(google))
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(google) }
    }

    @Test("reauthentication protects a session, except with a younger identity")
    func reauthentication() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        try await agedIntruder(in: fixture)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        service.clock.advance(by: 1_200)
        let eve = try await service.signIn(.google, "eve", device: 66).session
        let renewed = try await service.reauthenticate(.apple, "bob", in: bob)
        try await expectProtected(renewed, from: eve, in: fixture)
        service.clock.advance(by: 601)
        _ = try await service.reauthenticate(.google, "eve", in: renewed)
        let late = try await service.caller(try await service.signIn(.google, "eve", device: 67).session)
        try await service.services.devices.removeDevice(bob.deviceID, caller: late)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(renewed) }
    }

    @Test("a session that a younger identity made recent cannot end recent sessions of its own identity")
    func lentAuthentication() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        try await agedIntruder(in: fixture)
        let old = try await fixture.refreshed(fixture.phone)
        let stolen = try await service.reauthenticate(.google, "eve", in: old)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        let younger = try await service.signIn(.google, "eve", device: 66).session
        let caller = try await service.caller(stolen)
        await expectRefusal { try await service.services.devices.removeDevice(bob.deviceID, caller: caller) }
        await expectRefusal { try await service.services.sessions.signOutEverywhere(caller) }
        // Those of another identity that is older than the younger one.
        let google = try await service.signIn(.google, "bob", device: 4).session
        await expectRefusal { try await service.services.devices.removeDevice(google.deviceID, caller: caller) }
        for session in [bob, google] { _ = try await service.caller(session) }
        // It can remove devices of younger identities, and with its own identity all others.
        try await service.services.devices.removeDevice(younger.deviceID, caller: caller)
        let own = try await service.caller(try await service.reauthenticate(.apple, "bob", in: stolen))
        try await service.services.devices.removeDevice(bob.deviceID, caller: own)
        try await service.services.sessions.signOutEverywhere(own)
    }

    @Test("sessions of an identity whose unlinking is final are not protected")
    func finalUnlink() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        _ = try await service.link(.google, "eve", in: fixture.phone)
        service.clock.advance(by: DelayedUnlink.day - 300)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        _ = try await service.link(.facebook, "carol", in: bob)
        service.clock.advance(by: 60)
        _ = try await fixture.unlink(try await fixture.links(bob)[3].linkID, in: bob)
        // Carol's link is not new any more, and Eve's still signs in.
        service.clock.advance(by: DelayedUnlink.day - 59)
        let eve = try await service.signIn(.google, "eve", device: 66).session
        let carol = try await service.caller(try await service.signIn(.facebook, "carol", device: 5).session)
        try await service.services.devices.removeDevice(eve.deviceID, caller: carol)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(eve) }
    }

    @Test("sessions of an identity whose unlinking can be undone are protected")
    func undoableUnlink() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let google = try await service.signIn(.google, "bob", device: 4).session
        let apple = try #require(try await fixture.link(.apple, google)).linkID
        #expect(try await fixture.unlink(apple, in: google).first?.state == .removing)
        let caller = try await service.caller(google)
        await expectRefusal { try await service.services.devices.removeDevice(fixture.phone.deviceID, caller: caller) }
    }

    @Test("a session of a pending identity undoes no other unlinking, so a younger identity links no successor")
    func undoOfYounger() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let eve = try await fixture.intrude(in: fixture.phone)
        _ = try await service.link(.facebook, "eve", in: eve)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        let links = try await fixture.links(bob).map(\.linkID)
        let successor = try await service.signIn(.facebook, "eve", device: 67).session
        for link in links.suffix(2) { _ = try await fixture.unlink(link, in: bob) }
        let caller = try await service.caller(eve)
        await expectRefusal(.unlinkPending) {
            _ = try await service.services.linking.undoUnlink(links[4], caller: caller)
        }
        await expectRefusal(.unlinkPending) { _ = try await service.link(.facebook, "eve", in: eve) }
        await expectRefusal(.unlinkPending) { _ = try await service.link(.google, "mallory", in: successor) }
        service.clock.advance(by: DelayedUnlink.day)
        #expect(try await service.owner(.google, "eve") == nil)
        #expect(try await service.owner(.facebook, "eve") == nil)
        #expect(try await service.owner(.apple, "bob") == fixture.user)
    }

    @Test("sign-out everywhere lists the devices only in a session of an identity with an older one")
    func cost() async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        for (provider, lists) in [(ProviderName.apple, 0), (.google, 1)] {
            let caller = try await service.caller(try await service.signIn(provider, "bob").session)
            _ = service.store.drainRequests()
            try await service.services.sessions.signOutEverywhere(caller)
            #expect(service.store.drainRequests().count { $0.kind == .list } == lists)
        }
    }
}
