import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// `/prove` over HTTP: a person verifies an identity for an app's own session (decision 0081).
@Suite struct AppAuthenticationPageTests {
    private static let verifier = String(repeating: "v", count: 43)
    private static let back = "http://127.0.0.1:4711/callback"
    private let device = TestService.device(7).id

    private func query(_ purpose: String, _ changes: [String: String?] = [:]) -> String {
        let base: [String: String?] = [
            "response_type": "code", "client_id": "photolala", "redirect_uri": Self.back, "state": "s t",
            "code_challenge": Base64URL.encode(Data(SHA256.hash(data: Data(Self.verifier.utf8)))),
            "code_challenge_method": "S256", "device_id": device.description, "purpose": purpose,
        ]
        let fields = base.merging(changes) { $1 }.compactMapValues { $0 }
        return fields.map { "\($0.key)=\(AppExchange.escaped($0.value))" }.sorted().joined(separator: "&")
    }

    private func link(_ page: TestResponse, _ pattern: some RegexComponent<(Substring, Substring)>) throws -> String {
        String(try #require(String(buffer: page.body).firstMatch(of: pattern)?.1)).replacing("&amp;", with: "&")
    }

    /// Returns the query of the link back to the app.
    private func redirectParameters(_ page: TestResponse) throws -> [String: String] {
        let address = try link(page, /href="(http:\/\/127\.0\.0\.1:4711\/callback\?[^"]+)"/)
        let items = try #require(URLComponents(string: address)?.queryItems)
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    private func authenticate(
        _ visitor: inout PortalVisitor, _ service: TestService, _ purpose: String, as person: String
    ) async throws -> TestResponse {
        let page = try await visitor.send(.get, "/prove?\(query(purpose))")
        #expect(page.status == .ok)
        return try await visitor.follow(
            try link(page, /href="(\/prove\/google\?[^"]+)"/), service, as: person)
    }

    @Test("verifying an identity in the browser re-authenticates the requesting app's session, only once")
    func reauthenticates() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let session = try await service.signIn(.google, "dev-bob", device: 7).session
            service.clock.advance(by: 3000)
            let stale = try await http.post(
                "/auth/unlink-account", UnlinkRequest(linkID: try await service.linkID(.google, session)),
                token: session.accessToken)
            #expect(stale.status == .forbidden)
            // A browser without a session works too.
            var visitor = PortalVisitor(http)
            let proved = try await authenticate(&visitor, service, "reauthenticate", as: "bob")
            #expect(proved.status == .ok && String(buffer: proved.body).contains("photolala"))
            #expect(!proved.headers[values: .setCookie].contains { $0.hasPrefix("__Host-photolala-session=") })
            let told = try redirectParameters(proved)
            #expect(told["state"] == "s t" && told["iss"] == TestService.publicURL && told["error"] == nil)
            let code = try #require(told["code"])
            func send(_ verifier: String, _ path: String = "/auth/reauthenticate") async throws -> TestResponse {
                try await http.post(
                    path, ReauthenticationRequest(pendingIdentity: code, codeVerifier: verifier),
                    token: session.accessToken)
            }
            let wrong = try await send(String(repeating: "w", count: 43))
            #expect(try wrong.status == .unauthorized && http.problem(wrong).code == .invalidPendingIdentity)
            let renewed = try await send(Self.verifier)
            #expect(renewed.status == .ok)
            let fresh = try http.answer(renewed, as: Reauthenticated.self).session
            let challenge = try await http.post(
                "/auth/challenge", ChallengeRequest(purpose: .link, deviceID: device), token: fresh.accessToken)
            #expect(challenge.status == .ok)
            let again = try await send(Self.verifier)
            #expect(try again.status == .unauthorized && http.problem(again).code == .invalidPendingIdentity)
        }
    }

    @Test("an identity that is verified for linking is linked in the app's session")
    func links() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let session = try await service.signUp(.apple, "bob", device: 7).session
            var visitor = PortalVisitor(http)
            let code = try #require(
                try redirectParameters(try await authenticate(&visitor, service, "link", as: "bob"))["code"])
            let linked = try await http.post(
                "/auth/link-account", LinkRequest(pendingIdentity: code, codeVerifier: Self.verifier),
                token: session.accessToken)
            #expect(linked.status == .ok)
            let links = try http.answer(linked, as: LinkedProviders.self).linkedProviders
            #expect(links.map(\.provider) == [.apple, .google])
        }
    }

    @Test("the page names the app, offers the requested provider, and returns to the app with an error on cancel")
    func page() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var visitor = PortalVisitor(http)
            let all = String(buffer: try await visitor.send(.get, "/prove?\(query("link"))").body)
            #expect(all.contains("/prove/google?") && all.contains("/prove/apple?") && all.contains("photolala"))
            let one = try await visitor.send(.get, "/prove?\(query("link", ["provider": "google"]))")
            let text = String(buffer: one.body)
            #expect(text.contains("/prove/google?") && !text.contains("/prove/apple?"))
            let told = try redirectParameters(one)
            #expect(told["error"] == "access_denied" && told["state"] == "s t" && told["code"] == nil)
            #expect(one.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        }
    }

    @Test("verification starts only from the page itself; other links lead back to the page or return 400")
    func begins() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var visitor = PortalVisitor(http)
            let page = try await visitor.send(.get, "/prove?\(query("link"))")
            let good = try link(page, /href="(\/prove\/google\?[^"]+)"/)
            let without = String(good.prefix { $0 != "&" })
            let refused = try await visitor.send(.get, without)
            #expect(refused.status == .seeOther && refused.headers[.location] == "/prove?\(query("link"))")
            var other = PortalVisitor(http)
            _ = try await other.send(.get, "/sign-in")
            #expect(try await other.send(.get, good).headers[.location] == "/prove?\(query("link"))")
            var none = PortalVisitor(http)
            #expect(try await none.send(.get, good).status == .badRequest)
            let away = try await visitor.send(.get, good)
            #expect(away.headers[.location]?.contains("/dev/providers/google/") == true)
            #expect(away.headers[.location]?.contains("prompt=") == true)
        }
    }

    @Test("an unknown app gets no redirect, a malformed request is reported to the app, and other errors are pages")
    func refusals() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            for changes in [
                ["client_id": "unknown"], ["redirect_uri": "https://evil.example/"], ["client_id": nil],
            ] as [[String: String?]] {
                let response = try await http.send(.get, "/prove?\(query("link", changes))")
                #expect(response.status == .badRequest && response.headers[.location] == nil)
            }
            for (purpose, changes) in [
                ("signin", [:]), ("", [:]), ("link", ["device_id": nil]), ("link", ["provider": "unknown"]),
                ("link", ["code_challenge": nil]),
            ] as [(String, [String: String?])] {
                let response = try await http.send(.get, "/prove?\(query(purpose, changes))")
                let location = try #require(response.headers[.location])
                #expect(location.hasPrefix("\(Self.back)?error=invalid_request"), "\(purpose) \(changes)")
            }
            let long = try await http.send(.get, "/prove?\(query("link"))&x=\(String(repeating: "x", count: 2000))")
            #expect(long.status == .badRequest && String(buffer: long.body).contains("2,000 bytes"))
            let unknown = try await http.send(.get, "/prove/Unknown!")
            #expect(unknown.status == .notFound && unknown.headers[.contentType] == "text/html; charset=utf-8")
        }
    }
}
