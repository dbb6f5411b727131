import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing
import UseCases

/// Forms of an account over its limit of calls.
@Suite struct RefusedFormTests {
    /// Runs a closure with a visitor who has the form token and no call left. Each three seconds bring one.
    private static func withoutCalls(
        _ act: @escaping @Sendable (TestService, inout PortalVisitor, _ token: String) async throws -> Void
    ) async throws {
        let service = try await TestService.withFewCalls()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let token = try await bob.formToken()
            while try await bob.send(.get, "/library").status == .ok {}
            try await act(service, &bob, token)
        }
    }

    private static func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test(
        "after an act with the last call, the refused page says that it was processed, and reports it later",
        arguments: [
            ("/library/favorites", "favorite=1", #"<div class="toast">"#), ("/library/albums", "name=Rome", "Rome"),
        ])
    func lastCall(_ path: String, _ fields: String, _ shown: String) async throws {
        try await Self.withoutCalls { service, bob, token in
            service.clock.advance(by: 3)
            let sent = try await bob.post(path, fields, token: token)
            let next = try #require(sent.headers[.location])
            var refused = try await bob.send(.get, next)
            #expect(refused.status == .tooManyRequests)
            #expect(Self.text(refused).contains("What you sent has been processed."))
            // Another page claims nothing.
            #expect(!Self.text(try await bob.send(.get, "/library/trash")).contains("processed"))
            service.clock.advance(by: 1)
            refused = try await bob.send(.get, next)
            let wait = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
            #expect(Self.text(refused).contains("The page with the result opens by itself in \(wait) seconds."))
            let cookie = refused.headers[values: .setCookie].first { $0.contains("outcome") }
            #expect(cookie?.contains("Max-Age=\(60 + wait)") == true)
            service.clock.advance(by: 3)
            #expect(try await bob.page(next).contains(shown))
        }
    }

    @Test("a refused form is shown with its text and can be sent again")
    func again() async throws {
        try await Self.withoutCalls { service, bob, token in
            let refused = try await bob.post("/library/albums", "name=%22%3E%3Cb%3ERome", token: token)
            let page = Self.text(refused)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "3")
            #expect(page.contains("Too many requests. Try again in 3 seconds."))
            #expect(page.contains(#"<form method="post" action="/library/albums">"#))
            #expect(page.contains(#"<input type="hidden" name="form_token" value="\#(token)">"#))
            #expect(page.contains(/<input name="name"[^>]* value="&quot;&gt;&lt;b&gt;Rome">/))
            service.clock.advance(by: 3)
            let sent = try await bob.post("/library/albums", "name=%22%3E%3Cb%3ERome", token: token)
            #expect(sent.status == .seeOther)
        }
    }

    @Test("the page for a refused form does not repeat its password, and asks for it")
    func secret() async throws {
        try await Self.withoutCalls { _, bob, token in
            let fields = "share=album&album=0123456789abcdef&title=Rome&expires=7&password="
            let page = Self.text(try await bob.post("/library/shared/new", fields + "opensesame", token: token))
            #expect(!page.contains("opensesame"))
            #expect(page.contains(/<input name="password" required/) && page.contains(#"name="expires" value="7""#))
            #expect(page.contains(/<input name="title"[^>]* value="Rome">/))
            let open = Self.text(try await bob.post("/library/shared/new", fields, token: token))
            #expect(open.contains(#"name="expires""#) && !open.contains(#"name="password""#))
        }
    }

    @Test(
        "a large form, and one that confirms an act, is refused without being repeated",
        arguments: [
            "confirmation=DELETE", "confirmed=1",
            (1...400).map { "field\($0)=1" }.joined(separator: "&"), "name=" + String(repeating: "%22", count: 17_000),
        ])
    func large(_ fields: String) async throws {
        try await Self.withoutCalls { _, bob, token in
            let refused = try await bob.post("/library/albums", fields, token: token)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "3")
            #expect(refused.body.readableBytes < 16 << 10 && !Self.text(refused).contains("form_token"))
        }
    }

    @Test("a script gets the refusal of its form as data, and a form of another origin is not shown")
    func others() async throws {
        try await Self.withoutCalls { _, bob, token in
            let form = "application/x-www-form-urlencoded"
            let script = try await bob.send(
                .post, "/library/albums", json: "form_token=\(token)&name=Rome",
                headers: [.contentType: form, .accept: "application/json"])
            #expect(script.status == .tooManyRequests && Self.text(script).hasPrefix("{"))
            let foreign = try await bob.send(
                .post, "/library/albums", json: "name=Rome",
                headers: [.contentType: form, .origin: "https://example.com"])
            #expect(foreign.status == .forbidden && !Self.text(foreign).contains("Rome"))
        }
    }
}
