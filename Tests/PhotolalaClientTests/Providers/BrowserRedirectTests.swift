import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Secrets
import Testing

/// The redirect at the end of an authentication in a browser.
@Suite struct BrowserRedirectTests {
    private static let redirect = "app.example:/done"
    private static let script = [
        "POST /auth/signin": [ClientFixture.signedInAnswer()],
        "POST /auth/challenge": [FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))],
        "POST /auth/link-account": [FakeServer.json(LinkedProviders(linkedProviders: []))],
        "POST /token": [
            FakeServer.json(
                AppTokens(ClientFixture.tokens("app"), of: AccountPinTests.eve, at: ClientFixture.start))
        ], "POST /auth/signout": [FakeServer.nothing],
    ]

    private static func parameter(_ name: String, of page: URL) throws -> String {
        let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return try #require(items.first { $0.name == name }?.value)
    }

    /// - Parameter answer: The query of the redirect; `STATE` is the right state.
    private static func callback(_ answer: String, to page: URL) throws -> URL {
        let state = try parameter("state", of: page)
        return try #require(URL(string: "\(redirect)?\(answer.replacingOccurrences(of: "STATE", with: state))"))
    }

    @Test(arguments: [
        "code=proved&state=STATE", "code=proved&state=STATE&iss=https%3A%2F%2Fevil.example",
        "code=proved&state=STATE&iss=photos.example", "code=proved&iss=https%3A%2F%2Fphotos.example",
        "code=proved&state=x&iss=https%3A%2F%2Fphotos.example",
        "code=proved&state=x&state=STATE&iss=https%3A%2F%2Fphotos.example",
    ])
    func `a redirect of another server or request sends nothing`(answer: String) async throws {
        try await ClientFixture.with(Self.script) { fixture in
            let signIn = try await fixture.session().beginBrowserSignIn(client: "app", redirectURI: Self.redirect)
            let callback = try Self.callback(answer, to: signIn.url)
            let result = await Task { try await fixture.session().finish(signIn, callback: callback) }.result
            #expect((try? result.get()) == nil)
            let session = try await fixture.signedIn()
            let proof = try await session.beginBrowserLink(client: "app", redirectURI: Self.redirect)
            let other = try Self.callback(answer, to: proof.url)
            let link = await Task { try await session.link(proof, callback: other) }.result
            #expect((try? link.get()) == nil)
            #expect(fixture.server.requests("/token").isEmpty && fixture.server.requests("/auth/link-account").isEmpty)
        }
    }

    @Test func `the verifier proves the page's code challenge, and is no part of its address`() async throws {
        try await ClientFixture.with(Self.script) { fixture in
            let session = try await fixture.signedIn()
            let proof = try await session.beginBrowserLink(client: "app", redirectURI: Self.redirect)
            let callback = try Self.callback("code=proved&state=STATE&iss=https%3A%2F%2Fphotos.example", to: proof.url)
            try await session.link(proof, callback: callback)
            struct Body: Decodable { let codeVerifier: String }
            let sent = try #require(fixture.server.requests("/auth/link-account").first?.text)
            let verifier = try JSONDecoder().decode(Body.self, from: Data(sent.utf8)).codeVerifier
            let challenge = try Self.parameter("code_challenge", of: proof.url)
            #expect(challenge == Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8)))))
            #expect(verifier.count == 43 && !proof.url.absoluteString.contains(verifier))
        }
    }

    @Test(arguments: [true, false])
    func `a session that the device does not store is ended`(isOther: Bool) async throws {
        let account = "GET /users/\(AccountPinTests.eve)"
        let bob = "GET /users/\(ClientFixture.user)"
        let script =
            isOther
            ? [
                account: [FakeServer.json(ClientFixture.account(AccountPinTests.eve))],
                bob: [FakeServer.json(ClientFixture.account())],
            ]
            : [account: [FakeServer.problem(.temporarilyUnavailable, 503)]]
        try await ClientFixture.with(Self.script.merging(script) { _, own in own }) { fixture in
            let session = try fixture.session()
            let signIn = try await session.beginBrowserSignIn(client: "app", redirectURI: Self.redirect)
            if isOther { try await session.signIn(ClientFixture.credential) }
            let callback = try Self.callback("code=c&state=STATE&iss=https%3A%2F%2Fphotos.example", to: signIn.url)
            await expect(isOther ? .alreadySignedIn : .temporarilyUnavailable) {
                try await session.finish(signIn, callback: callback)
            }
            #expect(fixture.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-app"}"#])
            let user = try await session.signedInUserID()
            #expect(user == (isOther ? ClientFixture.user : nil))
        }
    }
}
