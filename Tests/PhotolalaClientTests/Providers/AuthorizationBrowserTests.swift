import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@Suite struct AuthorizationBrowserTests {
    private static let client = BrowserClient(id: "app", redirectURI: "app.example:/done")

    @Test func `a link and a reauthentication go through the server's page`() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/challenge": [FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))],
            "POST /auth/reauthenticate": [ClientFixture.refreshed("fresh")],
            "POST /auth/link-account": [FakeServer.json(LinkedProviders(linkedProviders: []))],
        ]) { fixture in
            let session = try await fixture.signedIn()
            let browser = FakeBrowser()
            try await session.reauthenticate(in: browser, as: Self.client)
            try await session.link(in: browser, as: Self.client, provider: .google)
            for path in ["/auth/reauthenticate", "/auth/link-account"] {
                let body = try #require(fixture.server.requests(path).first?.text)
                #expect(body.contains(#""pendingIdentity":"proved""#) && body.contains("codeVerifier"))
            }
        }
    }

    @Test func `a closed window sends nothing`() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.cancelled) {
                try await session.reauthenticate(in: FakeBrowser(isClosed: true), as: Self.client)
            }
            #expect(fixture.server.requests("/auth/reauthenticate").isEmpty)
        }
    }

    @Test func `a sign-in opens the page for the chosen provider`() async throws {
        try await ClientFixture.with([
            "POST /token": [FakeServer.problem(.invalidRequest, 400)]
        ]) { fixture in
            await expect(.invalidRequest) {
                try await fixture.session().signIn(
                    in: FakeBrowser { page in
                        #expect(page.path == "/authorize" && (page.query ?? "").contains("provider=google"))
                        #expect((page.query ?? "").contains("prompt=create"))
                    }, as: Self.client, provider: .google, createsAccount: true)
            }
            let body = try #require(fixture.server.requests("/token").first?.text)
            #expect(body.contains("code=proved"))
        }
    }
}

/// A browser whose user signs in at once.
private struct FakeBrowser: AuthorizationBrowser {
    var isClosed = false
    var look: @Sendable (URL) -> Void = { _ in }

    func open(_ page: URL, until redirectURI: String) async throws(PhotolalaError) -> URL {
        look(page)
        let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
        guard !isClosed, let state = items.first(where: { $0.name == "state" })?.value,
            let callback = URL(
                string: "\(redirectURI)?code=proved&state=\(state)&iss=https%3A%2F%2Fphotos.example")
        else { throw PhotolalaError(code: .cancelled, detail: "Cancelled.") }
        return callback
    }
}
