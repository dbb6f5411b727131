import Flows
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// Refresh tokens: each used once, its successor given again only to whoever may have lost the answer.
@Suite struct RefreshTests {
    private func refresh(_ service: TestService, _ session: Session) async throws -> Session {
        try await service.services.refresh(RefreshRequest(refreshToken: session.refreshToken)).session
    }

    @Test("Within 30 seconds and while its successor is unused, a used token gets the same successor again")
    func lostAnswer() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob").session
        let second = try await refresh(service, first)
        #expect(second.refreshToken != first.refreshToken)
        service.clock.advance(by: 30)
        #expect(try await refresh(service, first).refreshToken == second.refreshToken)
        #expect(try await refresh(service, second).refreshToken != second.refreshToken)
    }

    @Test("A used token that comes after 31 seconds ends the session, for its successor too")
    func tooLate() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob").session
        let second = try await refresh(service, first)
        service.clock.advance(by: 31)
        await #expect(throws: FlowError.refreshTokenReused) { try await refresh(service, first) }
        await #expect(throws: FlowError.sessionEnded) { try await refresh(service, second) }
        await #expect(throws: FlowError.sessionEnded) { try await service.caller(second) }
    }

    @Test("A used token whose successor was used ends the session at once")
    func successorUsed() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob").session
        let second = try await refresh(service, first)
        let third = try await refresh(service, second)
        await #expect(throws: FlowError.refreshTokenReused) { try await refresh(service, first) }
        for session in [second, third] {
            await #expect(throws: FlowError.sessionEnded) { try await refresh(service, session) }
        }
    }

    @Test("Reuse on one device leaves the other devices signed in")
    func otherDevices() async throws {
        let service = try await TestService.make()
        let phone = try await service.signUp(.apple, "bob", device: 1).session
        let tablet = try await service.signIn(.apple, "bob", device: 2).session
        _ = try await refresh(service, phone)
        service.clock.advance(by: 60)
        await #expect(throws: FlowError.refreshTokenReused) { try await refresh(service, phone) }
        #expect(try await service.caller(try await refresh(service, tablet)).session.counter == 1)
    }

    @Test("Thirty days after the sign-in the session is over, however often it was refreshed")
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
        await #expect(throws: FlowError.sessionEnded) { try await refresh(service, session) }
    }

    @Test("A token of a new sign-in on the device replaces the old session's")
    func newSignIn() async throws {
        let service = try await TestService.make()
        let old = try await service.signUp(.apple, "bob").session
        let new = try await service.signIn(.apple, "bob").session
        await #expect(throws: FlowError.sessionEnded) { try await refresh(service, old) }
        #expect(try await service.caller(try await refresh(service, new)).session.counter == 1)
    }

    @Test("A token that was changed anywhere is none")
    func changed() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob").session
        let parts = session.refreshToken.split(separator: ".").map(String.init)
        let bytes = try #require(Base64URL.decode(parts[2]))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            let token = [parts[0], parts[1], Base64URL.encode(other), parts[3]].joined(separator: ".")
            await #expect(throws: FlowError.sessionEnded) {
                try await service.services.refresh(RefreshRequest(refreshToken: token))
            }
        }
        #expect(try await service.caller(try await refresh(service, session)).session.counter == 1)
    }

    @Test("An access token of another environment is refused, and one that has ended")
    func accessTokens() async throws {
        let clock = TestClock()
        let service = try await TestService.make(clock: clock)
        var options = TestService.Options()
        options.environment = .stage
        // With its stamp no other environment would start on this store.
        try await service.store.delete(ObjectKey(known: StorageLayout.storeStamp), if: .always)
        let other = try await TestService.make(options, store: service.store, clock: clock)
        let session = try await service.signUp(.apple, "bob").session
        await #expect(throws: FlowError.unauthorized("for somebody else")) { try await other.caller(session) }
        clock.advance(by: 3600)
        await #expect(throws: FlowError.unauthorized("expired")) { try await service.caller(session) }
    }
}
