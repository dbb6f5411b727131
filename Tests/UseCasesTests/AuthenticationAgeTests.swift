import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Recent authentication is as old as the provider's token, however late it arrives, and a session ends on time.
@Suite struct AuthenticationAgeTests {
    @Test("a session from an eight-minute-old token has two minutes of recent authentication left")
    func oldToken() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let token = try service.token(.apple, "bob")
        service.clock.advance(by: 480)
        let session = try await service.services.signIn.signIn(
            SignInRequest(provider: .apple, idToken: token, device: TestService.device(1))
        ).session
        service.clock.advance(by: 119)
        _ = try await service.link(.google, "soon enough", in: session)
        service.clock.advance(by: 2)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.link(.google, "too late", in: session)
        }
    }

    @Test("a pending identity gives no more recent authentication than its token")
    func pendingIdentity() async throws {
        let service = try await TestService.make()
        let pending = try await pendingIdentity(service)
        service.clock.advance(by: 590)
        let session = try await service.services.signUp.signUp(
            SignUpRequest(pendingIdentity: pending, device: TestService.device(1))
        ).session
        service.clock.advance(by: 11)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.link(.google, "g", in: session)
        }
    }

    @Test("reauthentication with an older token never shortens recent authentication")
    func olderProof() async throws {
        let service = try await TestService.make()
        let early = try service.token(.apple, "bob")
        service.clock.advance(by: 540)
        let session = try await service.signUp(.apple, "bob").session
        let again = try await service.services.reauthentication.reauthenticate(
            ReauthenticationRequest(provider: .apple, idToken: early), caller: try await service.caller(session)
        ).session
        service.clock.advance(by: 500)
        #expect(try await service.link(.google, "g", in: session.renewed(by: again)).linkedProviders.count == 2)
    }

    @Test("reauthentication returns no refresh token, unless it is bound to the device's key")
    func noRefreshToken() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob").session
        service.clock.advance(by: 700)
        let response = try await service.services.reauthentication.reauthenticate(
            ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, "bob")),
            caller: try await service.caller(session)
        )
        #expect(response.session.refreshToken == nil && response.session.deviceID == session.deviceID)
        let text = String(decoding: try WireJSON.encoder().encode(response), as: UTF8.self)
        #expect(!text.contains("refreshToken\""))
        // The refresh token of the device stays valid.
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
            .session
        #expect(try await service.link(.google, "g", in: next).linkedProviders.count == 2)
    }

    @Test("reauthentication of an unbound session does not extend the access token, and a refresh does")
    func reauthenticationExtendsNothing() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob").session
        service.clock.advance(by: 700)
        let renewed = try await service.reauthenticate(.apple, "bob", in: session)
        #expect(renewed.accessTokenExpiresAt == session.accessTokenExpiresAt)
        _ = try await service.link(.google, "g", in: renewed)
        service.clock.advance(by: 2_900)
        await #expect(throws: ServiceError.unauthorized("expired")) {
            try await service.caller(renewed)
        }
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
            .session
        #expect(next.accessTokenExpiresAt == service.clock.now.addingTimeInterval(3600))
    }

    @Test("an access token never outlives its session")
    func accessTokenEnds() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        service.clock.advance(by: 30 * 86_400 - 60)
        let last = try await service.services.sessions.refresh(RefreshRequest(refreshToken: bob.refreshToken)).session
        #expect(last.accessTokenExpiresAt == bob.refreshTokenExpiresAt)
        let credentials = try await service.services.storageAccess.issueCredentials(try await service.caller(last))
        #expect(credentials.expiration == bob.refreshTokenExpiresAt)
        service.clock.advance(by: 60)
        await #expect(throws: ServiceError.unauthorized("expired")) { try await service.caller(last) }
    }

    private func pendingIdentity(_ service: TestService) async throws -> String {
        do {
            _ = try await service.signIn(.apple, "bob")
        } catch ServiceError.noAccountFound(let unknown) {
            return unknown.pendingIdentity
        }
        throw ConformanceFailure("an account was found")
    }
}
