import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import DevelopmentIdentityProvider

/// One type of token presented as another.
@Suite struct TokenSubstitutionTests {
    @Test("a token for another app, or for several audiences, is rejected")
    func audiences() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            for provider in [ProviderName.apple, .google, .facebook] {
                for audience in ["another-app", "photolala-dev ", "Photolala-dev", "photolala-dev,another-app"] {
                    let token = try service.development(provider).issueToken(
                        .init(subject: "bob", audience: audience))
                    let response = try await http.requestSignUp(provider, token.idToken, device: 1)
                    #expect(try http.problem(response).code == .invalidToken)
                }
            }
        }
    }

    @Test("our own tokens are not ID tokens, and an ID token is not an access or refresh token")
    func ownTokens() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let session = bob.session
        try await service.exchange { http in
            for token in [session.accessToken, session.refreshToken] {
                for provider in [ProviderName.apple, .google, .facebook] {
                    let response = try await http.requestSignIn(provider, token, device: 2)
                    #expect(try http.problem(response).code == .invalidToken)
                }
            }
            let identity = try service.token(.apple, "bob")
            for token in [identity, session.refreshToken] {
                let response = try await http.send(.get, "/auth/devices", token: token)
                #expect(try http.problem(response).code == .unauthorized)
            }
            for token in [identity, session.accessToken] {
                let response = try await http.post("/auth/refresh", RefreshRequest(refreshToken: token))
                #expect(try http.problem(response).code == .sessionEnded)
            }
            #expect(try await http.opens(session, bob.user.serviceUserID))
        }
    }

    @Test("a provider event cannot sign in, and an ID token is not a provider event")
    func events() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.google, "bob")
        let event = try service.google.event(DevelopmentEventRequest(type: "sessions-revoked", subject: "bob"))
        let request = try service.facebook.event(DevelopmentEventRequest(type: "any", subject: "bob"))
        try await service.exchange { http in
            let (token, signed) = (String(decoding: event, as: UTF8.self), String(decoding: request, as: UTF8.self))
            for (provider, text) in [
                (ProviderName.google, token), (.facebook, signed), (.facebook, String(signed.dropFirst(15))),
            ] {
                let response = try await http.requestSignIn(provider, text, device: 2)
                #expect(try http.problem(response).code == .invalidToken)
            }
            let identity = try service.token(.google, "bob")
            for (path, body) in [
                ("/webhooks/google", identity), ("/webhooks/apple", #"{"payload":"\#(identity)"}"#),
                ("/webhooks/facebook/deauthorize", "signed_request=\(identity)"), ("/webhooks/apple", token),
            ] {
                let response = try await http.client.execute(
                    uri: path, method: .post, headers: [:], body: ByteBuffer(string: body))
                #expect(try http.problem(response).code == .invalidEvent)
            }
            #expect(try await http.opens(bob.session, bob.user.serviceUserID))
        }
    }

    @Test("a classic token is accepted only for Facebook and only for our app, and an app token is rejected")
    func classicTokens() async throws {
        let service = try await TestService.make()
        let own = try service.facebook.issueToken(.init(subject: "bob"))
        let foreign = try service.facebook.issueToken(.init(subject: "bob", audience: "another-app"))
        _ = try await service.signUp(.facebook, "bob")
        try await service.exchange { http in
            let (token, other) = (try #require(own.accessToken), try #require(foreign.accessToken))
            for (provider, text) in [(ProviderName.apple, token), (.google, token), (.facebook, other)] {
                let response = try await http.requestSignIn(provider, text, device: 2)
                #expect(try http.problem(response).code == .invalidToken)
            }
            let secret = try await http.requestSignIn(
                .facebook, "photolala-dev|\(service.facebook.appSecret)", device: 2)
            #expect(try http.problem(secret).code == .invalidToken)
        }
    }

    @Test("an authorization code, a challenge or a pending identity is not accepted as another type of token")
    func otherValues() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let code = try service.apple.issueToken(.init(subject: "bob")).authorizationCode
        try await service.exchange { http in
            let pending = try #require(
                try await http.problemOfSignIn(.google, try service.token(.google, "mallory"), device: 1)
                    .pendingIdentity)
            let asked = try await http.post(
                "/auth/challenge", ChallengeRequest(purpose: .signin, deviceID: TestService.device(1).id))
            let challenge = try http.answer(asked, as: Challenge.self).challenge
            for text in [code, pending, challenge] {
                #expect(try http.problem(try await http.requestSignIn(.apple, text, device: 1)).code == .invalidToken)
                let call = try await http.send(.get, "/auth/devices", token: text)
                #expect(call.status == .unauthorized)
            }
            let swapped = try await http.post(
                "/auth/signup", SignUpRequest(pendingIdentity: challenge, device: TestService.device(1)))
            #expect(try http.problem(swapped).code == .invalidPendingIdentity)
            let token = try service.token(.apple, "bob", nonce: pending)
            let other = try await http.requestSignIn(.apple, token, challenge: pending, device: 1)
            #expect(try http.problem(other).code == .invalidChallenge)
        }
    }
}
