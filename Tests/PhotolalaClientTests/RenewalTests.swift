import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

@Suite("Token renewal") struct RenewalTests {
    @Test("tokens that expire within a minute are renewed before use")
    func renewedInTime() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [ClientFixture.refreshed("2")],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let session = try await fixture.signedIn()
            _ = try await session.devices()
            #expect(fixture.server.requests("/auth/refresh").isEmpty)
            fixture.clock.advance(by: 3600 - 59)
            _ = try await session.devices()
            let tokens = fixture.server.requests("/auth/devices").map { $0.headers[.authorization] }
            #expect(tokens == ["Bearer access-1", "Bearer access-2"])
            #expect(fixture.server.requests("/auth/refresh").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("twenty concurrent calls share one renewal")
    func singleFlight() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [ClientFixture.refreshed("2")],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await session.devices() } }
                try await group.waitForAll()
            }
            #expect(fixture.server.requests("/auth/refresh").count == 1)
        }
    }

    @Test("two processes on one profile use each refresh token once")
    func twoProcesses() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/refresh": [ClientFixture.refreshed("2"), ClientFixture.refreshed("3")],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let one = try await fixture.signedIn()
            let two = try fixture.session()
            fixture.clock.advance(by: 3600)
            async let first = one.devices()
            async let second = two.devices()
            _ = try await (first, second)
            #expect(fixture.server.requests("/auth/refresh").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("a rejected access token is renewed once and the call is repeated")
    func refusedToken() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [ClientFixture.refreshed("2")],
            "GET /auth/devices": [FakeServer.problem(.unauthorized, 401), ClientFixture.noDevices],
        ]) { fixture in
            _ = try await fixture.signedIn().devices()
            #expect(fixture.server.requests("/auth/devices").count == 2)
            #expect(fixture.server.requests("/auth/refresh").count == 1)
        }
    }

    @Test("a token that is rejected again is an error without further retries")
    func refusedAgain() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [ClientFixture.refreshed("2")],
            "GET /auth/devices": [FakeServer.problem(.unauthorized, 401)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.unauthorized) { _ = try await session.devices() }
            #expect(fixture.server.requests("/auth/devices").count == 2)
        }
    }

    @Test("a refresh whose response is lost is repeated with the same refresh token")
    func lostAnswer() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/refresh": [FakeServer.lost, ClientFixture.refreshed("2")],
            "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            _ = try await session.devices()
            let bodies = fixture.server.requests("/auth/refresh").map(\.text)
            #expect(bodies == Array(repeating: #"{"refreshToken":"refresh-1"}"#, count: 2))
        }
    }

    @Test("a refresh whose response is lost is not repeated after the grace period")
    func graceIsOver() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let clock = fixture.clock
            let late = ClientFixture(
                folder: fixture.folder,
                server: FakeServer(["POST /auth/refresh": [FakeServer.lost(after: 30, on: clock)]]),
                clock: clock
            )
            _ = try await fixture.signedIn()
            let session = try late.session()
            clock.advance(by: 3600)
            await expect(.noResponse) { _ = try await session.devices() }
            #expect(late.server.requests("/auth/refresh").count == 1)
            #expect(try await session.signedInUserID() == ClientFixture.user)
        }
    }

    @Test("a session that has ended is removed")
    func ended() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/refresh": [FakeServer.problem(.sessionEnded, 401)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            await expect(.sessionEnded) { _ = try await session.devices() }
            #expect(try await session.signedInUserID() == nil)
            await expect(.notSignedIn) { _ = try await session.devices() }
        }
    }

    @Test("an unreachable server does not end the session")
    func unreachable() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            await expect(.serverUnreachable) { _ = try await session.devices() }
            #expect(try await session.signedInUserID() == ClientFixture.user)
        }
    }
}
