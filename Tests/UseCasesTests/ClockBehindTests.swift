import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// An instance whose clock is earlier than the first use of every signing key.
@Suite struct ClockBehindTests {
    @Test("a clock that is behind ends no session, allows sign-up and makes the instance not ready")
    func behind() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        try await service.services.readiness.check()
        service.clock.advance(by: -3600)
        try await service.services.housekeeping.maintainSigningKeys()
        await #expect(throws: ServiceError.clockIsBehind) { try await service.services.readiness.check() }
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: bob.session.refreshToken))
            .session
        let carol = try await service.signUp(.google, "carol", device: 2)
        let tablet = try await service.signIn(.apple, "bob", device: 3)
        service.clock.advance(by: 3600)
        try await service.services.housekeeping.maintainSigningKeys()
        try await service.services.readiness.check()
        for session in [next, carol.session, tablet.session] {
            let renewed = try await service.services.sessions.refresh(
                RefreshRequest(refreshToken: session.refreshToken)
            ).session
            #expect(try await service.caller(renewed).device.value.id == session.deviceID)
        }
    }

    @Test("a clock that is less than a minute behind is not an error")
    func slightlyBehind() async throws {
        let service = try await TestService.make()
        service.clock.advance(by: -59)
        try await service.services.readiness.check()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        #expect(try await service.caller(bob.session).user == bob.user.serviceUserID)
    }
}
