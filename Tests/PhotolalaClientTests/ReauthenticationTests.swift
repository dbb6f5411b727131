import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing
import Transport

@Suite("Reauthentication") struct ReauthenticationTests {
    @Test("the new tokens are stored and used")
    func fresh() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/reauthenticate": [World.refreshed("fresh")],
            "GET /auth/devices": [World.noDevices],
        ]) { world in
            let session = try await world.signedIn()
            try await session.reauthenticate(World.credential)
            _ = try await world.session().devices()
            #expect(world.server.requests("/auth/reauthenticate").first?.headers[.authorization] == "Bearer access-1")
            #expect(world.server.requests("/auth/devices").first?.headers[.authorization] == "Bearer access-fresh")
        }
    }

    @Test("the stored refresh token is kept if the response has none")
    func ownRefreshToken() async throws {
        let fresh = Reauthenticated(session: ReauthenticatedSession(World.tokens("fresh")))
        #expect(fresh.session.refreshToken == nil)
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/reauthenticate": [FakeServer.json(fresh)],
            "POST /auth/refresh": [World.refreshed("next")], "GET /auth/devices": [World.noDevices],
        ]) { world in
            let session = try await world.signedIn()
            try await session.reauthenticate(World.credential)
            _ = try await world.session().devices()
            #expect(world.server.requests("/auth/devices").first?.headers[.authorization] == "Bearer access-fresh")
            try await world.session().refresh()
            #expect(world.server.requests("/auth/refresh").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("a link that requires recent authentication fails without a renewal")
    func needed() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()],
            "POST /auth/link-account": [FakeServer.problem(.reauthenticationRequired, 403)],
        ]) { world in
            let session = try await world.signedIn()
            await expect(.reauthenticationRequired) { try await session.link(.credential(World.credential)) }
            #expect(world.server.requests("/auth/refresh").isEmpty)
        }
    }

    @Test("only challenges for linking and reauthentication send the access token")
    func challenges() async throws {
        let challenge = FakeServer.json(Challenge(challenge: "c", expiresAt: World.start))
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/challenge": [challenge],
        ]) { world in
            let session = try await world.signedIn()
            for purpose in ChallengePurpose.allCases { _ = try await session.challenge(for: purpose) }
            let tokens = world.server.requests("/auth/challenge").map { $0.headers[.authorization] != nil }
            #expect(Array(zip(ChallengePurpose.allCases, tokens)).filter(\.1).map(\.0) == [.link, .reauthenticate])
        }
    }
}
