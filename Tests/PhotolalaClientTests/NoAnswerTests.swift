import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaClient
import Testing
import Transport

/// Calls without a response.
@Suite struct NoAnswerTests {
    private static let silent: FakeServer.Response = { _ throws(TransportError) in throw .noAnswer(after: .seconds(30))
    }
    private static let proofField = HTTPField.Name(DPoP.proofField)!

    private func failure(of act: () async throws -> Void) async -> PhotolalaError? {
        do {
            try await act()
            return nil
        } catch { return error as? PhotolalaError }
    }

    @Test(arguments: [silent, FakeServer.lost])
    func `a GET is repeated until a response arrives`(_ missing: @escaping FakeServer.Response) async throws {
        let tokens = World.tokens("1")
        let bound = Session(
            tokenType: .dpop, accessToken: tokens.accessToken, accessTokenExpiresAt: tokens.accessTokenExpiresAt,
            refreshToken: tokens.refreshToken, refreshTokenExpiresAt: tokens.refreshTokenExpiresAt,
            deviceID: tokens.deviceID)
        let script = [
            "POST /auth/signin": [World.signedInAnswer(bound)],
            "GET /auth/devices": [missing, missing, World.noDevices],
        ]
        try await World.with(script) { world in
            let session = try await world.signedIn()
            #expect(try await session.devices().isEmpty)
            let proofs = world.server.requests("/auth/devices").compactMap { $0.headers[Self.proofField] }
            #expect(proofs.count == 3 && Set(proofs).count == 3)
        }
    }

    @Test func `a GET without a response fails after three attempts and reports the timeout`() async throws {
        let script = ["POST /auth/signin": [World.signedInAnswer()], "GET /auth/devices": [Self.silent]]
        try await World.with(script) { world in
            let session = try await world.signedIn()
            let error = await failure { _ = try await session.devices() }
            #expect(error?.code == .noAnswer)
            #expect(error?.detail == "No response from https://photos.example within 30 s.")
            #expect(world.server.requests("/auth/devices").count == 3)
        }
    }

    @Test func `a request for credentials is repeated`() async throws {
        let script = ["POST /auth/signin": [World.signedInAnswer()], "POST /auth/credentials": [Self.silent]]
        try await World.with(script) { world in
            let session = try await world.signedIn()
            let error = await failure { _ = try await session.credentials() }
            #expect(error?.code == .noAnswer)
            #expect(world.server.requests("/auth/credentials").count == 3)
        }
    }

    @Test func `a call that changes something is sent once, and its outcome is unknown`() async throws {
        try await World.with(["POST /auth/signin": [Self.silent]]) { world in
            let session = try world.session()
            let error = await failure { _ = try await session.signIn(World.credential) }
            #expect(error?.code == .outcomeUnknown)
            #expect(
                error?.detail
                    == "No response from https://photos.example within 30 s; the request may have been processed.")
            #expect(world.server.requests("/auth/signin").count == 1)
        }
    }

    @Test func `a refresh without a response is repeated at most three times`() async throws {
        let script = ["POST /auth/signin": [World.signedInAnswer()], "POST /auth/refresh": [Self.silent]]
        try await World.with(script) { world in
            let session = try await world.signedIn()
            world.clock.advance(3600)
            let error = await failure { _ = try await session.devices() }
            #expect(error?.code == .noAnswer)
            #expect(world.server.requests("/auth/refresh").count == 3)
        }
    }
}
