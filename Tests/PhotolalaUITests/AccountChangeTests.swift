import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// Another account signs in, for example in another window, while a screen shows one.
@MainActor
@Suite struct AccountChangeTests {
    static let eve = UserID(uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))
    private static let people = [
        "POST /auth/signin": [
            ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: eve),
        ], "POST /auth/signout": [FakeServer.nothing],
    ]

    private static func change(_ fixture: ScreenFixture) async throws {
        try await fixture.session.signOut()
        try await fixture.session.signIn(ClientFixture.credential)
    }

    /// The number of requests with Eve's token.
    private static func sentAsEve(_ fixture: ScreenFixture, _ path: String) -> Int {
        fixture.client.server.requests(path).count { $0.headers[.authorization] == "Bearer access-eve" }
    }

    @Test("a screen of one account does not delete another one")
    func deletion() async throws {
        let script = Self.people.merging([
            "GET /account/deletion": [FakeServer.json(DeleteAccountTests.overview(isScheduled: false))],
            "POST /account/deletion": [FakeServer.json(DeleteAccountTests.overview(isScheduled: true))],
        ]) { _, own in own }
        try await ScreenFixture.signedIn(script) { fixture in
            let model = DeleteAccountModel(fixture.context)
            model.flow.load()
            await model.flow.wait()
            try await Self.change(fixture)
            model.typed = "DELETE"
            model.delete()
            await model.flow.wait()
            #expect(model.flow.state == .signedOut && Self.sentAsEve(fixture, "/account/deletion") == 0)
            model.flow.load()
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.typed.isEmpty, "loaded again, it shows the other account")
            #expect(Self.sentAsEve(fixture, "/account/deletion") == 1)
        }
    }

    @Test("a screen that is loaded again, or signs out, stays with its account", arguments: [true, false])
    func devices(isLoad: Bool) async throws {
        let script = Self.people.merging(["GET /auth/devices": [ClientFixture.noDevices]]) { _, own in own }
        try await ScreenFixture.signedIn(script) { fixture in
            let model = DevicesModel(fixture.context)
            model.flow.load()
            await model.flow.wait()
            try await Self.change(fixture)
            if isLoad { model.flow.load() } else { model.flow.start(.signOut) }
            await model.flow.wait()
            #expect(model.flow.state == .signedOut && model.unconfirmedSignOut == nil)
            #expect(Self.sentAsEve(fixture, "/auth/devices") == 0 && fixture.count("/auth/signout") == 1)
            let user = try await fixture.session.signedInUserID()
            #expect(user == Self.eve)
        }
    }

    @Test("nothing is bought or presented for another account")
    func purchase() async throws {
        try await StorageTests.loaded(Self.people) { fixture, model, store in
            try await Self.change(fixture)
            await StorageTests.run(.buy(FakePlanStore.premium), model)
            #expect(model.flow.state == .signedOut && store.bought.withLock { $0 }.isEmpty)
            #expect(fixture.count("/subscriptions/app-store") == 0)
        }
    }

    @Test("an identity that was tried before is linked only to the account that signed in after it")
    func pendingLink() async throws {
        let answers = [WelcomeTests.noAccount] + (Self.people["POST /auth/signin"] ?? [])
        try await WrongProviderTests.afterGoogle([
            "POST /auth/signin": answers, "POST /auth/signout": [FakeServer.nothing],
            "POST /auth/link-account": [ScreenFixture.links(.apple, .google)],
        ]) { fixture, model in
            model.signIn(with: .apple)
            await model.wait()
            guard case .linkOffer = model.state else {
                Issue.record("no offer: \(model.state)")
                return
            }
            try await Self.change(fixture)
            model.link()
            await model.wait()
            #expect(model.state == .welcome && fixture.count("/auth/link-account") == 0)
        }
    }

    @Test("the move code is removed once the session has ended")
    func moveCode() async throws {
        let code = MoveTicketResponse(moveTicket: "ticket", expiresAt: ClientFixture.start + 600)
        let script = [
            "GET /users/\(ClientFixture.user)": [
                MoveSubscriptionTests.account(), FakeServer.problem(.sessionEnded, 401),
            ], "POST /subscriptions/app-store/move-ticket": [FakeServer.json(code)],
        ]
        try await StorageTests.loaded(script) { _, model, _ in
            await StorageTests.run(.createMoveCode, model)
            #expect(model.moveCode == code)
            model.flow.load()
            await model.flow.wait()
            #expect(model.flow.state == .signedOut && model.moveCode == nil)
        }
    }
}
