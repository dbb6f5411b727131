import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Synchronization
import Testing
import UseCases

/// What a session may do in which only a younger identity authenticated recently.
@Suite struct LentAuthenticationTests {
    /// Returns a session of Bob's that is recent only because Eve's aged identity authenticated in it, and Eve's link.
    private static func make() async throws -> (fixture: DelayedUnlink, stolen: Session, eve: LinkID) {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        _ = try await service.link(.google, "eve", in: fixture.phone)
        service.clock.advance(by: DelayedUnlink.day + 1)
        let stolen = try await service.reauthenticate(.google, "eve", in: try await fixture.refreshed(fixture.phone))
        return (fixture, stolen, try await fixture.newest(stolen).linkID)
    }

    @Test("a session has no recent authentication once the identity that authenticated in it is unlinked")
    func removedLender() async throws {
        let (fixture, stolen, eve) = try await Self.make()
        let service = fixture.service
        let before = try await service.caller(stolen)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        let apple = try #require(try await fixture.link(.apple, bob)).linkID
        #expect(try await fixture.unlink(eve, in: bob).allSatisfy { $0.linkID != eve })
        // A caller that was read before the unlink is refused when the account is written.
        for caller in [before, try await service.caller(stolen)] {
            await #expect(throws: ServiceError.reauthenticationRequired) {
                try await service.services.linking.unlink(UnlinkRequest(linkID: apple), caller: caller)
            }
        }
        let caller = try await service.caller(stolen)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.services.sessions.signOutEverywhere(caller)
        }
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.services.devices.removeDevice(bob.deviceID, caller: caller)
        }
        #expect(try await fixture.isPending(.apple, bob) == false)
        // With its own identity the session acts again.
        let own = try await service.reauthenticate(.apple, "bob", in: stolen)
        try await service.services.devices.removeDevice(bob.deviceID, caller: try await service.caller(own))
    }

    @Test("a session that such a session approves belongs to the younger identity, and ends with its link")
    func approval() async throws {
        let (fixture, stolen, eve) = try await Self.make()
        let service = fixture.service
        let opened = try await approve(on: 7, in: stolen, fixture)
        let unlinked = try await decide(on: 8, in: stolen, fixture)
        #expect(try await service.caller(opened).session.link == eve)
        let bob = try await service.signIn(.apple, "bob", device: 3).session
        _ = try await fixture.unlink(eve, in: bob)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(opened) }
        service.clock.advance(by: 5)
        await #expect(throws: ServiceError.invalidCode("approving identity is not linked")) {
            try await service.services.deviceAuthorization.exchangeDeviceCode(unlinked, client: "photolala", nil)
        }
    }

    /// Returns the device code of a device that a session approved.
    private func decide(on device: Int, in session: Session, _ fixture: DelayedUnlink) async throws -> String {
        let service = fixture.service
        let parameters = [
            "client_id": "photolala", "device_id": TestService.device(device).id.description,
            "device_platform": "Linux",
        ]
        let codes = service.services.deviceAuthorization
        let issued = try codes.createDeviceCode { parameters[$0] }
        let caller = try await service.caller(session)
        let pending = try #require(try await codes.pendingDevice(issued.userCode, caller: caller))
        try await codes.decide(true, on: pending, caller: caller)
        return issued.deviceCode
    }

    private func approve(on device: Int, in session: Session, _ fixture: DelayedUnlink) async throws -> Session {
        let code = try await decide(on: device, in: session, fixture)
        fixture.service.clock.advance(by: 5)
        return try await fixture.service.services.deviceAuthorization.exchangeDeviceCode(
            code, client: "photolala", nil
        ).session
    }

    @Test("a proof that is older than the younger identity's does not give the session its own identity's rank")
    func olderProof() async throws {
        let (fixture, lent, eve) = try await Self.make()
        let service = fixture.service
        let caller = try await service.caller(lent)
        let proof = try service.idTokenRequest(
            .apple, "bob", .reauthenticate, device: lent.deviceID, caller: caller)
        let provedAt = service.clock.now
        service.clock.advance(by: 300)
        let stolen = try await service.reauthenticate(.google, "eve", in: lent)
        _ = try await service.services.reauthentication.reauthenticate(
            ReauthenticationRequest(provider: .apple, idToken: proof.idToken, challenge: proof.challenge),
            caller: try await service.caller(stolen))
        let session = try await service.caller(stolen).session
        #expect(session.authenticatedLink == eve && session.identityProvedAt == provedAt)
        #expect(session.authTime == provedAt.addingTimeInterval(300))
        let own = try await service.reauthenticate(.apple, "bob", in: stolen)
        #expect(try await service.caller(own).session.authenticatedLink == nil)
    }

    @Test("a link that is being made when the session's device is removed does not stay, at any step")
    func removedDevice() async throws {
        for call in 0... {
            let clock = TestClock()
            let store = InterruptedObjectStore(MemoryObjectStore { clock.now })
            let service = try await TestService.make(store: store, clock: clock)
            let bob = try await service.signUp(.apple, "bob").session
            let stolen = try await service.signIn(.apple, "bob", device: 2).session
            let caller = try await service.caller(bob)
            let wasLinked = Mutex(false)
            store.interrupt(before: call) {
                let account = try? await service.caller(bob).account.value
                wasLinked.withLock { $0 = account?.activeLinks.contains { $0.provider == .google } ?? false }
                try? await service.services.devices.removeDevice(stolen.deviceID, caller: caller)
            }
            let linked = try? await service.link(.google, "eve", in: stolen)
            if store.isWaiting {
                // The link needs fewer requests.
                #expect(linked != nil && call > 5)
                break
            }
            await #expect(throws: ServiceError.sessionEnded) { try await service.caller(stolen) }
            guard !wasLinked.withLock({ $0 }) else { continue }
            #expect(linked == nil, "before request \(call)")
            let links = try await service.services.account.linkedAccounts(try await service.caller(bob))
            #expect(links.linkedProviders.map(\.provider) == [.apple], "before request \(call)")
            await #expect("before request \(call)") {
                try await service.signIn(.google, "eve", device: 9)
            } throws: {
                $0.isNoAccountFound
            }
        }
    }

    @Test(
        "a link that an interrupted call left pending does not outlive the device's removal either", arguments: 0..<16)
    func removedDeviceAfterInterruption(first: Int) async throws {
        for second in 0..<16 {
            let clock = TestClock()
            let memory = MemoryObjectStore { clock.now }
            let (faulty, store) = (FaultyObjectStore(memory), InterruptedObjectStore(memory))
            var options = TestService.Options()
            options.seed = 2
            let stopping = try await TestService.make(options, store: faulty, clock: clock)
            let service = try await TestService.make(store: store, clock: clock)
            let bob = try await service.signUp(.apple, "bob").session
            let stolen = try await service.signIn(.apple, "bob", device: 2).session
            faulty.arm(.stopAfter, at: first)
            _ = try? await stopping.link(.google, "eve", in: stolen)
            let caller = try await service.caller(bob)
            let wasLinked = Mutex(true)
            store.interrupt(before: second) {
                let account = try? await service.caller(bob).account.value
                wasLinked.withLock { $0 = account?.activeLinks.contains { $0.provider == .google } ?? true }
                try? await service.services.devices.removeDevice(stolen.deviceID, caller: caller)
            }
            _ = try? await service.link(.google, "eve", in: stolen)
            guard !wasLinked.withLock({ $0 }) else { continue }
            let links = try await service.caller(bob).account.value.activeLinks.map(\.provider)
            #expect(links == [.apple], "stopped after \(first), removed before \(second)")
        }
    }
}
