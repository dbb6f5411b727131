import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Refresh tokens: each is used once; its successor is returned again only while the answer may have been lost.
@Suite struct RefreshTests {
    private func refresh(_ service: TestService, _ session: Session) async throws -> Session {
        try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken)).session
    }

    @Test("within 30 seconds and while its successor is unused, a used token returns the same successor")
    func lostAnswer() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob").session
        let second = try await refresh(service, first)
        #expect(second.refreshToken != first.refreshToken)
        service.clock.advance(by: 30)
        #expect(try await refresh(service, first).refreshToken == second.refreshToken)
        #expect(try await refresh(service, second).refreshToken != second.refreshToken)
    }

    @Test("reuse of a refresh token after 31 seconds ends the session, including its successor")
    func tooLate() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob").session
        let second = try await refresh(service, first)
        service.clock.advance(by: 31)
        await #expect(throws: ServiceError.refreshTokenReused) { try await refresh(service, first) }
        await #expect(throws: ServiceError.sessionEnded) { try await refresh(service, second) }
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(second) }
    }

    @Test("reuse of a refresh token whose successor was used ends the session immediately")
    func successorUsed() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob").session
        let second = try await refresh(service, first)
        let third = try await refresh(service, second)
        await #expect(throws: ServiceError.refreshTokenReused) { try await refresh(service, first) }
        for session in [second, third] {
            await #expect(throws: ServiceError.sessionEnded) { try await refresh(service, session) }
        }
    }

    @Test("reuse on one device leaves the other devices signed in")
    func otherDevices() async throws {
        let service = try await TestService.make()
        let phone = try await service.signUp(.apple, "bob", device: 1).session
        let tablet = try await service.signIn(.apple, "bob", device: 2).session
        _ = try await refresh(service, phone)
        service.clock.advance(by: 60)
        await #expect(throws: ServiceError.refreshTokenReused) { try await refresh(service, phone) }
        #expect(try await service.caller(try await refresh(service, tablet)).session.counter == 1)
    }

    @Test("a session ends thirty days after sign-in, however often it was refreshed")
    func absoluteEnd() async throws {
        let service = try await TestService.make()
        var session = try await service.signUp(.apple, "bob").session
        let end = session.refreshTokenExpiresAt
        for _ in 0..<29 {
            service.clock.advance(by: 86_400)
            session = try await refresh(service, session)
            #expect(session.refreshTokenExpiresAt == end)
        }
        service.clock.advance(by: 86_400)
        await #expect(throws: ServiceError.sessionEnded) { try await refresh(service, session) }
    }

    @Test("a new sign-in on the device invalidates the refresh token of the previous session")
    func newSignIn() async throws {
        let service = try await TestService.make()
        let old = try await service.signUp(.apple, "bob").session
        let new = try await service.signIn(.apple, "bob").session
        await #expect(throws: ServiceError.sessionEnded) { try await refresh(service, old) }
        #expect(try await service.caller(try await refresh(service, new)).session.counter == 1)
    }

    @Test("a refresh token modified at any position is rejected")
    func changed() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob").session
        let parts = session.refreshToken.split(separator: ".").map(String.init)
        let bytes = try #require(Base64URL.decode(parts[2]))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            let token = [parts[0], parts[1], Base64URL.encode(other), parts[3]].joined(separator: ".")
            await #expect(throws: ServiceError.sessionEnded) {
                try await service.services.sessions.refresh(RefreshRequest(refreshToken: token))
            }
        }
        #expect(try await service.caller(try await refresh(service, session)).session.counter == 1)
    }

    @Test("an expired access token or one of another environment is rejected")
    func accessTokens() async throws {
        let clock = TestClock()
        let service = try await TestService.make(clock: clock)
        var options = TestService.Options()
        options.environment = .stage
        // With a store manifest, no other environment would start on this store.
        try await service.store.delete(ObjectKey(known: StorageLayout.storeManifest), if: .always)
        let other = try await TestService.make(options, store: service.store, clock: clock)
        let session = try await service.signUp(.apple, "bob").session
        await #expect(throws: ServiceError.unauthorized("wrong issuer, audience or environment")) {
            try await other.caller(session)
        }
        clock.advance(by: 3600)
        await #expect(throws: ServiceError.unauthorized("expired")) { try await service.caller(session) }
    }
}
