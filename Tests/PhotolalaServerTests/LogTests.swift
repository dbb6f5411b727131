import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// Logs identify requests and contain no secrets.
@Suite struct LogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func append(_ line: String) { lines.withLock { $0.append(line) } }
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.append("\(event.message) \(metadata.merging(event.metadata ?? [:]) { _, new in new })")
        }
    }

    @Test("no token, e-mail address, name or subject appears in the log, whatever the outcome of a request")
    func noSecrets() async throws {
        let lines = Lines()
        let service = try await TestService.make()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        let token = try service.token(.google, "subject-of-bob", email: "bob@gmail.com")
        try await service.server(logger: logger).test(.router) { client in
            let http = HTTPExchange(client: client)
            let request = SignUpRequest(
                provider: .google, idToken: token, fullName: "Robert Tables", device: TestService.device(1)
            )
            let created = try await http.post("/auth/signup", request)
            let session = try http.answer(created, as: SignedIn.self).session
            _ = try await http.post("/auth/signup", request)
            _ = try await http.post("/auth/refresh", RefreshRequest(refreshToken: session.refreshToken))
            _ = try await http.post("/auth/refresh", RefreshRequest(refreshToken: session.refreshToken + "x"))
            _ = try await http.send(.get, "/auth/devices?secret=\(session.accessToken)", token: session.accessToken)
            _ = try await http.send(.post, "/auth/signin", json: #"{"provider":"google","idToken":"\#(token)x"}"#)
            for secret in [
                token, session.accessToken, session.refreshToken, "bob@gmail.com", "subject-of-bob", "Robert",
            ] {
                #expect(!lines.text.contains(secret))
            }
        }
        #expect(lines.text.contains("/auth/signup"))
        #expect(lines.text.contains("account_already_exists") || lines.text.contains("409"))
    }

    @Test("a request with a valid token has the account's hash in its line, and no line has the account's id")
    func accountHash() async throws {
        let lines = Mutex<[[String: String]]>([])
        let service = try await TestService.make()
        let logger = Logger(label: "test") { _ in MetadataRecorder { line in lines.withLock { $0.append(line) } } }
        let token = try service.token(.google, "subject-of-bob", email: "bob@gmail.com")
        try await service.server(logger: logger).test(.router) { client in
            let http = HTTPExchange(client: client)
            let request = SignUpRequest(
                provider: .google, idToken: token, fullName: "Bob", device: TestService.device(1))
            let bob = try http.answer(try await http.post("/auth/signup", request), as: SignedIn.self)
            let hash = try #require(service.services.accountHash(bob.user.serviceUserID))
            #expect(hash.wholeMatch(of: /[0-9a-f]{16}/) != nil)
            _ = try await http.post("/auth/refresh", RefreshRequest(refreshToken: bob.session.refreshToken))
            _ = try await http.send(.get, "/auth/devices", token: bob.session.accessToken)
            _ = try await http.send(.get, "/auth/devices", token: bob.session.accessToken + "x")
            _ = try await http.post("/auth/refresh", RefreshRequest(refreshToken: bob.session.refreshToken + "x"))
            _ = try await http.send(.get, "/sign-in")
            var browser = PortalVisitor(http)
            _ = try await browser.signIn(service, as: "alice", from: "/create-account")
            _ = try await browser.send(.get, "/account")
            let all = lines.withLock(\.self)
            let requests = all.filter { $0["event"] == "request" }
            #expect(requests.prefix(6).map { $0["account"] } == [hash, hash, hash, nil, nil, nil])
            // Alice's pages: the choice of a provider and the way to it, then her callback and account.
            let alice = try #require(requests.last?["account"])
            #expect(alice != hash && alice.wholeMatch(of: /[0-9a-f]{16}/) != nil)
            #expect(requests.dropFirst(6).map { $0["account"] } == [nil, nil, alice, alice])
            for line in all { #expect(!line.values.contains { $0.contains("\(bob.user.serviceUserID)") }) }
        }
    }

    @Test("a response contains the request id of the log entry")
    func requestID() async throws {
        let lines = Lines()
        let service = try await TestService.make()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        try await service.server(logger: logger).test(.router) { client in
            let http = HTTPExchange(client: client)
            let response = try await http.send(.get, "/nothing")
            let problem = try http.problem(response)
            let name = try #require(HTTPField.Name("X-Request-ID"))
            #expect(response.headers[name] == problem.requestID)
            #expect(lines.text.contains(problem.requestID))
        }
    }
}
