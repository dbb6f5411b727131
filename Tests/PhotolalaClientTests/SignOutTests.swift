import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing
import Transport

@Suite("Sign-out") struct SignOutTests {
    @Test("a sign-out removes the session and notifies the server")
    func signOut() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/signout": [FakeServer.nothing],
        ]) { world in
            let session = try await world.signedIn()
            try await session.signOut()
            #expect(try await session.signedInUser() == nil)
            #expect(world.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("the device is signed out even if the server is unreachable")
    func unreachable() async throws {
        try await World.with(["POST /auth/signin": [World.signedInAnswer()]]) { world in
            let session = try await world.signedIn()
            await expect(.serverUnreachable) { try await session.signOut() }
            #expect(try await session.signedInUser() == nil)
        }
    }

    @Test("a sign-out of a session that has already ended succeeds")
    func overAlready() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()],
            "POST /auth/signout": [FakeServer.problem(.sessionEnded, 401)],
        ]) { world in
            let session = try await world.signedIn()
            try await session.signOut()
            #expect(try await session.signedInUser() == nil)
        }
    }

    @Test("a renewal that completes after a sign-out does not restore the session")
    func lateRenewal() async throws {
        let (asked, answer) = (Gate(), Gate())
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/signout": [FakeServer.nothing],
            "POST /auth/refresh": [FakeServer.delayed(asked, until: answer, World.refreshed("2"))],
        ]) { world in
            let session = try await world.signedIn()
            world.clock.advance(3600)
            let devices = Task { try await session.devices() }
            await asked.wait()
            try await session.signOut()
            answer.open()
            await expect(.notSignedIn) { _ = try await devices.value }
            #expect(try await session.signedInUser() == nil)
            #expect(try await world.session().signedInUser() == nil)
        }
    }

    @Test("a renewal that completes after another sign-in does not replace the new session")
    func lateRenewalAfterSignIn() async throws {
        let (asked, answer) = (Gate(), Gate())
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer(), World.signedInAnswer(World.tokens("9", goodFor: 9000))],
            "GET /auth/devices": [World.noDevices],
            "POST /auth/refresh": [FakeServer.delayed(asked, until: answer, World.refreshed("2"))],
        ]) { world in
            let session = try await world.signedIn()
            world.clock.advance(3600)
            let devices = Task { try await session.devices() }
            await asked.wait()
            try await session.signIn(World.credential)
            answer.open()
            _ = try await devices.value
            #expect(world.server.requests("/auth/devices").map { $0.headers[.authorization] } == ["Bearer access-9"])
        }
    }

    @Test("tokens are never sent to another server")
    func anotherServer() async throws {
        try await World.with(["POST /auth/signin": [World.signedInAnswer()]]) { world in
            _ = try await world.signedIn()
            let elsewhere = try world.session(at: "https://evil.example")
            await expect(.anotherServer) { _ = try await elsewhere.devices() }
            await expect(.anotherServer) { _ = try await elsewhere.signIn(World.credential) }
            await expect(.anotherServer) { _ = try await elsewhere.signUp(.credential(World.credential)) }
            await expect(.anotherServer) { try await elsewhere.signOut() }
            #expect(world.server.requests("/auth/devices").isEmpty)
            #expect(world.server.requests("/auth/signin").count == 1)
            #expect(try await world.session().signedInUser() == World.user)
        }
    }
}
