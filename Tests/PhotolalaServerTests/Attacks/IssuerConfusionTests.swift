import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import DevelopmentIdentityProvider

/// Tokens of one issuer presented for another. The development providers use the same key and audience, so only the
/// issuer distinguishes their tokens.
@Suite struct IssuerConfusionTests {
    @Test("mix-up: a token of one provider is rejected under another provider's name", arguments: ProviderName.builtIn)
    func mixUp(_ name: ProviderName) async throws {
        let service = try await TestService.make()
        let played: [ProviderName] = [.apple, .google, .facebook]
        try await service.exchange { http in
            for provider in played where provider != name {
                let token = try service.token(provider, "bob")
                for response in [
                    try await http.requestSignUp(name, token, device: 1),
                    try await http.requestSignIn(name, token, device: 1),
                ] {
                    let expected: ErrorCode = played.contains(name) ? .invalidToken : .unknownProvider
                    #expect(try http.problem(response).code == expected)
                }
            }
        }
    }

    @Test(
        "a token whose issuer differs in one character is rejected, even with the same key",
        arguments: ["/", "#", "?x", " ", "\u{0}", "%2F", "."])
    func spelling(suffix: String) async throws {
        let service = try await TestService.make()
        let other = DevelopmentProvider(
            name: .apple, shape: .apple, issuer: service.apple.issuer + suffix, audience: "photolala-dev",
            key: service.apple.key, now: { service.clock.now }, randomness: .seeded(5))
        try await service.exchange { http in
            let response = try await http.requestSignIn(
                .apple, try other.issueToken(.init(subject: "bob")).idToken, device: 1)
            #expect(try http.problem(response).code == .invalidToken)
        }
    }

    @Test(
        "a token of a second issuer under a known name is rejected, and its keys are never fetched",
        arguments: [ProviderName.apple, .google, .facebook])
    func secondIssuer(_ name: ProviderName) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(name, "bob")
        let mallory = DevelopmentProvider(
            name: name, shape: service.development(name).shape, issuer: "https://mallory.example",
            audience: "photolala-dev", key: try .generate(), now: { service.clock.now }, randomness: .seeded(5))
        // Also with the genuine issuer's name, for which her key is not valid.
        let forger = DevelopmentProvider(
            name: name, shape: service.development(name).shape, issuer: service.development(name).issuer,
            audience: "photolala-dev", key: mallory.key, now: { service.clock.now }, randomness: .seeded(6))
        try await service.exchange { http in
            for token in [mallory, forger].compactMap({ try? $0.issueToken(.init(subject: "bob")).idToken }) {
                let response = try await http.requestSignIn(name, token, device: 2)
                #expect(try http.problem(response).code == .invalidToken)
            }
            #expect(try await http.opens(bob.session, bob.user.serviceUserID))
        }
        #expect(!service.network.requests.contains { $0.contains("mallory") })
    }

    @Test(
        "email, and names that could be a path, are not accepted as provider names",
        arguments: ["email", "Apple", "a/b", "..", ""])
    func reservedNames(name: String) async throws {
        let service = try await TestService.make()
        let token = try service.token(.apple, "bob")
        let device = #"{"id":"0a000000-0000-4000-8000-000000000001","name":"a","platform":"b"}"#
        try await service.exchange { http in
            let json = #"{"provider":"\#(name)","idToken":"\#(token)","device":\#(device)}"#
            for call in ["/auth/signup", "/auth/signin"] {
                let response = try await http.send(.post, call, json: json)
                #expect(response.status == .badRequest)
            }
        }
        #expect(ProviderName(name) == nil)
    }
}
