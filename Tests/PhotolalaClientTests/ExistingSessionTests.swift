import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@Suite("Sign-in and sign-up with an existing session") struct ExistingSessionTests {
    private static let eve = UserID(uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))
    private static let account = "GET /users/\(ClientFixture.user)"
    private static let bob = FakeServer.json(ClientFixture.account(name: "Bob"))
    private static let over = FakeServer.problem(.sessionEnded, 401)

    @Test("a sign-up is rejected without a request to the server")
    func signUp() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], Self.account: [Self.bob],
            "POST /auth/signup": [ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.alreadySignedIn) { try await session.signUp(.credential(ClientFixture.credential)) }
            await expect(.alreadySignedIn) {
                _ = try await session.continueSignIn(.credential(ClientFixture.credential))
            }
            #expect(fixture.server.requests("/auth/signup").isEmpty)
            #expect(try await session.signedInUserID() == ClientFixture.user)
        }
    }

    @Test("a sign-up replaces a session that the server has ended")
    func ended() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], Self.account: [Self.over],
            "POST /auth/signup": [ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            try await session.signUp(.credential(ClientFixture.credential))
            #expect(try await session.signedInUserID() == Self.eve)
        }
    }

    @Test("a sign-up replaces nothing if the server is unreachable")
    func unreachable() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/signup": [ClientFixture.signedInAnswer()],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.serverUnreachable) { try await session.signUp(.credential(ClientFixture.credential)) }
            #expect(try await session.signedInUserID() == ClientFixture.user)
        }
    }

    @Test("a sign-in to the same account replaces its session")
    func same() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(ClientFixture.tokens("2")),
            ],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let session = try await fixture.signedIn()
            try await session.signIn(ClientFixture.credential)
            _ = try await session.devices()
            #expect(fixture.server.requests("/auth/devices").map { $0.headers[.authorization] } == ["Bearer access-2"])
        }
    }

    @Test("a sign-in to another account is rejected, its session is ended and the existing session is kept")
    func another() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(),
                ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve),
            ],
            Self.account: [Self.bob], "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try await fixture.signedIn()
            do {
                try await session.signIn(ClientFixture.credential)
                Issue.record("an error was expected")
            } catch {
                let error = try #require(error as? PhotolalaError)
                #expect(error.code == .alreadySignedIn)
                #expect(error.detail == "Already signed in to account \(ClientFixture.user) (Bob).")
            }
            #expect(try await session.signedInUserID() == ClientFixture.user)
            #expect(fixture.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-eve"}"#])
        }
    }

    @Test("a sign-in to another account replaces a session that has ended")
    func anotherAfterEnd() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(),
                ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve),
            ],
            Self.account: [Self.over],
        ]) { fixture in
            let session = try await fixture.signedIn()
            try await session.signIn(ClientFixture.credential)
            #expect(try await session.signedInUserID() == Self.eve)
        }
    }

    @Test("a sign-up does not replace another account that signed in in the meantime, and its session is ended")
    func anotherAccount() async throws {
        let (asked, go) = (Gate(), Gate())
        let eve = ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve)
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], Self.account: [Self.bob],
            "POST /auth/signup": [FakeServer.delayed(asked, until: go, eve)],
            "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try fixture.session()
            let signUp = Task { try await session.signUp(.credential(ClientFixture.credential)) }
            await asked.wait()
            try await session.signIn(ClientFixture.credential)
            go.open()
            await expect(.alreadySignedIn) { _ = try await signUp.value }
            #expect(try await session.signedInUserID() == ClientFixture.user)
            #expect(fixture.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-eve"}"#])
        }
    }

    @Test("a session is not replaced by one that was compared with an earlier state")
    func decidedUnderLock() async throws {
        let (asked, go) = (Gate(), Gate())
        let eve = ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve)
        try await ClientFixture.with([
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(), eve, ClientFixture.signedInAnswer(ClientFixture.tokens("2")),
            ],
            Self.account: [FakeServer.delayed(asked, until: go, Self.over)], "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try await fixture.signedIn()
            let signIn = Task { try await session.signIn(ClientFixture.credential) }
            await asked.wait()
            try await fixture.session().signIn(ClientFixture.credential)
            go.open()
            await expect(.alreadySignedIn) { _ = try await signIn.value }
            #expect(try await session.signedInUserID() == ClientFixture.user)
            #expect(fixture.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-eve"}"#])
        }
    }

    @Test("a new session is ended if the server does not say whether the existing one is valid")
    func unknown() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(),
                ClientFixture.signedInAnswer(ClientFixture.tokens("eve"), user: Self.eve),
            ],
            Self.account: [FakeServer.problem(.temporarilyUnavailable, 503)],
            "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.temporarilyUnavailable) { try await session.signIn(ClientFixture.credential) }
            #expect(try await session.signedInUserID() == ClientFixture.user)
            #expect(fixture.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-eve"}"#])
        }
    }
}
