import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing
import Transport

@Suite("Renewing the tokens") struct RenewalTests {
    @Test("Tokens that end within a minute are renewed before they are used")
    func renewedInTime() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/refresh": [World.refreshed("2")],
            "GET /auth/devices": [World.noDevices],
        ]) { world in
            let session = try await world.signedIn()
            _ = try await session.devices()
            #expect(world.server.requests("/auth/refresh").isEmpty)
            world.clock.advance(3600 - 59)
            _ = try await session.devices()
            let tokens = world.server.requests("/auth/devices").map { $0.headers[.authorization] }
            #expect(tokens == ["Bearer access-1", "Bearer access-2"])
            #expect(world.server.requests("/auth/refresh").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("Twenty calls at once share one renewal")
    func singleFlight() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/refresh": [World.refreshed("2")],
            "GET /auth/devices": [World.noDevices],
        ]) { world in
            let session = try await world.signedIn()
            world.clock.advance(3600)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await session.devices() } }
                try await group.waitForAll()
            }
            #expect(world.server.requests("/auth/refresh").count == 1)
        }
    }

    @Test("Two processes on one profile spend each refresh token once")
    func twoProcesses() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()],
            "POST /auth/refresh": [World.refreshed("2"), World.refreshed("3")],
            "GET /auth/devices": [World.noDevices],
        ]) { world in
            let one = try await world.signedIn()
            let two = try world.session()
            world.clock.advance(3600)
            async let first = one.devices()
            async let second = two.devices()
            _ = try await (first, second)
            #expect(world.server.requests("/auth/refresh").map(\.text) == [#"{"refreshToken":"refresh-1"}"#])
        }
    }

    @Test("A refused access token is renewed once, and the call repeated")
    func refusedToken() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/refresh": [World.refreshed("2")],
            "GET /auth/devices": [FakeServer.problem(.unauthorized, 401), World.noDevices],
        ]) { world in
            _ = try await world.signedIn().devices()
            #expect(world.server.requests("/auth/devices").count == 2)
            #expect(world.server.requests("/auth/refresh").count == 1)
        }
    }

    @Test("A token that is refused again is an error and no loop")
    func refusedAgain() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "POST /auth/refresh": [World.refreshed("2")],
            "GET /auth/devices": [FakeServer.problem(.unauthorized, 401)],
        ]) { world in
            let session = try await world.signedIn()
            await expect(.unauthorized) { _ = try await session.devices() }
            #expect(world.server.requests("/auth/devices").count == 2)
        }
    }

    @Test("A lost answer is asked for again with the same refresh token")
    func lostAnswer() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()],
            "POST /auth/refresh": [FakeServer.lost, World.refreshed("2")],
            "GET /auth/devices": [World.noDevices],
        ]) { world in
            let session = try await world.signedIn()
            world.clock.advance(3600)
            _ = try await session.devices()
            let bodies = world.server.requests("/auth/refresh").map(\.text)
            #expect(bodies == Array(repeating: #"{"refreshToken":"refresh-1"}"#, count: 2))
        }
    }

    @Test("After the grace period a lost answer is not asked for again")
    func graceIsOver() async throws {
        try await World.with(["POST /auth/signin": [World.signedInAnswer()]]) { world in
            let clock = world.clock
            let late = World(
                folder: world.folder,
                server: FakeServer(["POST /auth/refresh": [FakeServer.lost(after: 30, on: clock)]]),
                clock: clock
            )
            _ = try await world.signedIn()
            let session = try late.session()
            clock.advance(3600)
            await expect(.noAnswer) { _ = try await session.devices() }
            #expect(late.server.requests("/auth/refresh").count == 1)
            #expect(try await session.signedInUser() == World.user)
        }
    }

    @Test("A session that has ended is forgotten")
    func ended() async throws {
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()],
            "POST /auth/refresh": [FakeServer.problem(.sessionEnded, 401)],
        ]) { world in
            let session = try await world.signedIn()
            world.clock.advance(3600)
            await expect(.sessionEnded) { _ = try await session.devices() }
            #expect(try await session.signedInUser() == nil)
            await expect(.notSignedIn) { _ = try await session.devices() }
        }
    }

    @Test("An unreachable server ends no session")
    func unreachable() async throws {
        try await World.with(["POST /auth/signin": [World.signedInAnswer()]]) { world in
            let session = try await world.signedIn()
            world.clock.advance(3600)
            await expect(.serverUnreachable) { _ = try await session.devices() }
            #expect(try await session.signedInUser() == World.user)
        }
    }
}
