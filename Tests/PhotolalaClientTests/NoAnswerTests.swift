import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing
import Transport

/// Calls without a response.
@Suite struct NoAnswerTests {
    private static let silent: FakeServer.Response = { _ throws(TransportError) in
        throw .noResponse(after: .seconds(30))
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
        let tokens = ClientFixture.tokens("1")
        let bound = Session(
            tokenType: .dpop, accessToken: tokens.accessToken, accessTokenExpiresAt: tokens.accessTokenExpiresAt,
            refreshToken: tokens.refreshToken, refreshTokenExpiresAt: tokens.refreshTokenExpiresAt,
            deviceID: tokens.deviceID)
        let script = [
            "POST /auth/signin": [ClientFixture.signedInAnswer(bound)],
            "GET /auth/devices": [missing, missing, ClientFixture.noDevices],
        ]
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            #expect(try await session.devices().isEmpty)
            let proofs = fixture.server.requests("/auth/devices").compactMap { $0.headers[Self.proofField] }
            #expect(proofs.count == 3 && Set(proofs).count == 3)
        }
    }

    @Test func `a GET without a response fails after three attempts and reports the timeout`() async throws {
        let script = ["POST /auth/signin": [ClientFixture.signedInAnswer()], "GET /auth/devices": [Self.silent]]
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            let error = await failure { _ = try await session.devices() }
            #expect(error?.code == .noResponse)
            #expect(error?.detail == "No response from https://photos.example within 30 s.")
            #expect(fixture.server.requests("/auth/devices").count == 3)
        }
    }

    @Test func `a request for credentials is repeated`() async throws {
        let script = ["POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/credentials": [Self.silent]]
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            let error = await failure { _ = try await session.credentials() }
            #expect(error?.code == .noResponse)
            #expect(fixture.server.requests("/auth/credentials").count == 3)
        }
    }

    @Test func `a call that changes something is sent once, and its outcome is unknown`() async throws {
        try await ClientFixture.with(["POST /auth/signin": [Self.silent]]) { fixture in
            let session = try fixture.session()
            let error = await failure { _ = try await session.signIn(ClientFixture.credential) }
            #expect(error?.code == .outcomeUnknown)
            #expect(
                error?.detail
                    == "No response from https://photos.example within 30 s; the request may have been processed.")
            #expect(fixture.server.requests("/auth/signin").count == 1)
        }
    }

    @Test func `a refresh without a response is repeated at most three times`() async throws {
        let script = ["POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/refresh": [Self.silent]]
        try await ClientFixture.with(script) { fixture in
            let session = try await fixture.signedIn()
            fixture.clock.advance(by: 3600)
            let error = await failure { _ = try await session.devices() }
            #expect(error?.code == .noResponse)
            #expect(fixture.server.requests("/auth/refresh").count == 3)
        }
    }
}
