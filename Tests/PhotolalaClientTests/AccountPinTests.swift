import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

/// A call stays with the account that was signed in when it began, while another account signs in on the device.
@Suite struct AccountPinTests {
    static let eve = UserID(uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))
    /// The tokens of Bob, who then signs out, and of Eve.
    static let people = [
        "POST /auth/signin": [
            ClientFixture.signedInAnswer(),
            ClientFixture.signedInAnswer(ClientFixture.tokens("eve", goodFor: 90_000), user: eve),
        ], "POST /auth/signout": [FakeServer.nothing],
        "POST /auth/challenge": [FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))],
    ]
    private static let ended = FakeServer.problem(.sessionEnded, 401)

    /// Signs Bob out and Eve in, as another window does.
    static func change(_ fixture: ClientFixture) async throws {
        let other = try fixture.session()
        try await other.signOut()
        try await other.signIn(ClientFixture.credential)
    }

    private static func tokens(_ path: String, _ fixture: ClientFixture) -> [String?] {
        fixture.server.requests(path).map { $0.headers[.authorization] }
    }

    @Test(arguments: ["/account/deletion", "/auth/signout-everywhere"])
    func `a call that the server refused is not repeated for another account`(path: String) async throws {
        let (asked, go) = (Gate(), Gate())
        let script = Self.people.merging([
            "POST \(path)": [FakeServer.delayed(asked, until: go, Self.ended), FakeServer.nothing]
        ]) { _, own in own }
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            let call = Task {
                if path == "/account/deletion" {
                    _ = try await session.deleteAccount(confirmation: "DELETE")
                } else {
                    try await session.signOutEverywhere()
                }
            }
            await asked.wait()
            try await Self.change(fixture)
            go.open()
            await expect(.sessionEnded) { try await call.value }
            #expect(Self.tokens(path, fixture) == ["Bearer access-1"])
            let user = try await session.signedInUserID()
            #expect(user == Self.eve)
        }
    }

    @Test(arguments: [true, false])
    func `a call that waits for a renewal is not sent for another account`(isRefused: Bool) async throws {
        let (asked, go) = (Gate(), Gate())
        let answer = isRefused ? Self.ended : ClientFixture.refreshed("2")
        let script = Self.people.merging([
            "POST /auth/refresh": [FakeServer.delayed(asked, until: go, answer)],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { _, own in own }
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            let devices = Task { try await session.devices() }
            await asked.wait()
            try await session.signOut()
            try await session.signIn(ClientFixture.credential)
            // A new call waits neither for the renewal nor for its result.
            _ = try await session.devices()
            go.open()
            await expect(isRefused ? .sessionEnded : .notSignedIn) { _ = try await devices.value }
            #expect(Self.tokens("/auth/devices", fixture) == ["Bearer access-eve"])
            let user = try await session.signedInUserID()
            #expect(user == Self.eve, "a refused renewal removes only its own session")
        }
    }

    @Test func `a call does not wait for the result of another account's renewal`() async throws {
        let (asked, go) = (Gate(), Gate())
        let eve = ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve)
        let script = Self.people.merging([
            "POST /auth/signin": [ClientFixture.signedInAnswer(), eve],
            "POST /auth/refresh": [
                FakeServer.delayed(asked, until: go, ClientFixture.refreshed("2")), ClientFixture.refreshed("eve-2"),
            ], "GET /auth/devices": [ClientFixture.noDevices],
        ]) { _, own in own }
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            let bobs = Task { try await session.devices() }
            await asked.wait()
            try await Self.change(fixture)
            let eves = Task { try await session.devices() }
            for _ in 1...100 { await Task.yield() }
            go.open()
            await expect(.notSignedIn) { _ = try await bobs.value }
            _ = try await eves.value
            #expect(Self.tokens("/auth/devices", fixture) == ["Bearer access-eve-2"])
        }
    }

    @Test func `a renewal whose response was lost is not repeated for another account`() async throws {
        let (asked, go) = (Gate(), Gate())
        let script = Self.people.merging([
            "POST /auth/refresh": [
                FakeServer.delayed(asked, until: go, FakeServer.lost), ClientFixture.refreshed("2"),
            ], "GET /auth/devices": [ClientFixture.noDevices],
        ]) { _, own in own }
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            let devices = Task { try await session.devices() }
            await asked.wait()
            try await Self.change(fixture)
            go.open()
            await expect(.notSignedIn) { _ = try await devices.value }
            #expect(fixture.server.requests("/auth/devices").isEmpty)
            #expect(fixture.server.requests("/auth/refresh").count == 1)
        }
    }

    @Test func `a session that is limited to an account sends and removes nothing for another one`() async throws {
        try await ClientFixture.with(Self.people) { fixture in
            let session = try await fixture.signedIn().limited(to: ClientFixture.user)
            try await Self.change(fixture)
            let sent = fixture.server.count
            await expect(.notSignedIn) { _ = try await session.deleteAccount(confirmation: "DELETE") }
            await expect(.notSignedIn) { try await session.signOut() }
            await expect(.notSignedIn) { try await session.removeLocalData() }
            await expect(.notSignedIn) { try await session.reauthenticate(ClientFixture.credential) }
            #expect(fixture.server.count == sent)
            let user = try await fixture.session().signedInUserID()
            #expect(user == Self.eve)
        }
    }

    @Test func `a limited session and its base use a refresh token once`() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [ClientFixture.refreshed("2")],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let session = try await fixture.signedIn()
            let limited = session.limited(to: ClientFixture.user).limited(to: ClientFixture.user)
            fixture.clock.advance(by: 3600)
            async let one = session.devices()
            async let two = limited.devices()
            _ = try await (one, two)
            #expect(fixture.server.requests("/auth/refresh").count == 1)
        }
    }

    @Test func `a sign-in with a limited session opens no other account`() async throws {
        try await ClientFixture.with(Self.people) { fixture in
            let session = try fixture.session().limited(to: Self.eve)
            await expect(.anotherAccount) { _ = try await session.signIn(ClientFixture.credential) }
            let user = try await fixture.session().signedInUserID()
            #expect(user == nil && fixture.server.requests("/auth/signout").count == 1)
        }
    }

    @Test(arguments: [ChallengePurpose.link, .reauthenticate])
    func `a proof in a browser is not used for another account`(purpose: ChallengePurpose) async throws {
        try await ClientFixture.with(Self.people) { fixture in
            let session = try await fixture.signedIn()
            let (client, redirect) = ("app", "app.example:/done")
            let proof =
                purpose == .link
                ? try await session.beginBrowserLink(client: client, redirectURI: redirect)
                : try await session.beginBrowserReauthentication(client: client, redirectURI: redirect)
            try await Self.change(fixture)
            let iss = "https%3A%2F%2Fphotos.example"
            let callback = try #require(URL(string: "\(redirect)?code=proved&state=\(proof.exchange.state)&iss=\(iss)"))
            await expect(.notSignedIn) {
                if purpose == .link {
                    try await session.link(proof, callback: callback)
                } else {
                    try await session.reauthenticate(proof, callback: callback)
                }
            }
            #expect(fixture.server.requests("/auth/link-account").isEmpty)
            #expect(fixture.server.requests("/auth/reauthenticate").isEmpty)
        }
    }

    @Test func `an identity that was proven for one account is not linked to another`() async throws {
        try await ClientFixture.with(Self.people) { fixture in
            let session = try await fixture.signedIn()
            let provider = ChangingProvider { try? await Self.change(fixture) }
            await expect(.notSignedIn) { try await session.link(with: provider) }
            #expect(fixture.server.requests("/auth/link-account").isEmpty)
        }
    }

    /// While its sheet is shown, another account signs in.
    private struct ChangingProvider: ProviderSignIn {
        let provider = ProviderName.google
        let change: @Sendable () async -> Void

        func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential {
            await change()
            return ClientFixture.credential
        }
    }

    @Test func `a purchase is not presented for another account`() async throws {
        struct Sheet: PurchaseSheet {
            let change: @Sendable () async -> Void
            func buy(for account: UUID) async throws(PhotolalaError) -> SignedPurchase? {
                await change()
                return SignedPurchase(signedTransaction: "jws") { Issue.record("finished") }
            }
        }
        try await ClientFixture.with(Self.people) { fixture in
            let session = try await fixture.signedIn()
            await expect(.notSignedIn) {
                try await session.purchase(Sheet { try? await Self.change(fixture) })
            }
            #expect(fixture.server.requests("/subscriptions/app-store").isEmpty)
        }
    }
}
