import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import IdentityProviders

/// One issuer in another's place. The development providers sign with one key and for one audience, so nothing but the
/// issuer tells their tokens apart.
@Suite struct IssuerConfusionTests {
    @Test("Mix-up: a token of one provider is worth nothing under another's name", arguments: ProviderName.builtIn)
    func mixUp(_ name: ProviderName) async throws {
        let service = try await TestService.make()
        let played: [ProviderName] = [.apple, .google, .facebook]
        try await service.exchange { http in
            for provider in played where provider != name {
                let token = try service.token(provider, "bob")
                for answer in [
                    try await http.askToSignUp(name, token, device: 1),
                    try await http.askToSignIn(name, token, device: 1),
                ] {
                    let expected: ErrorCode = played.contains(name) ? .invalidToken : .unknownProvider
                    #expect(try http.problem(answer).code == expected)
                }
            }
        }
    }

    @Test(
        "An issuer that differs in one letter is another issuer, though it has the key",
        arguments: ["/", "#", "?x", " ", "\u{0}", "%2F", "."])
    func spelling(suffix: String) async throws {
        let service = try await TestService.make()
        let other = DevelopmentProvider(
            name: .apple, shape: .apple, issuer: service.apple.issuer + suffix, audience: "photolala-dev",
            key: service.apple.key, now: { service.clock.now }, randomness: .seeded(5))
        try await service.exchange { http in
            let answer = try await http.askToSignIn(
                .apple, try other.issueToken(.init(subject: "bob")).idToken, device: 1)
            #expect(try http.problem(answer).code == .invalidToken)
        }
    }

    @Test(
        "A second issuer under a known name is refused whatever it claims, and its keys are never asked for",
        arguments: [ProviderName.apple, .google, .facebook])
    func secondIssuer(_ name: ProviderName) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(name, "bob")
        let mallory = DevelopmentProvider(
            name: name, shape: service.development(name).shape, issuer: "https://mallory.example",
            audience: "photolala-dev", key: try .generate(), now: { service.clock.now }, randomness: .seeded(5))
        // The same with the genuine issuer's name, which her key cannot sign for.
        let forger = DevelopmentProvider(
            name: name, shape: service.development(name).shape, issuer: service.development(name).issuer,
            audience: "photolala-dev", key: mallory.key, now: { service.clock.now }, randomness: .seeded(6))
        try await service.exchange { http in
            for token in [mallory, forger].compactMap({ try? $0.issueToken(.init(subject: "bob")).idToken }) {
                let answer = try await http.askToSignIn(name, token, device: 2)
                #expect(try http.problem(answer).code == .invalidToken)
            }
            #expect(try await http.opens(bob.session, bob.user.serviceUserID))
        }
        #expect(!service.network.requests.contains { $0.contains("mallory") })
    }

    @Test(
        "No provider is named email, or by anything that could be a path",
        arguments: ["email", "Apple", "a/b", "..", ""])
    func reservedNames(name: String) async throws {
        let service = try await TestService.make()
        let token = try service.token(.apple, "bob")
        let device = #"{"id":"0a000000-0000-4000-8000-000000000001","name":"a","platform":"b"}"#
        try await service.exchange { http in
            let json = #"{"provider":"\#(name)","idToken":"\#(token)","device":\#(device)}"#
            for call in ["/auth/signup", "/auth/signin"] {
                let answer = try await http.send(.post, call, json: json)
                #expect(answer.status == .badRequest)
            }
        }
        #expect(ProviderName(name) == nil)
    }
}
