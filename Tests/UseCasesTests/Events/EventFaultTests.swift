import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Every act that emits an event, and event delivery itself, with every fault at every request.
@Suite struct EventFaultTests {
    /// One act on Bob, who has two providers, a tablet and no undelivered events.
    enum Operation: String, CaseIterable, Sendable {
        case signUp, link, unlink, addDevice, removeDevice, reuse, revoke, returns, settle, deliver, deliverRefused

        func run(_ service: TestService, _ bob: Session, _ used: Session) async throws {
            switch self {
            case .signUp: _ = try await service.signUp(.apple, "new", device: 7)
            case .link: _ = try await service.link(.google, "more", in: bob)
            case .unlink: try await service.unlink(.google, in: bob)
            case .addDevice: _ = try await service.signIn(.apple, "bob", device: 3)
            case .removeDevice:
                try await service.services.devices.removeDevice(
                    TestService.device(2).id, caller: try await service.caller(bob))
            case .reuse:
                _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: used.refreshToken))
            case .revoke:
                let event = ProviderEvent(.accountDeleted, subject: "bob", at: service.clock.now)
                try await service.services.providerEvents.apply(event, of: .google)
            case .returns:
                try await Operation.revoke.run(service, bob, used)
                service.clock.advance(by: 5)
                _ = try await service.signIn(.google, "bob")
            case .settle: try await service.services.deviceCleanup.cleanUpDevices()
            case .deliver, .deliverRefused: try await service.services.eventDelivery.deliverEvents()
            }
        }

        var isSending: Bool { self == .deliver || self == .deliverRefused || self == .settle }
    }

    @Test(
        "a fault at any request loses no event and does not change the order",
        arguments: Operation.allCases, FaultyObjectStore.Fault.allCases)
    func everyRequest(act: Operation, fault: FaultyObjectStore.Fault) async throws {
        let calls = try await RequestSweep(case: fault.caseNumber).perform { try await run(act, fault, at: $0) }
        #expect(calls > 0)
    }

    private func run(_ act: Operation, _ fault: FaultyObjectStore.Fault, at call: Int) async throws -> Bool {
        let fixture = try await EventFixture.make()
        let service = fixture.service
        let bob = try await service.bobWithTwo()
        let tablet = try await service.signIn(.google, "bob", device: 2)
        let next = try await SimulatedOperation.refresh(tablet.session, service)
        _ = try await SimulatedOperation.refresh(next, service)
        if !act.isSending { try await fixture.deliver() }
        fixture.clock.advance(by: 61)
        if act == .deliverRefused {
            fixture.receiver.setResponse { $0.sequence == 2 ? EventRejection("status 500") : nil }
        }
        let faulty = FaultyObjectStore(fixture.store)
        let acting = try await fixture.makeInstance(2, on: faulty)
        faulty.arm(fault, at: call)
        try? await act.run(acting, bob.session, tablet.session)
        await faulty.applyLateChange()
        fixture.receiver.setResponse(nil)
        let after = try await fixture.makeInstance(3)
        if act == .signUp {
            // A client without an answer retries, which emits the event of the account that exists then.
            _ = try await after.continueSignIn(.apple, "new", device: 7)
        }
        try await EventRules(service: after, receiver: fixture.receiver).check()
        let types = fixture.types(bob.user.serviceUserID)
        #expect(types.starts(with: ["account.created", "provider.linked", "device.added"]), "\(types)")
        return faulty.faultedRequest != .nothing
    }
}
