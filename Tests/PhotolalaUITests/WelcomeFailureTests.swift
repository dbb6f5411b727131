import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

@testable import PhotolalaUI

/// Failures, cancellation and double taps on the welcome screen.
@MainActor
@Suite struct WelcomeFailureTests {
    @Test(
        "after a failure the person can try again",
        arguments: WelcomePurpose.allCases,
        [nil, .temporarilyUnavailable, .invalidToken, .accountDisabled] as [ErrorCode?])
    func retry(purpose: WelcomePurpose, code: ErrorCode?) async throws {
        let failure = code.map { FakeServer.problem($0, 503) } ?? ScreenFixture.unreachable
        let answers = [failure, ClientFixture.signedInAnswer()]
        try await ScreenFixture.with(["POST /auth/signin": answers, "POST /auth/signup": answers]) { fixture in
            let model = await WelcomeTests.choosing(purpose, fixture)
            for attempt in 1...2 {
                if purpose == .signIn { model.signIn(with: .apple) } else { model.createAccount(with: .apple) }
                await model.wait()
                guard attempt == 1 else { break }
                #expect(model.state == .choosing(purpose) && model.failure?.code == code ?? .serverUnreachable)
            }
            #expect(model.state == .signedIn(WelcomeTests.result(isNew: purpose == .createAccount)))
            #expect(model.failure == nil)
        }
    }

    @Test("a closed provider shows no failure, a failed one does, and neither reaches the server")
    func provider() async throws {
        try await ScreenFixture.with { fixture in
            let model = await WelcomeTests.choosing(.signIn, fixture)
            for code in [ErrorCode.providerSignInFailed, .cancelled] {
                fixture.providers.failNext(code)
                model.signIn(with: .apple)
                await model.wait()
                #expect(model.state == .choosing(.signIn))
                #expect(model.failure == (code == .cancelled ? nil : .provider(.apple, "text")))
            }
            #expect(fixture.count("/auth/signin") == 0)
        }
    }

    @Test("a second tap starts nothing, and no choice changes while the provider is asked")
    func doubleTap() async throws {
        try await ScreenFixture.with { fixture in
            let model = await WelcomeTests.choosing(.signIn, fixture)
            let (arrived, end) = (Gate(), Gate())
            fixture.providers.hold(arrived, until: end)
            model.signIn(with: .apple)
            model.signIn(with: .apple)
            await arrived.wait()
            model.signIn(with: .google)
            model.choose(.createAccount)
            model.back()
            model.load()
            #expect(model.state == .authenticating(.apple, .signIn))
            end.open()
            await model.wait()
            #expect(fixture.providers.asked.withLock { $0 } == [.apple] && fixture.count("/auth/signin") == 1)
        }
    }

    @Test("after a cancellation the provider's result is not used", arguments: WelcomePurpose.allCases)
    func cancel(purpose: WelcomePurpose) async throws {
        try await ScreenFixture.with { fixture in
            let model = await WelcomeTests.choosing(purpose, fixture)
            let (arrived, end) = (Gate(), Gate())
            fixture.providers.hold(arrived, until: end)
            if purpose == .signIn { model.signIn(with: .apple) } else { model.createAccount(with: .apple) }
            await arrived.wait()
            model.cancel()
            await model.wait()
            #expect(model.state == .choosing(purpose) && model.failure == nil)
            #expect(fixture.count("/auth/signin") + fixture.count("/auth/signup") == 0)
        }
    }

    @Test("a sign-in that succeeds after its cancellation is shown")
    func late() async throws {
        let (arrived, end) = (Gate(), Gate())
        let answer: FakeServer.Response = { request throws(TransportError) in
            arrived.open()
            await end.wait()
            return try await ClientFixture.signedInAnswer()(request)
        }
        try await ScreenFixture.with(["POST /auth/signin": [answer]]) { fixture in
            let model = await WelcomeTests.choosing(.signIn, fixture)
            model.signIn(with: .apple)
            await arrived.wait()
            model.cancel()
            await model.wait()
            #expect(model.state == .signedIn(WelcomeTests.result()) && model.failure == nil)
            let user = try await fixture.session.signedInUserID()
            #expect(user == ClientFixture.user)
        }
    }

    @Test("unreadable stored state is shown, and loading again reads it")
    func unreadable() async throws {
        try await ScreenFixture.signedIn { fixture in
            let other = try fixture.client.session(at: "https://other.example")
            let model = WelcomeModel(
                ScreenContext(
                    account: other, signIns: fixture.providers.signIns, native: nil, now: { ClientFixture.start }))
            for _ in 1...2 {
                model.load()
                await model.wait()
                guard case .unavailable(let failure) = model.state else {
                    Issue.record("\(model.state)")
                    return
                }
                #expect(failure.code == .anotherServer)
            }
        }
    }
}
