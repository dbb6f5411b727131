import HTTPTypes
import IdentityProviders
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The five classes of Sudhodanan and Paverd ("Pre-hijacked accounts", USENIX Security 2022). Mallory prepares an account
/// before Bob comes, and wants Bob's afterwards.
@Suite struct PreHijackingTests {
    private static let address = "bob@gmail.com"

    /// Elsewhere: Mallory signs up with Bob's address; Bob's first sign-in with a provider is merged into that account by the
    /// address, and Mallory's way in stays.
    @Test("Classic-federated merge: two identities with one address are two accounts, whoever comes first")
    func classicFederatedMerge() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let mallory = try await http.signUp(
                .apple, try service.token(.apple, "mallory", email: Self.address), device: 1)
            let unknown = try await http.problemOfSignIn(
                .google, try service.token(.google, "bob", email: Self.address), device: 2)
            // A hint is all that a verified address gives.
            #expect(unknown.code == .noAccountFound && unknown.hints == [AccountHint(provider: .apple)])
            let bob = try await http.signUp(
                .google, try service.token(.google, "bob", email: Self.address), device: 2)
            #expect(bob.user.serviceUserID != mallory.user.serviceUserID)
            #expect(try await http.opens(mallory.session, bob.user.serviceUserID) == false)
            #expect(try await http.providers(bob.session) == [.google])
            #expect(try await http.providers(mallory.session) == [.apple])
        }
    }

    /// Elsewhere: Mallory stays signed in with an automated client while Bob recovers the account, and is never thrown out.
    @Test("Unexpired session: once Bob signs out everywhere, no session of Mallory's opens his account")
    func unexpiredSession() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            // Mallory had Bob's identity for a while, and renewed the session ever since.
            let stolen = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 1).session
            service.clock.advance(by: 86_400)
            let renewed = try await http.post("/auth/refresh", RefreshRequest(refreshToken: stolen.refreshToken))
            let mallory = try http.answer(renewed, as: SessionAnswer.self).session
            let bob = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2)
            let everywhere = try await http.send(.post, "/auth/signout-everywhere", token: bob.session.accessToken)
            #expect(everywhere.status == .noContent)
            #expect(try await http.isOver(mallory))
            #expect(try await http.isOver(stolen))
            let back = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2)
            #expect(back.user.serviceUserID == bob.user.serviceUserID)
        }
    }

    /// Elsewhere: Mallory adds an identity of her own to the account that she made with Bob's address, and keeps it when Bob
    /// takes the account over.
    @Test("Trojan identifier: an identity that Mallory linked opens Mallory's account and never Bob's")
    func trojanIdentifier() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let mallory = try await http.signUp(
                .apple, try service.token(.apple, "mallory", email: Self.address), device: 1)
            let trojan = try await http.askToLink(.facebook, try service.token(.facebook, "trojan"), mallory.session)
            #expect(trojan.status == .ok)
            let bob = try await http.signUp(
                .google, try service.token(.google, "bob", email: Self.address), device: 2)
            let entered = try await http.signIn(.facebook, try service.token(.facebook, "trojan"), device: 3)
            #expect(entered.user.serviceUserID == mallory.user.serviceUserID)
            #expect(try await http.opens(entered.session, bob.user.serviceUserID) == false)
            #expect(try await http.providers(bob.session) == [.google])
        }
    }

    /// Elsewhere: Mallory begins a change of the account's address to her own, and completes it after Bob has taken over.
    @Test("Unexpired change: a link that Mallory began cannot be completed once her session is over")
    func unexpiredChange() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let mallory = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 1).session
            let pending = try #require(
                try await http.problemOfSignIn(.google, try service.token(.google, "mallory"), device: 1)
                    .pendingIdentity)
            let asked = try await http.post(
                "/auth/challenge", ChallengeRequest(purpose: .link, deviceID: mallory.deviceID),
                token: mallory.accessToken)
            let challenge = try http.answer(asked, as: Challenge.self).challenge
            let bob = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2)
            _ = try await http.send(.post, "/auth/signout-everywhere", token: bob.session.accessToken)
            let own = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2).session
            for request in [
                LinkRequest(pendingIdentity: pending),
                LinkRequest(
                    provider: .google, idToken: try service.token(.google, "mallory", nonce: challenge),
                    challenge: challenge),
            ] {
                let late = try await http.post("/auth/link-account", request, token: mallory.accessToken)
                #expect(try http.problem(late).code == .sessionEnded)
            }
            // Nor is what she prepared worth anything in a session of Bob's on another device.
            let moved = try await http.post(
                "/auth/link-account", LinkRequest(pendingIdentity: pending), token: own.accessToken)
            #expect(try http.problem(moved).code == .invalidPendingIdentity)
            #expect(try await http.providers(own) == [.apple])
        }
    }

    /// Elsewhere: Mallory signs in through a provider that does not check addresses, and is taken for their owner.
    @Test("Non-verifying provider: the address that it names opens nothing and finds nothing")
    func nonVerifyingProvider() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let bob = try await http.signUp(
                .google, try service.token(.google, "bob", email: Self.address), device: 1)
            for (provider, checks) in [(ProviderName.apple, [false]), (.facebook, [true, false])] {
                for isVerified in checks {
                    let token = try service.development(provider).issueToken(
                        .init(subject: "mallory-\(isVerified)", email: Self.address, emailVerified: isVerified))
                    let unknown = try await http.problemOfSignIn(provider, token.idToken, device: 2)
                    #expect(unknown.hints == [])
                    let mallory = try await http.signUp(provider, token.idToken, device: 2)
                    #expect(try await http.opens(mallory.session, bob.user.serviceUserID) == false)
                }
            }
            // Google itself vouches for the address; one that it did not check is worth nothing either.
            let unchecked = try service.google.issueToken(
                .init(subject: "mallory", email: Self.address, emailVerified: false))
            #expect(try await http.problemOfSignIn(.google, unchecked.idToken, device: 2).hints == [])
            #expect(try await http.providers(bob.session) == [.google])
        }
    }
}
