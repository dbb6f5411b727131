import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

@Suite("Sign-out") struct SignOutTests {
    @Test("a sign-out removes the session and notifies the server")
    func signOut() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            let session = try await fixture.signedIn()
            try await session.signOut()
            #expect(try await session.signedInUserID() == nil)
            #expect(fixture.server.requests("/auth/signout").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("the device is signed out even if the server is unreachable")
    func unreachable() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.serverUnreachable) { try await session.signOut() }
            #expect(try await session.signedInUserID() == nil)
        }
    }

    @Test("a sign-out of a session that has already ended succeeds")
    func overAlready() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/signout": [FakeServer.problem(.sessionEnded, 401)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            try await session.signOut()
            #expect(try await session.signedInUserID() == nil)
        }
    }

    @Test("a renewal that completes after a sign-out does not restore the session")
    func lateRenewal() async throws {
        let (asked, response) = (Gate(), Gate())
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/signout": [FakeServer.nothing],
            "POST /auth/refresh": [FakeServer.delayed(asked, until: response, ClientFixture.refreshed("2"))],
        ]) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            let devices = Task { try await session.devices() }
            await asked.wait()
            try await session.signOut()
            response.open()
            await expect(.notSignedIn) { _ = try await devices.value }
            #expect(try await session.signedInUserID() == nil)
            #expect(try await fixture.session().signedInUserID() == nil)
        }
    }

    @Test("a renewal that completes after another sign-in does not replace the new session")
    func lateRenewalAfterSignIn() async throws {
        let (asked, response) = (Gate(), Gate())
        try await ClientFixture.with([
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(ClientFixture.tokens("9", goodFor: 9000)),
            ],
            "GET /auth/devices": [ClientFixture.noDevices],
            "POST /auth/refresh": [FakeServer.delayed(asked, until: response, ClientFixture.refreshed("2"))],
        ]) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            let devices = Task { try await session.devices() }
            await asked.wait()
            try await session.signIn(ClientFixture.credential)
            response.open()
            _ = try await devices.value
            #expect(fixture.server.requests("/auth/devices").map { $0.headers[.authorization] } == ["Bearer access-9"])
        }
    }

    @Test("tokens are never sent to another server")
    func anotherServer() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            _ = try await fixture.signedIn()
            let elsewhere = try fixture.session(at: "https://evil.example")
            await expect(.anotherServer) { _ = try await elsewhere.devices() }
            await expect(.anotherServer) { _ = try await elsewhere.signIn(ClientFixture.credential) }
            await expect(.anotherServer) { _ = try await elsewhere.signUp(.credential(ClientFixture.credential)) }
            await expect(.anotherServer) { try await elsewhere.signOut() }
            #expect(fixture.server.requests("/auth/devices").isEmpty)
            #expect(fixture.server.requests("/auth/signin").count == 1)
            #expect(try await fixture.session().signedInUserID() == ClientFixture.user)
        }
    }
}
