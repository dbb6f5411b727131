import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// A provider that is nothing but settings: a real OpenID Connect server that nobody here wrote.
@Suite(.serialized, .enabled(if: OpenIDServer.program != nil, "run scripts/install-clients"))
struct OpenIDJourneyTests {
    private func withServers(
        _ privateAddresses: Bool, _ test: (OpenIDServer, ServerProcess, OpenIDPerson) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { data, transport in
            let provider = try await OpenIDServer(transport: transport)
            defer { provider.stop() }
            let oidc = """
                {"corporate": {"issuer": "\(provider.issuer)", "audiences": ["photolala"], \
                "allowPrivateAddresses": \(privateAddresses)}}
                """
            let variables = ["PHOTOLALA_OIDC": oidc, "PHOTOLALA_SIGN_IN_REQUIRE_CHALLENGE": "true"]
            let server = try await ServerProcess(data: data, transport: transport, variables: variables)
            let person = OpenIDPerson(
                provider: provider, server: server.address, caller: Person(1, transport: transport))
            try await test(provider, server, person)
            #expect(server.stop() == 0)
        }
    }

    @Test("Somebody signs up and in with any OpenID Connect server, named by settings alone")
    func signUpAndIn() async throws {
        try await withServers(true) { _, _, person in
            let signedUp = try await person.act(.signup, subject: "bob", device: 1)
            #expect(signedUp.status == 201)
            let user = try WireJSON.decoder().decode(SignedIn.self, from: signedUp.body).user
            #expect(user.primaryProvider.description == "corporate")
            let signedIn = try await person.act(.signin, subject: "bob", device: 2)
            #expect(signedIn.status == 200)
            let again = try WireJSON.decoder().decode(SignedIn.self, from: signedIn.body).user
            #expect(again.serviceUserID == user.serviceUserID)
            #expect(try await person.act(.signup, subject: "bob", device: 3).status == 409)
            #expect(try await person.act(.signin, subject: "Bob", device: 3).status == 404)
        }
    }

    @Test("A token for another app, or for another challenge, is refused")
    func foreignTokens() async throws {
        try await withServers(true) { _, _, person in
            let another = try await person.act(.signup, subject: "bob", device: 1, client: "another-app")
            let stolen = try await person.act(.signup, subject: "bob", device: 1, nonce: "stolen")
            let own = try await person.act(.signup, subject: "bob", device: 1)
            #expect([another, stolen, own].map(\.status) == [401, 401, 201])
        }
    }

    @Test("An issuer on the own network is not asked unless settings allow it")
    func privateAddress() async throws {
        try await withServers(false) { _, _, person in
            let answer = try await person.act(.signup, subject: "bob", device: 1)
            #expect(answer.status == 503)
        }
    }
}

/// Somebody with an account at an OpenID server.
struct OpenIDPerson {
    let provider: OpenIDServer
    let server: String
    let caller: Person

    /// Asks for a challenge, signs in at the provider with it, and calls.
    func act(
        _ purpose: ChallengePurpose, subject: String, device number: Int, client: String = "photolala",
        nonce: String? = nil
    ) async throws -> (status: Int, body: Data) {
        let device = TestService.device(number)
        let asked = ChallengeRequest(purpose: purpose, deviceID: device.id)
        let answer = try await caller.call("\(server)/auth/challenge", json: try Self.text(asked))
        let challenge = try WireJSON.decoder().decode(Challenge.self, from: answer.body).challenge
        let token = try await provider.token(subject, for: client, nonce: nonce ?? challenge)
        let name = try #require(ProviderName("corporate"))
        let request = SignUpRequest(provider: name, idToken: token, challenge: challenge, device: device)
        return try await caller.call("\(server)/auth/\(purpose.rawValue)", json: try Self.text(request))
    }

    private static func text(_ body: some Encodable) throws -> String {
        String(decoding: try WireJSON.encoder().encode(body), as: UTF8.self)
    }
}
