import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// Sign In and Create Account.
@MainActor
@Suite struct WelcomeTests {
    nonisolated static let noAccount = FakeServer.problem(.noAccountFound, 404, pending: "sealed")

    /// Returns the model of a device without an account, at the choice of a provider.
    static func choosing(_ purpose: WelcomePurpose, _ fixture: ScreenFixture) async -> WelcomeModel {
        let model = WelcomeModel(fixture.context)
        model.load()
        await model.wait()
        model.choose(purpose)
        return model
    }

    static func result(isNew: Bool = false, linked: [ProviderName] = []) -> WelcomeResult {
        WelcomeResult(user: ClientFixture.user, isNew: isNew, keptProviders: [], linkedProviders: linked)
    }

    @Test("a device without an account shows the welcome screen, and the platform's provider is first")
    func welcome() async throws {
        try await ScreenFixture.with { fixture in
            let model = WelcomeModel(fixture.context)
            model.load()
            #expect(model.state == .loading)
            await model.wait()
            #expect(model.state == .welcome && model.providers == [.apple, .google, .microsoft])
            for purpose in WelcomePurpose.allCases {
                model.choose(purpose)
                #expect(model.state == .choosing(purpose))
                model.back()
                #expect(model.state == .welcome)
            }
            model.signIn(with: .apple)
            model.createAccount(with: .apple)
            await model.wait()
            #expect(model.state == .welcome && fixture.providers.asked.withLock { $0.isEmpty })
        }
    }

    @Test("a signed-in device shows its account, and the welcome screen after it was signed out")
    func signedIn() async throws {
        try await ScreenFixture.signedIn(["POST /auth/signout": [FakeServer.nothing]]) { fixture in
            let model = WelcomeModel(fixture.context)
            model.load()
            await model.wait()
            #expect(model.state == .signedIn(Self.result()))
            try await fixture.session.signOut()
            model.load()
            await model.wait()
            #expect(model.state == .welcome)
        }
    }

    @Test("signing in sends the challenge and never creates an account")
    func signIn() async throws {
        try await ScreenFixture.with { fixture in
            let model = await Self.choosing(.signIn, fixture)
            model.createAccount(with: .google)
            model.signIn(with: .google)
            #expect(model.state == .authenticating(.google, .signIn))
            await model.wait()
            #expect(model.state == .signedIn(Self.result()) && fixture.count("/auth/signup") == 0)
            let body = try #require(fixture.client.server.requests("/auth/signin").first?.text)
            #expect(body.contains("token of google for nonce") && body.contains(#""challenge":"nonce""#))
        }
    }

    @Test("creating an account sends the name and never signs in")
    func create() async throws {
        try await ScreenFixture.with { fixture in
            let model = await Self.choosing(.createAccount, fixture)
            model.signIn(with: .apple)
            model.createAccount(with: .apple)
            #expect(model.state == .authenticating(.apple, .createAccount))
            await model.wait()
            #expect(model.state == .signedIn(Self.result(isNew: true)) && fixture.count("/auth/signin") == 0)
            let body = try #require(fixture.client.server.requests("/auth/signup").first?.text)
            #expect(body.contains(#""fullName":"Bob of apple""#))
        }
    }

    @Test("an identity that has an account signs in instead of creating another")
    func exists() async throws {
        let script = ["POST /auth/signup": [FakeServer.problem(.accountAlreadyExists, 409)]]
        try await ScreenFixture.with(script) { fixture in
            let model = await Self.choosing(.createAccount, fixture)
            model.createAccount(with: .google)
            await model.wait()
            #expect(model.state == .accountExists(.google) && model.failure == nil)
            model.back()
            #expect(model.state == .choosing(.createAccount))
            model.createAccount(with: .google)
            await model.wait()
            model.signIn(with: .google)
            await model.wait()
            #expect(model.state == .signedIn(Self.result()))
        }
    }
}
