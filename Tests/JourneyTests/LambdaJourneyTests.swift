import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

extension OnSeaweedFS {
    /// `photolala-lambda` in AWS's runtime interface emulator, with the bucket on SeaweedFS.
    @Suite(.enabled("scripts/install-lambda-emulator installs the emulator") { LambdaEnvironment.isInstalled })
    struct LambdaJourneyTests {
        private struct Authenticated: Decodable {
            let user: User
            let session: Session
            let credentials: StorageCredentials
        }

        private struct Updated: Decodable { let linkedProviders: [LinkedProvider] }

        private struct SessionEvent: Encodable {
            let serviceUserID: UserID
            let accessToken: String
            var provider: ProviderName?
            var idToken: String?
        }

        /// A server, and environments of functions on its bucket.
        private struct Deployment: Sendable {
            let engine: SeaweedFS
            let url: String
            let folder: URL
            let environments: [LambdaEnvironment]

            /// Calls the function URL of some environments.
            func transport(_ environments: [LambdaEnvironment]) -> FunctionURL {
                FunctionURL(pool: EnvironmentPool(environments), publicURL: url, other: engine.transport)
            }

            func token(_ provider: String, _ subject: String, nonce: String = "") async throws -> String {
                struct Answer: Decodable { let idToken: String }
                let answer = try await Person(1, transport: engine.transport).call(
                    "\(url)/dev/providers/\(provider)/token", json: #"{"subject":"\#(subject)","nonce":"\#(nonce)"}"#)
                return try JSONDecoder().decode(Answer.self, from: answer.body).idToken
            }
        }

        /// Runs environments of the functions while the body runs.
        private func withEnvironments(
            _ handlers: [String], variables: [String: String] = [:],
            _ body: @Sendable (Deployment) async throws -> Void
        ) async throws {
            try await SeaweedFS.run { engine in
                let server = try await ServerProcess(on: engine, transport: engine.transport)
                try await withTemporaryFolder { folder in
                    var environments: [LambdaEnvironment] = []
                    let outcome: Result<Void, any Error>
                    do {
                        for handler in handlers {
                            environments.append(
                                try await LambdaEnvironment(
                                    handler, on: engine, in: folder, publicURL: server.address, variables: variables))
                        }
                        outcome = .success(
                            try await body(
                                Deployment(
                                    engine: engine, url: server.address, folder: folder, environments: environments)))
                    } catch {
                        outcome = .failure(error)
                    }
                    for environment in environments {
                        if case .failure = outcome { print((try? environment.text())?.suffix(4000) ?? "") }
                        await environment.stop()
                    }
                    #expect(server.stop() == 0)
                    try outcome.get()
                }
            }
        }

        @Test("Bob signs up, in and out over function URL events, and uploads to his own prefix of the bucket")
        func functionURL() async throws {
            try await withEnvironments(["api"]) { functions in
                let (engine, environments, url) = (functions.engine, functions.environments, functions.url)
                let transport = functions.transport(environments)
                let bob = Person(1, transport: transport)
                let idToken = try await bob.token(at: url)
                let created = try #require(try await bob.signUp(at: url, token: idToken))
                let signedIn = try await bob.signIn(at: url)
                #expect(signedIn.user.serviceUserID == created.user.serviceUserID)
                let link = LinkRequest(
                    provider: .google, idToken: try await functions.token("google", "bob"))
                let linked = try await bob.call(
                    "\(url)/auth/link-account",
                    json: String(decoding: try WireJSON.encoder().encode(link), as: UTF8.self),
                    token: signedIn.session.accessToken)
                #expect(linked.status == 200)
                let store = try await bob.storage(at: url, signedIn.session)
                let key = try #require(
                    ObjectKey(
                        "\(StorageLayout.photos)\(signedIn.user.serviceUserID)/\(String(repeating: "a", count: 32)).dat"
                    ))
                _ = try await store.put(key, ByteBuffer(string: "photo"), if: .absent)
                #expect(try await engine.store().head(key) != nil)
                #expect(
                    try await bob.call("\(url)/auth/signout", token: signedIn.session.accessToken).status == 204)
                #expect(try await bob.refresh(signedIn.session.refreshToken, at: url) == nil)
                let log = try environments[0].text()
                #expect(log.contains(#""event":"function-ready""#))
                // The environment is ended by its signal, and not killed.
                await environments[0].stop()
                #expect(!(try environments[0].text().contains("Backtrac")))
            }
        }

        @Test("the four direct functions create, authenticate, link and issue credentials, with typed errors")
        func directFunctions() async throws {
            let handlers = ["AuthenticateUser", "CreateIdentity", "LinkProvider", "GetSTSToken"]
            try await withEnvironments(handlers) { functions in
                let environments = functions.environments
                let device = TestService.device(1)
                let request = SignInRequest(
                    provider: .apple, idToken: try await functions.token("apple", "bob"), device: device)
                let unknown = await #expect(throws: LambdaEnvironment.FunctionError.self) {
                    let _: Authenticated = try await environments[0].invoke(request)
                }
                #expect(unknown?.errorType == "no_account_found")
                let pending = try #require(unknown?.problem?.pendingIdentity)
                let created: SignedIn = try await environments[1].invoke(
                    SignUpRequest(pendingIdentity: pending, device: device))
                let bob: Authenticated = try await environments[0].invoke(request)
                let user = created.user.serviceUserID
                #expect(bob.user.serviceUserID == user)
                #expect(bob.credentials.prefixes.allSatisfy { $0.hasSuffix("/\(user)/") })
                var event = SessionEvent(serviceUserID: user, accessToken: bob.session.accessToken)
                (event.provider, event.idToken) = (.google, try await functions.token("google", "bob"))
                let updated: Updated = try await environments[2].invoke(event)
                #expect(updated.linkedProviders.map(\.provider) == [.apple, .google])
                let issued: StorageCredentials = try await environments[3].invoke(event)
                #expect(issued.bucket == functions.engine.bucket && issued.access == .readWrite)
                // A poisoned event ends nothing.
                let poisoned = await #expect(throws: LambdaEnvironment.FunctionError.self) {
                    _ = try await environments[3].invoke("[1]")
                }
                #expect(poisoned?.errorType == "invalid_request")
                let again: StorageCredentials = try await environments[3].invoke(event)
                #expect(again.prefixes == issued.prefixes)
            }
        }

        @Test("an app with embedded credentials signs up, links and gets storage credentials by invocations alone")
        func embeddedCredentials() async throws {
            let names = [
                "auth-AuthenticateUser", "identity-CreateIdentity", "identity-LinkProvider", "auth-GetSTSToken",
            ]
            let handlers = names.map { String($0.split(separator: "-")[1]) }
            try await withEnvironments(handlers) { functions in
                let invoked = InvokedFunctions(
                    environments: Dictionary(
                        uniqueKeysWithValues: zip(names.map { "photolala-\($0)-dev" }, functions.environments)),
                    server: functions.url, other: functions.engine.transport)
                let session = try invoked.session(in: functions.folder)
                let challenge = try await session.challenge(for: .signin).challenge
                let proof = ProviderCredential(
                    provider: .apple, idToken: try await functions.token("apple", "bob", nonce: challenge),
                    challenge: challenge)
                let unknown = await #expect(throws: PhotolalaError.self) { try await session.signIn(proof) }
                #expect(unknown?.code == .noAccountFound)
                let user = try await session.signUp(.pending(try #require(unknown?.pendingIdentity)))
                let google = ProviderCredential(
                    provider: .google, idToken: try await functions.token("google", "bob"))
                #expect(try await session.link(.credential(google)).map(\.provider) == [.apple, .google])
                let credentials = try await session.credentials()
                #expect(credentials.prefixes.allSatisfy { $0.hasSuffix("/\(user.serviceUserID)/") })
                #expect(invoked.requestsToServer == 0)
                // The functions renew no tokens.
                try await session.refresh()
                try await session.signOut()
                #expect(invoked.requestsToServer == 2)
                let bob = try await session.signIn(
                    ProviderCredential(provider: .google, idToken: try await functions.token("google", "bob")))
                #expect(bob.serviceUserID == user.serviceUserID)
            }
        }

        @Test("the jobs function runs all due jobs once and reports them, also with a poisoned first event")
        func jobs() async throws {
            try await withEnvironments(["jobs"]) { functions in
                let (engine, environments) = (functions.engine, functions.environments)
                let poisoned = await #expect(throws: LambdaEnvironment.FunctionError.self) {
                    _ = try await environments[0].invoke(#"{"job":"nothing"}"#)
                }
                #expect(poisoned?.errorType == "unknown_job")
                let report: [String: String] = try await environments[0].invoke([String: String]())
                #expect(Set(report.values) == ["succeeded"], "\(report)")
                #expect(
                    ["usage", "devices", "consent", "deletions", "provider calls"].allSatisfy(report.keys.contains))
                let next: [String: String] = try await environments[0].invoke(["job": "usage"])
                #expect(next == ["usage": "not_due"])
                #expect(try await engine.store().head(ObjectKey(known: StorageLayout.lease("usage"))) != nil)
            }
        }

        @Test("a function that cannot start logs the reason as the server does, and its callers do not get it")
        func initializationFailure() async throws {
            try await withEnvironments(["api"], variables: ["PHOTOLALA_S3_BUCKET": "photolala-none"]) { functions in
                let error = await #expect(throws: LambdaEnvironment.FunctionError.self) {
                    _ = try await functions.environments[0].invoke("{}")
                }
                #expect(error?.errorType == "start_problem")
                #expect(error?.errorMessage == "The service cannot start. Its log has the reason.")
                let log = try functions.environments[0].text()
                #expect(log.contains("photolala-lambda: the bucket photolala-none at "))
            }
        }

        @Test("an environment that was frozen while the store restarted goes on, and a killed one is replaced")
        func freezeAndKill() async throws {
            try await withEnvironments(["api"]) { functions in
                let environment = functions.environments[0]
                let transport = functions.transport([environment])
                let bob = Person(1, transport: transport)
                let token = try await functions.token("apple", bob.subject)
                let created = try #require(try await bob.signUp(at: functions.url, token: token))
                try environment.signalEnvironment(SIGSTOP)
                await functions.engine.kill()
                try await functions.engine.restart()
                try environment.signalEnvironment(SIGCONT)
                let request = SignInRequest(provider: .apple, idToken: token, device: bob.device)
                let json = String(decoding: try WireJSON.encoder().encode(request), as: UTF8.self)
                let thawed = try await bob.call("\(functions.url)/auth/signin", json: json)
                #expect(thawed.status == 200)
                try environment.signalEnvironment(SIGKILL)
                // The emulator notices the end of an environment at the next invocation, and then starts another one.
                try await waitUntil("another environment answers") {
                    let answer = try? await bob.call("\(functions.url)/auth/signin", json: json)
                    guard let answer, answer.status == 200 else { return false }
                    let signedIn = try WireJSON.decoder().decode(SignedIn.self, from: answer.body)
                    return signedIn.user.serviceUserID == created.user.serviceUserID
                }
            }
        }

        @Test("identities that race through eight environments get one account each")
        func race() async throws {
            let identities =
                ProcessInfo.processInfo.environment["PHOTOLALA_COPIES_IDENTITIES"].flatMap { Int($0) } ?? 12
            try await withEnvironments(Array(repeating: "api", count: 8)) { functions in
                let (engine, environments, url) = (functions.engine, functions.environments, functions.url)
                let transport = functions.transport(environments)
                for number in 1...identities {
                    let person = Person(number, transport: transport)
                    let idToken = try await person.token(at: url)
                    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                        for _ in 0..<8 {
                            group.addTask { try await person.signUpStatus(at: url, token: idToken) }
                        }
                        return try await group.reduce(into: []) { $0.append($1) }
                    }
                    #expect(statuses.count { $0 == 201 } == 1 && statuses.count { $0 == 409 } == 7, "\(statuses)")
                }
                let bindings = try await engine.store().list(prefix: "identities/apple/", after: nil, limit: 1000)
                #expect(bindings.objects.count == identities)
            }
        }
    }
}
