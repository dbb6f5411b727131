import Accounts
import Foundation
import IdentityProviders
import Logging
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// Providers defined only by settings: real third-party OpenID Connect servers.
@Suite(.serialized, .enabled(if: !OpenIDServerKind.installed.isEmpty, "run scripts/install-clients"))
struct OpenIDJourneyTests {
    private func withServers(
        _ kind: OpenIDServerKind, privateAddresses: Bool = true, _ test: (OpenIDPerson) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { data, transport in
            let provider = try await kind.start(in: data, transport: transport)
            defer { provider.stop() }
            let algorithms = provider.algorithm.map { #""algorithms": ["\#($0)"], "# } ?? ""
            let oidc = """
                {"corporate": {"issuer": "\(provider.issuer)", "audiences": ["photolala"], \(algorithms)\
                "allowPrivateAddresses": \(privateAddresses)}}
                """
            let variables = ["PHOTOLALA_OIDC": oidc, "PHOTOLALA_SIGN_IN_REQUIRE_CHALLENGE": "true"]
            let server = try await ServerProcess(
                data: data.appending(path: "store"), transport: transport, variables: variables)
            let person = OpenIDPerson(
                provider: provider, server: server.address, caller: Person(1, transport: transport))
            do {
                try await test(person)
            } catch {
                server.kill()
                throw error
            }
            #expect(server.stop() == 0)
        }
    }

    @Test(
        "a person signs up and in with any OpenID Connect server that is defined only by settings",
        arguments: OpenIDServerKind.installed)
    func signUpAndIn(_ kind: OpenIDServerKind) async throws {
        try await withServers(kind) { person in
            let signedUp = try await person.act(.signup, subject: "bob", device: 1)
            #expect(signedUp.status == 201)
            let user = try WireJSON.decoder().decode(SignedIn.self, from: signedUp.body).user
            #expect(user.primaryProvider.description == "corporate")
            let signedIn = try await person.act(.signin, subject: "bob", device: 2)
            #expect(signedIn.status == 200)
            let again = try WireJSON.decoder().decode(SignedIn.self, from: signedIn.body).user
            #expect(again.serviceUserID == user.serviceUserID)
            #expect(try await person.act(.signup, subject: "bob", device: 3).status == 409)
            #expect(try await person.act(.signin, subject: "carol", device: 3).status == 404)
        }
    }

    @Test("a token for another app or another challenge is rejected", arguments: OpenIDServerKind.installed)
    func foreignTokens(_ kind: OpenIDServerKind) async throws {
        try await withServers(kind) { person in
            let another = try await person.act(.signup, subject: "bob", device: 1, client: "another-app")
            let stolen = try await person.act(.signup, subject: "bob", device: 1, nonce: "stolen")
            let own = try await person.act(.signup, subject: "bob", device: 1)
            #expect([another, stolen, own].map(\.status) == [401, 401, 201])
        }
    }

    @Test("a private-network issuer is not contacted unless settings allow it", arguments: OpenIDServerKind.installed)
    func privateAddress(_ kind: OpenIDServerKind) async throws {
        try await withServers(kind, privateAddresses: false) { person in
            let response = try await person.act(.signup, subject: "bob", device: 1)
            #expect(response.status == 503)
        }
    }

    @Test(
        "after a provider rotates its key, the new key is fetched and the old one is rejected",
        .enabled(if: Glewlwyd.root != nil, "run scripts/install-clients"))
    func rotation() async throws {
        try await withTemporaryFolder { data, transport in
            let provider = try await Glewlwyd(in: data, transport: transport)
            defer { provider.stop() }
            let ahead = Mutex<TimeInterval>(0)
            var settings = IdentityProviderSettings(
                name: try #require(ProviderName("corporate")), issuers: [provider.issuer],
                keySet: .discovered(issuer: provider.issuer), audiences: ["photolala"])
            settings.algorithms = [.es256]
            let verifier = OpenIDTokenVerifier(settings: settings, transport: transport, logger: Logger(label: "test"))
            {
                Date(timeIntervalSinceNow: ahead.withLock { $0 })
            }
            let before = try await provider.token("bob", for: "photolala", nonce: "first")
            let bob = try await verifier.verify(before)
            try await provider.rotateKey()
            let after = try await provider.token("bob", for: "photolala", nonce: "second")
            // Unknown key ids are looked up at most once a minute.
            await #expect(throws: IdentityTokenError.unknownKey) { try await verifier.verify(after) }
            ahead.withLock { $0 = 90 }
            #expect(try await verifier.verify(after).subject == bob.subject)
            await #expect(throws: IdentityTokenError.unknownKey) { try await verifier.verify(before) }
        }
    }
}

/// A person with an account at an OpenID server.
struct OpenIDPerson {
    let provider: any OpenIDServer
    let server: String
    let caller: Person

    /// Requests a challenge, signs in at the provider with it, and makes the call.
    func act(
        _ purpose: ChallengePurpose, subject: String, device number: Int, client: String = "photolala",
        nonce: String? = nil
    ) async throws -> (status: Int, body: Data) {
        let device = TestService.device(number)
        let asked = ChallengeRequest(purpose: purpose, deviceID: device.id)
        let response = try await caller.call("\(server)/auth/challenge", json: try Self.text(asked))
        let challenge = try WireJSON.decoder().decode(Challenge.self, from: response.body).challenge
        let token = try await provider.token(subject, for: client, nonce: nonce ?? challenge)
        let name = try #require(ProviderName("corporate"))
        let request = SignUpRequest(provider: name, idToken: token, challenge: challenge, device: device)
        return try await caller.call("\(server)/auth/\(purpose.rawValue)", json: try Self.text(request))
    }

    private static func text(_ body: some Encodable) throws -> String {
        String(decoding: try WireJSON.encoder().encode(body), as: UTF8.self)
    }
}
