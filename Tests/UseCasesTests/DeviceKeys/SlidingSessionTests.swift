import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Sessions with hardware keys, on a server that lets them last with their use.
@Suite struct SlidingSessionTests {
    private static let day: TimeInterval = 86_400
    private let key = P256.Signing.PrivateKey()

    private func service(days: Double? = 90) async throws -> TestService {
        var options = TestService.Options()
        options.slidingLifetime = days.map { $0 * Self.day }
        return try await TestService.make(options)
    }

    private func signIn(
        _ service: TestService, hardwareKey: Bool?, isBound: Bool = true
    ) async throws -> Session {
        _ = try await service.signUp(.apple, "bob", device: 2)
        let device = TestService.device(1)
        let request = SignInRequest(
            provider: .apple, idToken: try service.token(.apple, "bob"),
            device: DeviceDescription(
                id: device.id, name: device.name, platform: device.platform, hardwareKey: hardwareKey))
        let proof = isBound ? try service.dpopProof(of: key, "POST", Route.signIn.path) : nil
        return try await service.services.signIn.signIn(request, proof).session
    }

    private func refresh(_ session: Session, isBound: Bool, at service: TestService) async throws -> Session {
        if isBound { return try await service.refresh(session, key) }
        return try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken)).session
    }

    @Test func `a session that is used lasts beyond thirty days, and ends after its last use`() async throws {
        let service = try await service()
        var session = try await signIn(service, hardwareKey: true)
        #expect(session.refreshTokenExpiresAt == service.clock.now + 90 * Self.day)
        for _ in 0..<20 {
            service.clock.advance(by: 20 * Self.day)
            session = try await service.refresh(session, key)
            #expect(session.refreshTokenExpiresAt == service.clock.now + 90 * Self.day)
        }
        service.clock.advance(by: 90 * Self.day)
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(session, key) }
    }

    @Test func `a use is recorded once a day, with one write`() async throws {
        let service = try await service()
        let session = try await signIn(service, hardwareKey: true)
        service.clock.advance(by: Self.day)
        _ = service.store.drainRequests()
        let extended = try await service.refresh(session, key)
        service.clock.advance(by: Self.day - 1)
        let next = try await service.refresh(extended, key)
        #expect(service.store.drainRequests().filter { $0.kind == .write }.count == 1)
        #expect(next.refreshTokenExpiresAt == extended.refreshTokenExpiresAt)
    }

    @Test(
        arguments: [(90, nil, true), (90, false, true), (90, true, false), (nil, true, true)]
            as [(Double?, Bool?, Bool)])
    func `every other session keeps its end`(days: Double?, hardwareKey: Bool?, isBound: Bool) async throws {
        let service = try await service(days: days)
        var session = try await signIn(service, hardwareKey: hardwareKey, isBound: isBound)
        let end = service.clock.now + 30 * Self.day
        service.clock.advance(by: 29 * Self.day)
        session = try await refresh(session, isBound: isBound, at: service)
        #expect(session.refreshTokenExpiresAt == end)
        service.clock.advance(by: Self.day)
        let last = session
        await #expect(throws: ServiceError.sessionEnded) {
            try await refresh(last, isBound: isBound, at: service)
        }
    }

    @Test func `without the setting a session is not extended any more`() async throws {
        let service = try await service()
        let session = try await signIn(service, hardwareKey: true)
        let later = try await TestService.make(store: service.store, clock: service.clock)
        service.clock.advance(by: 80 * Self.day)
        #expect(try await later.refresh(session, key).refreshTokenExpiresAt == session.refreshTokenExpiresAt)
        service.clock.advance(by: 10 * Self.day)
        await #expect(throws: ServiceError.sessionEnded) { try await later.refresh(session, key) }
    }

    @Test func `a removed device is signed out at once`() async throws {
        let service = try await service()
        let session = try await signIn(service, hardwareKey: true)
        let other = try await service.signIn(.apple, "bob", device: 3)
        try await service.services.devices.removeDevice(
            session.deviceID, caller: try await service.caller(other.session))
        service.clock.advance(by: 2 * Self.day)
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(session, key) }
    }
}
