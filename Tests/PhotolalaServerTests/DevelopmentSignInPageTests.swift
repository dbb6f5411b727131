import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// The development provider's sign-in page over HTTP.
@Suite struct DevelopmentSignInPageTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    private static let validRequest =
        "client_id=web&redirect_uri=http%3A%2F%2Flocalhost%3A5000%2Fcb&response_type=code&scope=openid&state=s"

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test("the page offers the test persons, loads no external resources and runs no script")
    func page() async throws {
        try await TestService.make().exchange { http in
            let page = try await http.send(.get, "/dev/providers/google/oauth/authorize?\(Self.validRequest)")
            #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.cacheControl] == "no-store")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            for rule in [
                "default-src 'none'", "style-src 'self'", "frame-ancestors 'none'",
                "form-action 'self' http: https:",
            ] {
                #expect(policy.contains(rule))
            }
            #expect(!policy.contains("script") && !policy.contains("unsafe"))
            for person in ["bob", "alice", "carol"] { #expect(text(page).contains(#"value="\#(person)""#)) }
            #expect(text(page).contains(#"<input type="hidden" name="state" value="s">"#))
            let path = try #require(text(page).firstMatch(of: /href="(\/assets\/[0-9a-f]+\/portal\.css)"/)?.1)
            let style = try await http.send(.get, String(path))
            #expect(style.headers[.contentType] == "text/css; charset=utf-8" && text(style).contains("main"))
        }
    }

    @Test("parameters from an app appear as text and never as markup")
    func escaping() async throws {
        try await TestService.make().exchange { http in
            let asked = "\(Self.validRequest)%22%3E%3Cscript%3E&nonce=%27%3E%3Cb%3E"
            let page = try await http.send(
                .get,
                "/dev/providers/google/oauth/authorize?\(asked)".replacing("client_id=web", with: "client_id=%3Ci%3E"))
            for mark in ["<script>", "<b>", "<i>"] { #expect(!text(page).contains(mark)) }
            // Browsers parse the character without the mark that is attached to it.
            for (sent, mark) in [("%22%CC%81", "\"\u{301}"), ("%D8%80%3Cb", "\u{600}<b")] {
                let attached = try await http.send(
                    .get, "/dev/providers/google/oauth/authorize?\(Self.validRequest)\(sent)")
                #expect(attached.status == .ok)
                #expect(!text(attached).unicodeScalars.contains(Array(mark.unicodeScalars)))
            }
            #expect(text(page).contains("&lt;i&gt;"))
        }
    }

    @Test("a choice redirects to the app, and for Apple through a form that submits itself")
    func answers() async throws {
        try await TestService.make().exchange { http in
            let google = try await http.send(
                .post, "/dev/providers/google/oauth/authorize", json: "\(Self.validRequest)&person=bob",
                headers: Self.form)
            #expect(google.status == .seeOther)
            let location = try #require(google.headers[.location])
            #expect(location.hasPrefix("http://localhost:5000/cb?code=c.") && location.contains("&state=s"))
            let apple = try await http.send(
                .post, "/dev/providers/apple/oauth/authorize",
                json: "\(Self.validRequest)&response_mode=form_post&person=bob", headers: Self.form)
            #expect(
                apple.status == .ok && text(apple).contains(#"<form method="post" action="http://localhost:5000/cb">"#))
            #expect(text(apple).contains(#"name="code" value="c."#))
            // The script that runs is exactly the one that its policy names.
            let policy = try #require(apple.headers[.contentSecurityPolicy])
            let script = try #require(text(apple).firstMatch(of: /<script>(.*)<\/script>/)?.output.1)
            let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
            #expect(policy.contains("script-src 'sha256-\(hash)'") && policy.contains("form-action http: https:"))
        }
    }

    @Test("a request without a valid redirect URI gets an error page")
    func refusals() async throws {
        try await TestService.make().exchange { http in
            for path in ["authorize", "authorize?client_id=web&redirect_uri=https://photos.example/"] {
                let page = try await http.send(.get, "/dev/providers/google/oauth/\(path)")
                #expect(page.status == .badRequest && text(page).contains("redirect_uri"))
                #expect(page.headers[.location] == nil)
            }
            let json = try await http.send(.post, "/dev/providers/google/oauth/authorize", json: "{}")
            #expect(json.status == .unsupportedMediaType)
        }
    }
}
