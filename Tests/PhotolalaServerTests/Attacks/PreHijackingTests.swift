import DevelopmentIdentityProvider
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The five attack classes of Sudhodanan and Paverd ("Pre-hijacked accounts", USENIX Security 2022). Mallory prepares
/// an account before Bob signs up, to gain access to Bob's account later.
@Suite struct PreHijackingTests {
    private static let address = "bob@gmail.com"

    /// In vulnerable services: Mallory signs up with Bob's address. Bob's first sign-in with a provider is merged into
    /// that account because of the address, and Mallory keeps access.
    @Test("classic-federated merge: two identities with one address have two accounts, in either order")
    func classicFederatedMerge() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let mallory = try await http.signUp(
                .apple, try service.token(.apple, "mallory", email: Self.address), device: 1)
            let unknown = try await http.problemOfSignIn(
                .google, try service.token(.google, "bob", email: Self.address), device: 2)
            // A verified address gives only a hint.
            #expect(unknown.code == .noAccountFound && unknown.hints == [AccountHint(provider: .apple)])
            let bob = try await http.signUp(
                .google, try service.token(.google, "bob", email: Self.address), device: 2)
            #expect(bob.user.serviceUserID != mallory.user.serviceUserID)
            #expect(try await http.opens(mallory.session, bob.user.serviceUserID) == false)
            #expect(try await http.providers(bob.session) == [.google])
            #expect(try await http.providers(mallory.session) == [.apple])
        }
    }

    /// In vulnerable services: Mallory's automated client stays signed in while Bob recovers the account, and is never
    /// signed out.
    @Test("unexpired session: after Bob signs out everywhere, no session of Mallory's opens his account")
    func unexpiredSession() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            // Mallory had access to Bob's identity for a while and has refreshed the session since then.
            let stolen = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 1).session
            service.clock.advance(by: 86_400)
            let renewed = try await http.post("/auth/refresh", RefreshRequest(refreshToken: stolen.refreshToken))
            let mallory = try http.answer(renewed, as: SessionResponse.self).session
            let bob = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2)
            let everywhere = try await http.send(.post, "/auth/signout-everywhere", token: bob.session.accessToken)
            #expect(everywhere.status == .noContent)
            #expect(try await http.isSessionEnded(mallory))
            #expect(try await http.isSessionEnded(stolen))
            let back = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2)
            #expect(back.user.serviceUserID == bob.user.serviceUserID)
        }
    }

    /// In vulnerable services: Mallory links an identity of her own to the account that she created with Bob's address,
    /// and keeps access after Bob recovers the account.
    @Test("trojan identifier: an identity that Mallory linked opens Mallory's account and never Bob's")
    func trojanIdentifier() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let mallory = try await http.signUp(
                .apple, try service.token(.apple, "mallory", email: Self.address), device: 1)
            let trojan = try await http.requestLink(.facebook, try service.token(.facebook, "trojan"), mallory.session)
            #expect(trojan.status == .ok)
            let bob = try await http.signUp(
                .google, try service.token(.google, "bob", email: Self.address), device: 2)
            let entered = try await http.signIn(.facebook, try service.token(.facebook, "trojan"), device: 3)
            #expect(entered.user.serviceUserID == mallory.user.serviceUserID)
            #expect(try await http.opens(entered.session, bob.user.serviceUserID) == false)
            #expect(try await http.providers(bob.session) == [.google])
        }
    }

    /// In vulnerable services: Mallory starts to change the account's address to her own, and completes the change
    /// after Bob has recovered the account.
    @Test("unexpired change: a link that Mallory started cannot be completed after her session has ended")
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
            // The pending identity is also invalid in Bob's session on another device.
            let moved = try await http.post(
                "/auth/link-account", LinkRequest(pendingIdentity: pending), token: own.accessToken)
            #expect(try http.problem(moved).code == .invalidPendingIdentity)
            #expect(try await http.providers(own) == [.apple])
        }
    }

    /// In vulnerable services: Mallory signs in through a provider that does not verify addresses, and is treated as
    /// the address's owner.
    @Test("non-verifying provider: an unverified address gives neither access nor a hint")
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
            // Google is authoritative for the address, but an unverified one gives no hint either.
            let unchecked = try service.google.issueToken(
                .init(subject: "mallory", email: Self.address, emailVerified: false))
            #expect(try await http.problemOfSignIn(.google, unchecked.idToken, device: 2).hints == [])
            #expect(try await http.providers(bob.session) == [.google])
        }
    }
}
