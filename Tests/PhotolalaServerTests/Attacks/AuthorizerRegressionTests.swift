import DevelopmentIdentityProvider
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The six regressions of authorizerdev/authorizer #503, in which an account created with an unverified address was
/// given to the address's owner together with the password of its creator. Here an address gives no access, so each
/// case uses identities.
@Suite struct AuthorizerRegressionTests {
    private static let address = "bob@gmail.com"

    private func withMalloryAndBob(
        _ test: @Sendable (TestService, HTTPExchange, _ mallory: SignedIn, _ bob: SignedIn) async throws -> Void
    ) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let unverified = try service.apple.issueToken(
                .init(subject: "mallory", email: Self.address, emailVerified: false))
            let mallory = try await http.signUp(.apple, unverified.idToken, device: 1)
            let bob = try await http.signUp(
                .google, try service.token(.google, "bob", email: Self.address), device: 2)
            try await test(service, http, mallory, bob)
        }
    }

    @Test("an account with an unverified address neither gives access to nor affects the address's owner")
    func unverifiedAccount() async throws {
        try await withMalloryAndBob { service, http, mallory, bob in
            #expect(bob.user.serviceUserID != mallory.user.serviceUserID)
            #expect(bob.user.linkedProviders.map(\.provider) == [.google])
            let again = try await http.signIn(.google, try service.token(.google, "bob"), device: 3)
            #expect(again.user.serviceUserID == bob.user.serviceUserID)
        }
    }

    @Test("a verified address gives only a hint; its owner links the identity explicitly")
    func verifiedAccount() async throws {
        try await withMalloryAndBob { service, http, _, bob in
            let other = try service.token(.google, "bob-at-work", email: Self.address)
            let unknown = try await http.problemOfSignIn(.google, other, device: 2)
            #expect(unknown.hints?.map(\.provider) == [.google])
            let linked = try await http.requestLink(.google, other, bob.session)
            #expect(linked.status == .ok)
            let entered = try await http.signIn(.google, try service.token(.google, "bob-at-work"), device: 3)
            #expect(entered.user.serviceUserID == bob.user.serviceUserID)
        }
    }

    @Test("the creator of an earlier account with the address can open only that account")
    func attackerCannotEnter() async throws {
        try await withMalloryAndBob { service, http, mallory, bob in
            let again = try await http.signIn(.apple, try service.token(.apple, "mallory"), device: 3)
            #expect(again.user.serviceUserID == mallory.user.serviceUserID)
            for session in [mallory.session, again.session] {
                #expect(try await http.opens(session, bob.user.serviceUserID) == false)
            }
            let signUp = try await http.requestSignUp(.google, try service.token(.google, "bob"), device: 1)
            #expect(try http.problem(signUp).code == .accountAlreadyExists)
        }
    }

    @Test("an identity that its provider revoked stays reserved and reopens only its own account")
    func revokedAccount() async throws {
        try await withMalloryAndBob { service, http, mallory, _ in
            let event = try await http.send(
                .post, "/dev/providers/apple/event", json: #"{"type":"consent-revoked","subject":"mallory"}"#)
            let taken = try await http.client.execute(
                uri: "/webhooks/apple", method: .post, headers: [:], body: event.body)
            #expect(taken.status == .ok)
            #expect(try await http.isSessionEnded(mallory.session))
            let token = try service.token(.apple, "mallory")
            #expect(
                try http.problem(try await http.requestSignUp(.apple, token, device: 4)).code == .accountAlreadyExists)
            service.clock.advance(by: 5)
            let back = try await http.signIn(.apple, try service.token(.apple, "mallory"), device: 1)
            #expect(back.user.serviceUserID == mallory.user.serviceUserID)
            #expect(try await http.isSessionEnded(mallory.session))
        }
    }

    @Test("identities of several providers with one address share an account only after each is linked")
    func severalProviders() async throws {
        try await withMalloryAndBob { service, http, _, bob in
            let facebook = try service.token(.facebook, "bob", email: Self.address)
            #expect(try await http.problemOfSignIn(.facebook, facebook, device: 2).code == .noAccountFound)
            #expect(try await http.requestLink(.facebook, facebook, bob.session).status == .ok)
            let apple = try service.token(.apple, "bob", email: Self.address)
            #expect(try await http.requestLink(.apple, apple, bob.session).status == .ok)
            #expect(try await http.providers(bob.session) == [.google, .facebook, .apple])
            let taken = try service.token(.apple, "mallory", email: Self.address)
            let response = try await http.requestLink(.apple, taken, bob.session)
            #expect(try http.problem(response).code == .providerAlreadyLinked)
        }
    }

    @Test("an unlinked identity can create a new account, which has no access to the previous one")
    func cleanRemoval() async throws {
        try await withMalloryAndBob { service, http, _, bob in
            #expect(
                try await http.requestLink(.facebook, try service.token(.facebook, "bob"), bob.session).status == .ok)
            let entered = try await http.signIn(.facebook, try service.token(.facebook, "bob"), device: 3)
            let link = try #require(entered.user.linkedProviders.first { $0.provider == .facebook }?.linkID)
            let unlinked = try await http.post(
                "/auth/unlink-account", UnlinkRequest(linkID: link), token: bob.session.accessToken)
            #expect(unlinked.status == .ok)
            #expect(try await http.isSessionEnded(entered.session))
            let next = try await http.signUp(.facebook, try service.token(.facebook, "bob"), device: 4)
            #expect(next.user.serviceUserID != bob.user.serviceUserID)
            #expect(try await http.providers(next.session) == [.facebook])
            #expect(try await http.opens(next.session, bob.user.serviceUserID) == false)
        }
    }
}
