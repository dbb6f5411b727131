import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// Help after a sign-in that found no account, and what becomes of its identity.
@MainActor
@Suite struct WrongProviderTests {
    static func help(
        _ tried: ProviderName, hints: [ProviderName] = [.apple], _ others: [ProviderName]
    ) -> WelcomeState {
        .noAccount(NoAccountHelp(tried: tried, hints: hints, others: others))
    }

    /// Runs a test after a sign-in with Google found no account.
    static func afterGoogle(
        _ script: [String: [FakeServer.Response]] = [:],
        _ test: @escaping @MainActor @Sendable (ScreenFixture, WelcomeModel) async throws -> Void
    ) async throws {
        let signIn = ["POST /auth/signin": [WelcomeTests.noAccount, ClientFixture.signedInAnswer()]]
        try await ScreenFixture.with(signIn.merging(script) { _, own in own }) { fixture in
            let model = await WelcomeTests.choosing(.signIn, fixture)
            model.signIn(with: .google)
            await model.wait()
            #expect(model.state == help(.google, [.apple, .microsoft]) && model.failure == nil)
            try await test(fixture, model)
        }
    }

    @Test("the hinted provider signs in, and the first identity is then linked without another sign-in")
    func linked() async throws {
        try await Self.afterGoogle(["POST /auth/link-account": [ScreenFixture.links(.apple, .google)]]) {
            fixture, model in
            model.signIn(with: .apple)
            await model.wait()
            #expect(model.state == .linkOffer(.google, WelcomeTests.result()))
            model.link()
            #expect(model.state == .linking(.google, WelcomeTests.result()))
            model.link()
            model.skipLink()
            await model.wait()
            #expect(model.state == .signedIn(WelcomeTests.result(linked: [.google])))
            #expect(fixture.providers.asked.withLock { $0 } == [.google, .apple])
            let bodies = fixture.client.server.requests("/auth/link-account").map(\.text)
            #expect(bodies.count == 1 && bodies[0].contains(#""pendingIdentity":"sealed""#))
        }
    }

    @Test("creating an account uses the identity without asking the provider again, with its name")
    func created() async throws {
        try await Self.afterGoogle { fixture, model in
            model.createAccount(with: .google)
            await model.wait()
            #expect(model.state == .signedIn(WelcomeTests.result(isNew: true)))
            #expect(fixture.providers.asked.withLock { $0 } == [.google])
            let body = try #require(fixture.client.server.requests("/auth/signup").first?.text)
            #expect(body.contains(#""pendingIdentity":"sealed""#) && body.contains(#""fullName":"Bob of google""#))
        }
    }

    @Test("a second wrong provider keeps the first one's identity, and both can be used")
    func twoWrong() async throws {
        let second = FakeServer.problem(.noAccountFound, 404, pending: "second")
        let script = [
            "POST /auth/signin": [WelcomeTests.noAccount, second],
            "POST /auth/link-account": [ScreenFixture.links(.google, .microsoft)],
        ]
        try await Self.afterGoogle(script) { fixture, model in
            model.signIn(with: .microsoft)
            await model.wait()
            #expect(model.state == Self.help(.microsoft, [.apple, .google]))
            model.createAccount(with: .google)
            await model.wait()
            #expect(model.state == .linkOffer(.microsoft, WelcomeTests.result(isNew: true)))
            model.link()
            await model.wait()
            #expect(model.state == .signedIn(WelcomeTests.result(isNew: true, linked: [.microsoft])))
            let used = ["/auth/signup", "/auth/link-account"].map { fixture.client.server.requests($0)[0].text }
            #expect(used[0].contains("sealed") && used[1].contains("second"))
        }
    }
}
