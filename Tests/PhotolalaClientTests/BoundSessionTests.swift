import Crypto
import Foundation
import HTTPTypes
import JWS
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Secrets
import Testing
import Transport

@Suite("Sessions bound to a device key") struct BoundSessionTests {
    /// The payload of a request's DPoP proof, after its signature was verified.
    private struct Claims: Decodable {
        let jti: String
        let htm: String
        let htu: String
        let nonce: String?
        let ath: String?
    }

    private func proof(_ request: TransportRequest) throws -> (claims: Claims, key: KeyThumbprint)? {
        guard let text = request.headers[.proof] else { return nil }
        let jws = try CompactJWS(text)
        let key = try #require(jws.header.embeddedKey.flatMap(P256JSONWebKey.init))
        #expect(jws.header.type == "dpop+jwt" && jws.header.algorithm == "ES256" && key.isSigner(of: jws))
        return (try JSONDecoder().decode(Claims.self, from: jws.payload), key.thumbprint)
    }

    private static func bound(_ name: String, goodFor seconds: TimeInterval = 3600) -> Session {
        let tokens = ClientFixture.tokens(name, goodFor: seconds)
        return Session(
            tokenType: .dpop, accessToken: tokens.accessToken, accessTokenExpiresAt: tokens.accessTokenExpiresAt,
            refreshToken: "refresh", refreshTokenExpiresAt: tokens.refreshTokenExpiresAt, deviceID: tokens.deviceID)
    }

    private static let signIn = ClientFixture.signedInAnswer(bound("1"))

    private static func withNonce(_ nonce: String, _ answer: @escaping FakeServer.Response) -> FakeServer.Response {
        @Sendable func add(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            let response = try await answer(request)
            var headers = response.headers
            headers[.nonce] = nonce
            return TransportResponse(status: response.status, headers: headers, body: response.body)
        }
        return add
    }

    @Test("a key that is not in hardware is not declared as such")
    func softwareKey() async throws {
        try await ClientFixture.with(["POST /auth/signin": [Self.signIn]]) { fixture in
            _ = try await fixture.signedIn()
            let body = try #require(fixture.server.requests("/auth/signin").first?.text)
            #expect(body.contains(#""device":"#) && !body.contains("hardwareKey"))
        }
    }

    @Test("a sign-in and all later calls prove the same key, each with its own ID and the access token's hash")
    func proofs() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [Self.withNonce("n1", Self.signIn)], "GET /auth/devices": [ClientFixture.noDevices],
            "POST /auth/refresh": [FakeServer.json(SessionResponse(session: Self.bound("2", goodFor: 7200)))],
        ]) { fixture in
            let session = try await fixture.signedIn()
            _ = try await session.devices()
            fixture.clock.advance(by: 3600)
            _ = try await session.devices()
            let requests = ["/auth/signin", "/auth/devices", "/auth/refresh"].flatMap(fixture.server.requests)
            #expect(requests.map { $0.headers[.authorization] } == [nil, "DPoP access-1", "DPoP access-2", nil])
            let proofs = try requests.map { try #require(try proof($0)) }
            #expect(Set(proofs.map(\.key)).count == 1 && Set(proofs.map(\.claims.jti)).count == 4)
            #expect(proofs.map(\.claims.htm) == ["POST", "GET", "GET", "POST"])
            #expect(proofs[1].claims.htu == "https://photos.example/auth/devices")
            #expect(proofs.map(\.claims.nonce) == [nil, "n1", "n1", "n1"])
            let hash = Base64URL.encode(Data(SHA256.hash(data: Data("access-1".utf8))))
            #expect(proofs[0].claims.ath == nil && proofs[1].claims.ath == hash && proofs[3].claims.ath == nil)
        }
    }

    @Test("a call that requires another nonce is repeated once with it")
    func nonceIsAskedFor() async throws {
        let refused = FakeServer.problem(.useDPoPNonce, 401)
        try await ClientFixture.with([
            "POST /auth/signin": [Self.withNonce("n1", Self.signIn)],
            "GET /auth/devices": [
                Self.withNonce("n2", refused), ClientFixture.noDevices, Self.withNonce("n3", refused),
                Self.withNonce("n4", refused), ClientFixture.noDevices,
            ],
        ]) { fixture in
            let session = try await fixture.signedIn()
            _ = try await session.devices()
            await expect(.useDPoPNonce) { _ = try await session.devices() }
            let nonces = try fixture.server.requests("/auth/devices").map { try proof($0)?.claims.nonce }
            #expect(nonces == ["n1", "n2", "n2", "n3"])
            // The next call starts with the nonce of the last rejection.
            _ = try await session.devices()
            #expect(try fixture.server.requests("/auth/devices").last.flatMap { try proof($0)?.claims.nonce } == "n4")
        }
    }

    @Test("a rejection without a new nonce is not repeated")
    func noNewNonce() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [Self.signIn], "GET /auth/devices": [FakeServer.problem(.useDPoPNonce, 401)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.useDPoPNonce) { _ = try await session.devices() }
            #expect(fixture.server.requests("/auth/devices").count == 1)
        }
    }

    @Test("processes on one profile use the same key, and a new sign-in creates another one")
    func keyIsKept() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [Self.signIn], "GET /auth/devices": [ClientFixture.noDevices],
            "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            _ = try await fixture.signedIn().devices()
            let other = try fixture.session()
            _ = try await other.devices()
            try await other.signOut()
            try await other.signIn(ClientFixture.credential)
            _ = try await other.devices()
            let keys = try fixture.server.requests("/auth/devices").map { try proof($0)?.key }
            #expect(keys[0] == keys[1] && keys[1] != keys[2])
            #expect(try fixture.server.requests("/auth/signout").map { try proof($0)?.key } == [keys[0]])
        }
    }

    @Test("sessions stay unbound if the server binds nothing or the app disables binding")
    func unbound() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "GET /auth/devices": [ClientFixture.noDevices],
        ]) { fixture in
            _ = try await fixture.signedIn().devices()
            let off = try fixture.session(bindsSessions: false)
            try await off.signIn(ClientFixture.credential)
            _ = try await off.devices()
            let signIns = fixture.server.requests("/auth/signin").map { $0.headers[.proof] == nil }
            #expect(signIns == [false, true])
            for request in fixture.server.requests("/auth/devices") {
                #expect(request.headers[.authorization] == "Bearer access-1" && request.headers[.proof] == nil)
            }
        }
    }

    @Test("a session stored before keys existed continues as a bearer session")
    func keptSession() async throws {
        try await ClientFixture.with(["GET /auth/devices": [ClientFixture.noDevices]]) { fixture in
            let kept = """
                {"server": "https://photos.example", "user": "\(ClientFixture.user)", "session": {"accessToken": "access-1", \
                "accessTokenExpiresAt": "2027-02-01T00:00:00Z", "refreshToken": "r", "refreshTokenExpiresAt": \
                "2027-02-01T00:00:00Z", "deviceID": "\(ClientFixture.user)"}}
                """
            let storage = try ProfileDirectory(fixture.folder).fileSecretStorage()
            try storage.save(Data(kept.utf8), as: "session")
            _ = try await fixture.session().devices()
            #expect(fixture.server.requests("/auth/devices").map { $0.headers[.authorization] } == ["Bearer access-1"])
        }
    }

    @Test("the key is stored sealed, in a file readable only by its owner")
    func sealed() async throws {
        try await ClientFixture.with(["POST /auth/signin": [Self.signIn]]) { fixture in
            _ = try await fixture.signedIn()
            let file = fixture.folder.appendingPathComponent("secrets/session.sealed")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("\"key\"") && !text.contains("access-1"))
            let opened = try #require(try ProfileDirectory(fixture.folder).fileSecretStorage().load("session"))
            #expect(String(decoding: opened, as: UTF8.self).contains("\"key\""))
        }
    }
}

extension HTTPField.Name {
    fileprivate static let proof = Self(DPoP.proofField)!
    fileprivate static let nonce = Self(DPoP.nonceField)!
}
