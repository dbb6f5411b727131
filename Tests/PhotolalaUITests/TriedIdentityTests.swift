import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// What becomes of the identity that found no account.
@MainActor
@Suite struct TriedIdentityTests {
    @Test(
        "a temporary failure keeps the identity, and a rejected or expired one asks the provider again",
        arguments: [.temporarilyUnavailable, .invalidPendingIdentity, nil] as [ErrorCode?])
    func rejected(code: ErrorCode?) async throws {
        let answers = (code.map { [FakeServer.problem($0, 503)] } ?? []) + [ClientFixture.signedInAnswer()]
        try await WrongProviderTests.afterGoogle(["POST /auth/signup": answers]) { fixture, model in
            if let code {
                model.createAccount(with: .google)
                await model.wait()
                let next =
                    code == .invalidPendingIdentity
                    ? WelcomeState.choosing(.createAccount) : WrongProviderTests.help(.google, [.apple, .microsoft])
                #expect(model.state == next && model.failure?.code == code)
            } else {
                fixture.client.clock.advance(by: 600)
            }
            model.createAccount(with: .google)
            await model.wait()
            #expect(model.state == .signedIn(WelcomeTests.result(isNew: true)))
            let asked = fixture.providers.asked.withLock { $0.count }
            #expect(asked == (code == .temporarilyUnavailable ? 1 : 2))
        }
    }

    @Test(
        "an identity that cannot be linked leaves the person signed in",
        arguments: [.temporarilyUnavailable, .providerAlreadyLinked, .invalidPendingIdentity, .sessionEnded]
            as [ErrorCode])
    func unlinkable(code: ErrorCode) async throws {
        try await WrongProviderTests.afterGoogle(["POST /auth/link-account": [FakeServer.problem(code, 409)]]) {
            _, model in
            model.signIn(with: .apple)
            await model.wait()
            model.link()
            await model.wait()
            let expected: WelcomeState =
                switch code {
                case .temporarilyUnavailable: .linkOffer(.google, WelcomeTests.result())
                case .sessionEnded: .welcome
                default: .signedIn(WelcomeTests.result())
                }
            #expect(model.state == expected && model.failure?.code == code)
            model.skipLink()
            #expect(model.state == (code == .sessionEnded ? .welcome : .signedIn(WelcomeTests.result())))
        }
    }

    @Test("the identity of an earlier launch is offered again")
    func relaunched() async throws {
        try await WrongProviderTests.afterGoogle { fixture, model in
            model.back()
            #expect(model.state == .choosing(.signIn))
            let relaunched = WelcomeModel(fixture.context)
            relaunched.load()
            await relaunched.wait()
            #expect(relaunched.state == WrongProviderTests.help(.google, hints: [], [.apple, .microsoft]))
            relaunched.createAccount(with: .google)
            await relaunched.wait()
            #expect(relaunched.state == .signedIn(WelcomeTests.result(isNew: true)))
            #expect(fixture.providers.asked.withLock { $0.count } == 1)
        }
    }
}
