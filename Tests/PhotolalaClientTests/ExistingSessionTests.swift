import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@Suite("Sign-in and sign-up with an existing session") struct ExistingSessionTests {
    private static let eve = UserID(uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))
    private static let account = "GET /users/\(World.user)"
    private static let bob = FakeServer.json(World.account(name: "Bob"))
    private static let over = FakeServer.problem(.sessionEnded, 401)

    @Test("a sign-up is rejected without a request to the server")
    func signUp() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], Self.account: [Self.bob],
            "POST /auth/signup": [World.signedInAnswer(World.tokens("eve"), user: Self.eve)],
        ]) { world in
            let session = try await world.signedIn()
            await expect(.alreadySignedIn) { try await session.signUp(.credential(World.credential)) }
            await expect(.alreadySignedIn) { _ = try await session.continueSignIn(.credential(World.credential)) }
            #expect(world.server.requests("/auth/signup").isEmpty)
            #expect(try await session.signedInUser() == World.user)
        }
    }

    @Test("a sign-up replaces a session that the server has ended")
    func ended() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], Self.account: [Self.over],
            "POST /auth/signup": [World.signedInAnswer(World.tokens("eve"), user: Self.eve)],
        ]) { world in
            let session = try await world.signedIn()
            try await session.signUp(.credential(World.credential))
            #expect(try await session.signedInUser() == Self.eve)
        }
    }

    @Test("a sign-up replaces nothing if the server is unreachable")
    func unreachable() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/signup": [World.signedInAnswer()],
        ]) { world in
            let session = try await world.signedIn()
            await expect(.serverUnreachable) { try await session.signUp(.credential(World.credential)) }
            #expect(try await session.signedInUser() == World.user)
        }
    }

    @Test("a sign-in to the same account replaces its session")
    func same() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer(), World.signedInAnswer(World.tokens("2"))],
            "GET /auth/devices": [World.noDevices],
        ]) { world in
            let session = try await world.signedIn()
            try await session.signIn(World.credential)
            _ = try await session.devices()
            #expect(world.server.requests("/auth/devices").map { $0.headers[.authorization] } == ["Bearer access-2"])
        }
    }

    @Test("a sign-in to another account is rejected, its session is ended and the existing session is kept")
    func another() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer(), World.signedInAnswer(World.tokens("eve"), user: Self.eve)],
            Self.account: [Self.bob], "POST /auth/signout": [FakeServer.nothing],
        ]) { world in
            let session = try await world.signedIn()
            do {
                try await session.signIn(World.credential)
                Issue.record("an error was expected")
            } catch {
                let error = try #require(error as? PhotolalaError)
                #expect(error.code == .alreadySignedIn)
                #expect(error.detail == "Already signed in to account \(World.user) (Bob).")
            }
            #expect(try await session.signedInUser() == World.user)
            #expect(world.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-eve"}"#])
        }
    }

    @Test("a sign-in to another account replaces a session that has ended")
    func anotherAfterEnd() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer(), World.signedInAnswer(World.tokens("eve"), user: Self.eve)],
            Self.account: [Self.over],
        ]) { world in
            let session = try await world.signedIn()
            try await session.signIn(World.credential)
            #expect(try await session.signedInUser() == Self.eve)
        }
    }
}
