import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

@Suite("Reauthentication") struct ReauthenticationTests {
    @Test("the new tokens are stored and used")
    func fresh() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/reauthenticate": [ClientFixture.refreshed("fresh")],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let session = try await fixture.signedIn()
            try await session.reauthenticate(ClientFixture.credential)
            _ = try await fixture.session().devices()
            #expect(fixture.server.requests("/auth/reauthenticate").first?.headers[.authorization] == "Bearer access-1")
            #expect(fixture.server.requests("/auth/devices").first?.headers[.authorization] == "Bearer access-fresh")
        }
    }

    @Test("the stored refresh token is kept if the response has none")
    func ownRefreshToken() async throws {
        let fresh = Reauthenticated(session: ReauthenticatedSession(ClientFixture.tokens("fresh")))
        #expect(fresh.session.refreshToken == nil)
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/reauthenticate": [FakeServer.json(fresh)],
            "POST /auth/refresh": [ClientFixture.refreshed("next")], "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let session = try await fixture.signedIn()
            try await session.reauthenticate(ClientFixture.credential)
            _ = try await fixture.session().devices()
            #expect(fixture.server.requests("/auth/devices").first?.headers[.authorization] == "Bearer access-fresh")
            try await fixture.session().refresh()
            #expect(fixture.server.requests("/auth/refresh").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("a link that requires recent authentication fails without a renewal")
    func needed() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/link-account": [FakeServer.problem(.reauthenticationRequired, 403)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.reauthenticationRequired) { try await session.link(.credential(ClientFixture.credential)) }
            #expect(fixture.server.requests("/auth/refresh").isEmpty)
        }
    }

    @Test("only challenges for linking and reauthentication send the access token")
    func challenges() async throws {
        let challenge = FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/challenge": [challenge],
        ]) { fixture in
            let session = try await fixture.signedIn()
            for purpose in ChallengePurpose.allCases { _ = try await session.challenge(for: purpose) }
            let tokens = fixture.server.requests("/auth/challenge").map { $0.headers[.authorization] != nil }
            #expect(Array(zip(ChallengePurpose.allCases, tokens)).filter(\.1).map(\.0) == [.link, .reauthenticate])
        }
    }
}
