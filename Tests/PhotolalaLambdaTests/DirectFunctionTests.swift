import Crypto
import Foundation
import Logging
import NIOCore
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaTesting
import StorageAccess
import Synchronization
import Testing
import UseCases

/// The four functions that apps invoke directly.
@Suite struct DirectFunctionTests {
    private struct Authenticated: Decodable {
        let user: User
        let session: Session
        let credentials: StorageCredentials?
    }

    private struct Updated: Decodable {
        let user: User
        let linkedProviders: [LinkedProvider]
    }

    /// Invokes the functions of a service.
    private struct Functions {
        let service: TestService
        var logger: Logger?

        func invoke<Answer: Decodable>(
            _ function: DirectFunction, _ event: [String: Any], as type: Answer.Type = Answer.self
        ) async throws -> Answer {
            let bytes = try JSONSerialization.data(withJSONObject: event)
            let text = try await client(function).answer(String(decoding: bytes, as: UTF8.self))
            return try WireJSON.decoder().decode(type, from: Data(text.utf8))
        }

        func client(_ function: DirectFunction) -> FunctionClient {
            FunctionClient(
                DirectFunctionHandler(
                    function, services: service.services, bodyLimit: 128 << 10,
                    logger: logger ?? service.services.logger))
        }

        func failure(_ function: DirectFunction, _ event: [String: Any]) async -> InvocationFailure? {
            do {
                _ = try await invoke(function, event, as: [String: String].self)
                return nil
            } catch { return error as? InvocationFailure }
        }

        func device(_ number: Int = 1) -> [String: Any] {
            let device = TestService.device(number)
            return ["id": "\(device.id)", "name": device.name, "platform": device.platform]
        }

        func identity(_ provider: ProviderName, _ subject: String, device number: Int = 1) throws -> [String: Any] {
            [
                "provider": "\(provider)", "idToken": try service.token(provider, subject), "device": device(number),
            ]
        }
    }

    private func functions(_ options: TestService.Options = .init()) async throws -> Functions {
        Functions(service: try await TestService.make(options))
    }

    @Test func `AuthenticateUser creates nothing for an unknown identity, and CreateIdentity accepts what it returns`()
        async throws
    {
        let functions = try await functions()
        let before = try await functions.service.store.list(prefix: "", after: nil, limit: 1000).objects.map(\.key)
        let failure = try #require(
            await functions.failure(.authenticateUser, functions.identity(.apple, "bob")))
        #expect(failure.errorType == "no_account_found" && !failure.errorMessage.isEmpty)
        let after = try await functions.service.store.list(prefix: "", after: nil, limit: 1000).objects.map(\.key)
        #expect(after == before)
        let pending = try #require(failure.problem?.pendingIdentity)
        let created: SignedIn = try await functions.invoke(
            .createIdentity, ["pendingIdentity": pending, "device": functions.device()])
        #expect(created.user.primaryProvider == .apple)
        let again = try #require(await functions.failure(.createIdentity, functions.identity(.apple, "bob")))
        #expect(again.errorType == "account_already_exists" && again.problem?.status == 409)
    }

    @Test func `AuthenticateUser returns a session and credentials for the account's own prefixes`() async throws {
        let functions = try await functions()
        let created: SignedIn = try await functions.invoke(.createIdentity, functions.identity(.apple, "bob"))
        let answer: Authenticated = try await functions.invoke(
            .authenticateUser, functions.identity(.apple, "bob", device: 2))
        let user = answer.user.serviceUserID
        #expect(user == created.user.serviceUserID)
        let prefixes = try #require(answer.credentials?.prefixes)
        #expect(prefixes.count == 4 && prefixes.allSatisfy { $0.hasSuffix("/\(user)/") })
        let token: StorageCredentials = try await functions.invoke(
            .getSTSToken, ["serviceUserID": "\(user)", "accessToken": answer.session.accessToken])
        #expect(token.prefixes == prefixes && token.expiration > functions.service.clock.now)
    }

    @Test func `a session is returned without credentials if the token service does not answer`() async throws {
        struct Unavailable: CredentialIssuer {
            let endsWithSession = false
            let minimumLifetime: TimeInterval = 900

            func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials {
                throw .unavailable("down")
            }
        }
        var options = TestService.Options()
        options.credentialIssuer = Unavailable()
        var functions = try await functions(options)
        let ids = Mutex<[String?]>([])
        functions.logger = Logger(label: "test") { _ in
            MetadataRecorder { line in
                guard line["message"] == "signed in without storage credentials" else { return }
                ids.withLock { $0.append(line["hb.request.id"]) }
            }
        }
        _ = try await functions.service.signUp(.apple, "bob")
        let answer: Authenticated = try await functions.invoke(
            .authenticateUser, functions.identity(.apple, "bob", device: 2))
        #expect(answer.credentials == nil)
        #expect(ids.withLock { $0 } == ["8476a536e9f411e897392dfe598c3fcd"])
        let failure = try #require(
            await functions.failure(
                .getSTSToken,
                [
                    "serviceUserID": "\(answer.user.serviceUserID)", "accessToken": answer.session.accessToken,
                ]))
        #expect(failure.errorType == "temporarily_unavailable")
    }

    @Test func `LinkProvider links to the account of the session and refuses an identity of another account`()
        async throws
    {
        let functions = try await functions()
        let bob = try await functions.service.signUp(.apple, "bob")
        _ = try await functions.service.signUp(.google, "eve", device: 2)
        let session: [String: Any] = [
            "serviceUserID": "\(bob.user.serviceUserID)", "accessToken": bob.session.accessToken,
        ]
        let taken = try #require(
            await functions.failure(
                .linkProvider, session.merging(functions.identity(.google, "eve")) { $1 }))
        #expect(taken.errorType == "provider_already_linked")
        let answer: Updated = try await functions.invoke(
            .linkProvider, session.merging(functions.identity(.google, "bob")) { $1 })
        #expect(answer.linkedProviders.map(\.provider) == [.apple, .google])
        #expect(answer.user.linkedProviders.map(\.provider) == [.apple, .google])
        #expect(try await functions.service.owner(.google, "bob") == bob.user.serviceUserID)
    }

    @Test("a session acts only for its own account", arguments: [DirectFunction.linkProvider, .getSTSToken])
    func otherAccount(function: DirectFunction) async throws {
        let functions = try await functions()
        let bob = try await functions.service.signUp(.apple, "bob")
        let eve = try await functions.service.signUp(.apple, "eve", device: 2)
        var event: [String: Any] = try functions.identity(.google, "eve")
        event["serviceUserID"] = "\(bob.user.serviceUserID)"
        event["accessToken"] = eve.session.accessToken
        #expect(await functions.failure(function, event)?.errorType == "not_found")
        event["accessToken"] = "nonsense"
        #expect(await functions.failure(function, event)?.errorType == "unauthorized")
    }

    @Test func `a session that is bound to a device key is refused, because an event carries no proof`() async throws {
        let functions = try await functions()
        let bob = try await functions.service.signUp(.apple, "bob", key: P256.Signing.PrivateKey())
        let failure = await functions.failure(
            .getSTSToken,
            ["serviceUserID": "\(bob.user.serviceUserID)", "accessToken": bob.session.accessToken])
        #expect(failure?.errorType == "unauthorized")
    }

    @Test func `each function makes challenges for its own purpose, and they are required as over HTTP`() async throws {
        var options = TestService.Options()
        options.requiresChallenge = true
        let functions = try await functions(options)
        let device = "\(TestService.device(1).id)"
        #expect(
            await functions.failure(.createIdentity, try functions.identity(.apple, "bob"))?.errorType
                == "challenge_required")
        let challenge: Challenge = try await functions.invoke(
            .createIdentity, ["purpose": "signup", "deviceID": device])
        var event = try functions.identity(.apple, "bob")
        event["idToken"] = try functions.service.token(.apple, "bob", nonce: challenge.challenge)
        event["challenge"] = challenge.challenge
        let bob: SignedIn = try await functions.invoke(.createIdentity, event)
        #expect(
            await functions.failure(.authenticateUser, ["purpose": "link", "deviceID": device])?.errorType
                == "invalid_request")
        #expect(
            await functions.failure(.linkProvider, ["purpose": "link", "deviceID": device])?.errorType
                == "invalid_request")
        let link: Challenge = try await functions.invoke(
            .linkProvider,
            [
                "purpose": "link", "deviceID": device, "serviceUserID": "\(bob.user.serviceUserID)",
                "accessToken": bob.session.accessToken,
            ])
        #expect(link.expiresAt > functions.service.clock.now)
    }

    @Test func `a refusal by a limit states when to retry`() async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 0, identity: 1, total: 0)
        let functions = try await functions(options)
        let first = await functions.failure(.authenticateUser, try functions.identity(.apple, "bob"))
        #expect(first?.errorType == "no_account_found" && first?.retryAfter == nil)
        let second = await functions.failure(.authenticateUser, try functions.identity(.apple, "bob"))
        #expect(second?.errorType == "rate_limited" && second?.retryAfter == 60)
    }

    @Test(
        "an event that is no request is described without its content",
        arguments: [("", "JSON"), ("[1]", "type"), ("{}", "missing"), (#"{"a":1,"a":2}"#, "repeats")])
    func malformed(event: String, words: String) async throws {
        let functions = try await functions()
        guard case .failure(let failure) = await functions.client(.getSTSToken).outcome(event) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.errorType == "invalid_request")
        #expect(failure.errorMessage.contains(words), "\(failure.errorMessage)")
    }

    @Test func `a large event is refused before it is read`() async throws {
        let functions = try await functions()
        let event = "[\(String(repeating: "1,", count: 100_000))1]"
        guard case .failure(let failure) = await functions.client(.getSTSToken).outcome(event) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.errorMessage.contains("larger than"))
    }
}
