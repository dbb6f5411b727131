import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct PendingLinkTests {
    @Test(
        "the identity that was tried before the sign-in is offered, and kept after a temporary failure",
        arguments: [
            (nil, false), (.temporarilyUnavailable, true), (.invalidPendingIdentity, false),
        ] as [(ErrorCode?, Bool)])
    func pending(code: ErrorCode?, isKept: Bool) async throws {
        let script = [
            "POST /auth/signin": [WelcomeTests.noAccount, ClientFixture.signedInAnswer()],
            "POST /auth/link-account": [
                code.map { FakeServer.problem($0, 503) } ?? ScreenFixture.links(.apple, .google)
            ],
        ]
        try await ScreenFixture.with(script) { fixture in
            _ = try? await fixture.session.signIn(ClientFixture.credential)
            try await fixture.session.signIn(ClientFixture.credential)
            let model = await LinkedAccountsTests.loaded(fixture)
            #expect(model.pending?.value == "sealed" && model.pending?.provider == .google)
            model.flow.start(.linkPending)
            await model.flow.wait()
            #expect(model.flow.failure?.code == code && (model.pending != nil) == isKept)
            #expect(model.links.count == (code == nil ? 2 : 1))
            model.declinePending()
            #expect(model.pending == nil)
        }
    }
}
