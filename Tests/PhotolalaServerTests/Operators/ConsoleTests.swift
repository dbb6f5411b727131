import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Operators
import PhotolalaTesting
import Testing
import UseCases

/// The operators' pages.
@Suite struct ConsoleTests {
    private static func submit(
        _ client: any TestClientProtocol, _ path: String, _ form: String, cookie: String? = nil,
        origin: String? = "http://localhost"
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        headers[.origin] = origin
        headers[.cookie] = cookie
        return try await client.execute(
            uri: path, method: .post, headers: headers, body: ByteBuffer(string: form))
    }

    private static func signIn(_ client: any TestClientProtocol, _ fixture: OperatorFixture) async throws -> String {
        let key = try #require(fixture.keys[.read])
        let answer = try await submit(client, "/console/session", "key=\(key)&reason=ticket-7")
        let field = try #require(answer.headers[.setCookie])
        #expect(answer.status == .seeOther && answer.headers[.location] == "/console")
        for attribute in ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"] { #expect(field.contains(attribute)) }
        #expect(!field.contains(key))
        return String(field.prefix { $0 != ";" })
    }

    @Test("a session shows accounts, history and jobs with the reason of its sign-in, and never a subject")
    func pages() async throws {
        let fixture = try await OperatorFixture()
        let bob = try await fixture.service.signUp(.apple, "canary-bob", email: "canary@gmail.com")
        let user = bob.user.serviceUserID.description
        try await fixture.exchange { client in
            let cookie = try await Self.signIn(client, fixture)
            for form in ["account=\(user)", "email=canary%40gmail.com", "provider=apple&subject=canary-bob"] {
                let found = try await Self.submit(client, "/console/search", form, cookie: cookie)
                #expect(found.status == .seeOther && found.headers[.location] == "/console/accounts/\(user)", "\(form)")
            }
            for before in ["\(Int.min)", "-5", "0", "1", "\(Int.max)", "x"] {
                let path = "/console/accounts/\(user)/history?before=\(before)"
                let page = try await client.execute(uri: path, method: .get, headers: [.cookie: cookie])
                #expect(page.status == .ok, "\(before)")
            }
            let paths = [
                "/console", "/console/accounts", "/console/accounts/\(user)", "/console/accounts/\(user)/history",
                "/console/jobs",
            ]
            for path in paths {
                let page = try await client.execute(uri: path, method: .get, headers: [.cookie: cookie])
                let text = String(buffer: page.body)
                #expect(page.status == .ok && text.contains("</html>"), "\(path)")
                #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
                #expect(!text.localizedCaseInsensitiveContains("canary"), "\(path)")
                #expect(text.contains(user) == path.contains("accounts"), "\(path)")
            }
        }
        let recorded = try await fixture.recorded()
        #expect(recorded.allSatisfy { $0.reason == "ticket-7" && $0.operatorName == "read-key" })
        // Calls of one millisecond have no order.
        #expect(
            Set(recorded.map(\.action)) == [
                "account.history", "account.list", "account.show", "console.open", "identity.find", "job.list",
            ])
    }

    @Test("without a session, after its end or its key's, every page asks for a sign-in")
    func ended() async throws {
        let fixture = try await OperatorFixture()
        try await fixture.exchange { client in
            let cookie = try await Self.signIn(client, fixture)
            let before = try await client.execute(uri: "/console/jobs", method: .get, headers: [.cookie: cookie])
            #expect(before.status == .ok)
            for value in ["", "\(cookie)x", "__Host-photolala-console=x.y"] {
                let page = try await client.execute(uri: "/console/jobs", method: .get, headers: [.cookie: value])
                #expect(page.status == .seeOther && page.headers[.location] == "/console")
            }
            fixture.service.clock.advance(by: 8 * 3600)
            let late = try await client.execute(uri: "/console/jobs", method: .get, headers: [.cookie: cookie])
            #expect(late.status == .seeOther)
            let fresh = try await Self.signIn(client, fixture)
            let keys = fixture.service.services.operators.calls.keys
            let key = try #require(try await keys.all().first { $0.role == .read })
            _ = try await keys.end(key.id, at: fixture.service.clock.now)
            let revoked = try await client.execute(uri: "/console/jobs", method: .get, headers: [.cookie: fresh])
            #expect(revoked.status == .seeOther)
        }
    }

    @Test("a form of another site, or without an origin, is refused", arguments: ["https://evil.example", "null", nil])
    func origin(_ origin: String?) async throws {
        let fixture = try await OperatorFixture()
        try await fixture.exchange { client in
            let cookie = try await Self.signIn(client, fixture)
            for path in ["/console/session", "/console/search", "/console/sign-out"] {
                let answer = try await Self.submit(
                    client, path, "account=x", cookie: cookie, origin: origin)
                #expect(answer.status == .forbidden && answer.headers[.setCookie] == nil, "\(path)")
            }
        }
    }

    @Test("what a form holds is shown as text")
    func escaping() async throws {
        let fixture = try await OperatorFixture()
        let key = try #require(fixture.keys[.read])
        try await fixture.exchange { client in
            let answer = try await Self.submit(
                client, "/console/session", "key=\(key)&reason=%3Cscript%3Ealert(1)%3C%2Fscript%3E")
            let cookie = String(try #require(answer.headers[.setCookie]).prefix { $0 != ";" })
            let page = try await client.execute(uri: "/console", method: .get, headers: [.cookie: cookie])
            let text = String(buffer: page.body)
            #expect(!text.contains("<script>alert") && text.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test("a wrong key and a blank reason are explained")
    func refusals() async throws {
        let fixture = try await OperatorFixture()
        let key = try #require(fixture.keys[.read])
        try await fixture.exchange { client in
            let wrong = try await Self.submit(client, "/console/session", "key=x&reason=ticket")
            #expect(wrong.status == .unauthorized && String(buffer: wrong.body).contains("unknown or has ended"))
            let blank = try await Self.submit(client, "/console/session", "key=\(key)&reason=%20")
            #expect(blank.status == .badRequest && blank.headers[.setCookie] == nil)
        }
    }
}
