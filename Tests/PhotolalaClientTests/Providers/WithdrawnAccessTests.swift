import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

/// A person withdraws an app's access in the settings of the Apple Account.
@Suite struct WithdrawnAccessTests {
    private func signedIn(
        _ access: ProviderAccess, at provider: ProviderName = .apple,
        _ test: (PhotolalaSession, FakeProvider, ClientFixture) async throws -> Void
    ) async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))],
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/signout": [FakeServer.nothing],
            "POST /auth/refresh": [ClientFixture.refreshed("2")],
        ]) { fixture in
            let session = try fixture.session()
            try await session.signIn(with: FakeProvider())
            try await test(session, FakeProvider(provider, access: access), fixture)
        }
    }

    @Test func `a withdrawn access signs the device out, also after a renewal`() async throws {
        try await signedIn(.withdrawn) { session, apple, fixture in
            try await session.refresh()
            let isOut = try await session.signOutIfWithdrawn(at: apple)
            let user = try await session.signedInUserID()
            #expect(isOut && user == nil && apple.subjects == ["001.apple"])
            #expect(fixture.server.requests("/auth/signout").count == 1)
            let again = try await session.signOutIfWithdrawn(at: apple)
            #expect(!again)
        }
    }

    @Test(arguments: [ProviderAccess.allowed, .unknown])
    func `any other answer changes nothing`(access: ProviderAccess) async throws {
        try await signedIn(access) { session, apple, _ in
            let isOut = try await session.signOutIfWithdrawn(at: apple)
            let user = try await session.signedInUserID()
            #expect(!isOut && user == ClientFixture.user)
        }
    }

    @Test func `another provider is not asked about the session`() async throws {
        try await signedIn(.withdrawn, at: .google) { session, google, _ in
            let isOut = try await session.signOutIfWithdrawn(at: google)
            #expect(!isOut && google.subjects.isEmpty)
        }
    }

    @Test func `a session without the provider's ID of the user stays`() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            #expect(try await session.signOutIfWithdrawn(at: FakeProvider(.google, access: .withdrawn)) == false)
        }
    }

    @Test func `a session that replaced the withdrawn one in the meantime stays`() async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))],
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(ClientFixture.tokens("2")),
            ], "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try fixture.session()
            try await session.signIn(with: FakeProvider())
            let apple = SlowProvider { _ = try? await fixture.session().signIn(ClientFixture.credential) }
            let isOut = try await session.signOutIfWithdrawn(at: apple)
            let user = try await session.signedInUserID()
            #expect(!isOut && user == ClientFixture.user && fixture.server.requests("/auth/signout").isEmpty)
        }
    }

    /// Before it answers, the person signs in with another provider.
    private struct SlowProvider: ProviderSignIn {
        let provider = ProviderName.apple
        let change: @Sendable () async -> Void

        func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential { ClientFixture.credential }

        func access(of subject: String) async -> ProviderAccess {
            await change()
            return .withdrawn
        }
    }

    @Test func `an account that was created with a pending identity is signed out, too`() async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))],
            "POST /auth/signin": [FakeServer.problem(.noAccountFound, 404, pending: "sealed")],
            "POST /auth/signup": [ClientFixture.signedInAnswer()], "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try fixture.session()
            await expect(.noAccountFound) { try await session.signIn(with: FakeProvider()) }
            let pending = try #require(try await session.pendingIdentity())
            try await session.signUp(.pending(pending))
            let isOut = try await session.signOutIfWithdrawn(at: FakeProvider(.apple, access: .withdrawn))
            #expect(isOut)
        }
    }
}
