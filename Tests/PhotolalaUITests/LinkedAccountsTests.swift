import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct LinkedAccountsTests {
    static func loaded(_ fixture: ScreenFixture) async -> LinkedAccountsModel {
        let model = LinkedAccountsModel(fixture.context)
        model.flow.load()
        await model.flow.wait()
        return model
    }

    @Test("shows the identities, and first the providers without one")
    func load() async throws {
        try await ScreenFixture.signedIn { fixture in
            let model = await Self.loaded(fixture)
            #expect(model.flow.state == .ready && model.links == [ScreenFixture.link(.apple)] && model.pending == nil)
            #expect(model.linkableProviders == [.google, .microsoft, .apple])
        }
    }

    @Test("the last active identity cannot be unlinked, and only active and revoked ones can")
    func unlinkable() async throws {
        let links = [LinkState.active, .active, .revoked, .pending, .removing].enumerated()
            .map { ScreenFixture.link(.apple, UInt8($0 + 1), state: $1) }
        let script = [
            "GET /auth/linked-accounts": [
                FakeServer.json(LinkedProviders(linkedProviders: links)),
                FakeServer.json(LinkedProviders(linkedProviders: Array(links.dropFirst()))),
            ]
        ]
        try await ScreenFixture.signedIn(script) { fixture in
            let model = await Self.loaded(fixture)
            #expect(model.links.map(model.canUnlink) == [true, true, true, false, false])
            model.flow.load()
            await model.flow.wait()
            #expect(model.links.map(model.canUnlink) == [false, true, false, false])
        }
    }

    @Test("linking signs in with the provider; a link that requires recent authentication asks for it first")
    func link() async throws {
        let challenge = FakeServer.json(Challenge(challenge: "nonce", expiresAt: ClientFixture.start + 600))
        let script = [
            "POST /auth/challenge": [FakeServer.problem(.reauthenticationRequired, 403), challenge],
            "POST /auth/link-account": [ScreenFixture.links(.apple, .google)],
        ]
        try await ScreenFixture.signedIn(script) { fixture in
            let model = await Self.loaded(fixture)
            model.flow.start(.link(.google))
            await model.flow.wait()
            #expect(model.flow.state == .verifying(.link(.google), with: [.apple]))
            #expect(fixture.providers.asked.withLock { $0.isEmpty })
            model.flow.verify(with: .apple)
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.links.map(\.provider) == [.apple, .google])
            #expect(fixture.providers.asked.withLock { $0 } == [.apple, .google])
            let body = try #require(fixture.client.server.requests("/auth/link-account").first?.text)
            #expect(body.contains("token of google for nonce"))
        }
    }

    @Test(
        "a rejected link is shown and changes nothing",
        arguments: [.providerAlreadyLinked, .tooManyProviders, .unlinkPending] as [ErrorCode])
    func rejected(code: ErrorCode) async throws {
        try await ScreenFixture.signedIn(["POST /auth/link-account": [FakeServer.problem(code, 409)]]) { fixture in
            let model = await Self.loaded(fixture)
            model.flow.start(.link(.google))
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.flow.failure?.code == code && model.links.count == 1)
            fixture.providers.failNext(.cancelled)
            model.flow.start(.link(.google))
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.flow.failure == nil)
        }
    }

    @Test("unlinking shows the server's list, and can be cancelled while it is pending")
    func unlink() async throws {
        let removing = ScreenFixture.link(.google, 2, state: .removing)
        let script = [
            "POST /auth/unlink-account": [
                FakeServer.problem(.lastProvider, 409),
                FakeServer.json(LinkedProviders(linkedProviders: [ScreenFixture.link(.apple), removing])),
            ],
            "DELETE /auth/unlink-account/\(removing.linkID)": [ScreenFixture.links(.apple, .google)],
        ]
        try await ScreenFixture.signedIn(script) { fixture in
            let model = await Self.loaded(fixture)
            for failure in [ErrorCode.lastProvider, nil] {
                model.flow.confirm(.unlink(removing.linkID))
                model.flow.start(.unlink(removing.linkID))
                await model.flow.wait()
                #expect(model.flow.state == .ready && model.flow.failure?.code == failure)
            }
            #expect(model.links.last == removing)
            model.flow.start(.undoUnlink(removing.linkID))
            await model.flow.wait()
            #expect(model.flow.failure == nil && model.links.last?.state == .active)
        }
    }
}
