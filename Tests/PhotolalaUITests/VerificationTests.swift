import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// An action that requires recent authentication asks for it and then runs.
@MainActor
@Suite struct VerificationTests {
    /// Runs a test with a flow whose action requires authentication at first.
    private static func verifying(
        _ script: [String: [FakeServer.Response]] = [:],
        _ test: @escaping @MainActor @Sendable (ScreenFixture, ScreenFlow<String>) async throws -> Void
    ) async throws {
        try await ScreenFixture.signedIn(script) { fixture in
            let flow = ScreenFlow<String>(fixture.context)
            var attempts = 0
            flow.connect(fetch: {}) { _ in
                attempts += 1
                if attempts == 1 { throw PhotolalaError(code: .reauthenticationRequired, detail: "d") }
                return .finished
            }
            flow.load()
            await flow.wait()
            flow.start("a")
            await flow.wait()
            try await test(fixture, flow)
        }
    }

    @Test("the person verifies with a provider of the account, and the action runs again")
    func verify() async throws {
        let script = ["GET /auth/linked-accounts": [ScreenFixture.links(.facebook, .google)]]
        try await Self.verifying(script) { fixture, flow in
            #expect(flow.state == .verifying("a", with: [.google]) && flow.failure == nil)
            flow.verify(with: .apple)
            #expect(flow.state == .verifying("a", with: [.google]))
            flow.verify(with: .google)
            #expect(flow.state == .working("a"))
            flow.verify(with: .google)
            await flow.wait()
            #expect(flow.state == .finished && fixture.count("/auth/reauthenticate") == 1)
            let body = try #require(fixture.client.server.requests("/auth/reauthenticate").first?.text)
            #expect(body.contains("token of google for nonce") && body.contains(#""challenge":"nonce""#))
        }
    }

    @Test(
        "after a failed verification the person can choose again",
        arguments: [ErrorCode.invalidToken, .temporarilyUnavailable])
    func failed(code: ErrorCode) async throws {
        let answers = [FakeServer.problem(code, 401), ClientFixture.refreshed("verified")]
        try await Self.verifying(["POST /auth/reauthenticate": answers]) { fixture, flow in
            flow.verify(with: .apple)
            await flow.wait()
            #expect(flow.state == .verifying("a", with: [.apple]))
            #expect((flow.failure == .wrongIdentity) == (code == .invalidToken))
            #expect(flow.failure?.code == (code == .invalidToken ? nil : code))
            flow.verify(with: .apple)
            await flow.wait()
            #expect(flow.state == .finished && flow.failure == nil)
        }
    }

    @Test("a closed sign-in returns to the choice without a failure, a failed one shows it")
    func provider() async throws {
        try await Self.verifying { fixture, flow in
            for code in [ErrorCode.cancelled, .providerSignInFailed] {
                fixture.providers.failNext(code)
                flow.verify(with: .apple)
                await flow.wait()
                #expect(flow.state == .verifying("a", with: [.apple]))
                #expect(flow.failure == (code == .cancelled ? nil : .provider(.apple, "text")))
            }
            flow.dismiss()
            #expect(flow.state == .ready && flow.failure == nil && fixture.count("/auth/reauthenticate") == 0)
        }
    }

    @Test("a revoked or pending identity cannot verify the person", arguments: [LinkState.revoked, .pending])
    func revoked(state: LinkState) async throws {
        let links = LinkedProviders(linkedProviders: [ScreenFixture.link(.apple, 1, state: state)])
        try await Self.verifying(["GET /auth/linked-accounts": [FakeServer.json(links)]]) { _, flow in
            #expect(flow.state == .ready && flow.failure?.code == .reauthenticationRequired)
        }
    }

    /// A sign-in window whose person signs in at once.
    private struct Window: AuthorizationBrowser {
        func open(_ page: URL, until redirectURI: String) async throws(PhotolalaError) -> URL {
            let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let state = items.first { $0.name == "state" }?.value ?? ""
            #expect(page.path == "/prove" && items.contains(URLQueryItem(name: "provider", value: "facebook")))
            let iss = "https%3A%2F%2Fphotos.example"
            guard let callback = URL(string: "\(redirectURI)?code=proved&state=\(state)&iss=\(iss)") else {
                throw PhotolalaError(code: .cancelled, detail: "Cancelled.")
            }
            return callback
        }
    }

    @Test("a person whose account has no provider of the app verifies in the browser", arguments: [true, false])
    func browser(isRight: Bool) async throws {
        let answer =
            isRight ? ClientFixture.refreshed("verified") : FakeServer.problem(.invalidToken, 401)
        try await ScreenFixture.signedIn([
            "GET /auth/linked-accounts": [ScreenFixture.links(.facebook, .facebook)],
            "POST /auth/reauthenticate": [answer],
        ]) { fixture in
            let context = fixture.context.verifying(
                in: Window(), as: BrowserClient(id: "app", redirectURI: "app.example:/done"))
            let flow = ScreenFlow<String>(context)
            var attempts = 0
            flow.connect(fetch: {}) { _ in
                attempts += 1
                if attempts == 1 { throw PhotolalaError(code: .reauthenticationRequired, detail: "d") }
                return .finished
            }
            flow.load()
            await flow.wait()
            flow.start("a")
            await flow.wait()
            #expect(flow.state == .verifying("a", with: [.facebook]))
            flow.verify(with: .facebook)
            await flow.wait()
            #expect(flow.state == (isRight ? .finished : .verifying("a", with: [.facebook])))
            #expect(flow.failure == (isRight ? nil : .wrongIdentity))
            let body = fixture.client.server.requests("/auth/reauthenticate").first?.text ?? ""
            #expect(body.contains(#""pendingIdentity":"proved""#))
        }
    }

    @Test("an app's own provider of the account is preferred to the browser")
    func native() async throws {
        try await ScreenFixture.signedIn(["GET /auth/linked-accounts": [ScreenFixture.links(.facebook, .google)]]) {
            fixture in
            let context = fixture.context.verifying(
                in: Window(), as: BrowserClient(id: "app", redirectURI: "app.example:/done"))
            let providers = try await context.verificationProviders()
            #expect(providers == [.google])
        }
    }

    @Test("without a usable provider of the account, the error is shown")
    func nothing() async throws {
        let script = ["GET /auth/linked-accounts": [ScreenFixture.links(.facebook)]]
        try await Self.verifying(script) { _, flow in
            #expect(flow.state == .ready && flow.failure?.code == .reauthenticationRequired)
        }
    }

    @Test("a session that ended in between leads to the welcome screen")
    func ended() async throws {
        let script = ["GET /auth/linked-accounts": [FakeServer.problem(.sessionEnded, 401)]]
        try await Self.verifying(script) { _, flow in #expect(flow.state == .signedOut) }
    }
}
