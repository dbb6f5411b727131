import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Device keys over HTTP (RFC 9449 sections 4 to 9).
@Suite struct DeviceKeyTests {
    private let key = P256.Signing.PrivateKey()
    private let devices = TestService.publicURL + "/auth/devices"

    private func nonce(_ response: TestResponse) throws -> String {
        try #require(response.headers[HTTPField.Name.dpopNonce])
    }

    private func call(
        _ http: HTTPExchange, _ token: String, _ proof: String?, scheme: String = "DPoP"
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: "\(scheme) \(token)"]
        headers[.dpop] = proof
        return try await http.send(.get, "/auth/devices", headers: headers)
    }

    private func proof(_ nonce: String?, _ token: String) throws -> String {
        try DPoPProofDraft(key, "GET", devices, nonce: nonce, accessToken: token).text()
    }

    @Test("a client without a nonce receives one and can then sign in, call and refresh")
    func walk() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let request = SignInRequest(
            provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(1))
        let body = String(decoding: try WireJSON.encoder().encode(request), as: UTF8.self)
        try await service.exchange { http in
            let uri = TestService.publicURL + "/auth/signin"
            let first = try await http.send(
                .post, "/auth/signin", json: body,
                headers: [.dpop: try DPoPProofDraft(key, "POST", uri, nonce: nil).text()])
            #expect(first.status == .unauthorized)
            #expect(try http.problem(first).code == .useDPoPNonce)
            #expect(first.headers[.wwwAuthenticate] == #"DPoP error="use_dpop_nonce", algs="ES256""#)
            let second = try await http.send(
                .post, "/auth/signin", json: body,
                headers: [.dpop: try DPoPProofDraft(key, "POST", uri, nonce: try nonce(first)).text()])
            #expect(second.status == .ok)
            let session = try http.answer(second, as: SignedIn.self).session
            #expect(session.tokenType == .dpop)
            let token = session.accessToken
            let listed = try await call(http, token, try proof(try nonce(second), token))
            #expect(listed.status == .ok)
            let refresh = String(
                decoding: try WireJSON.encoder().encode(RefreshRequest(refreshToken: session.refreshToken)),
                as: UTF8.self)
            let refreshURI = TestService.publicURL + "/auth/refresh"
            let refreshed = try await http.send(
                .post, "/auth/refresh", json: refresh,
                headers: [.dpop: try DPoPProofDraft(key, "POST", refreshURI, nonce: try nonce(listed)).text()])
            #expect(refreshed.status == .ok)
        }
    }

    @Test("a challenge response includes a nonce; other responses to calls without a proof do not")
    func nonceWithChallenge() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let request = ChallengeRequest(purpose: .signin, deviceID: TestService.device(1).id)
            let challenge = try await http.post("/auth/challenge", request)
            #expect(try nonce(challenge) == service.components.sessions.dpopVerifier.nonce())
            #expect(try await http.send(.get, "/auth/devices").headers[.dpopNonce] == nil)
        }
    }

    @Test("schemes are case-insensitive, and a scheme that does not match the token or proof is rejected")
    func schemes() async throws {
        let service = try await TestService.make()
        let token = try await service.signUp(.apple, "bob", device: 1, key: key).session.accessToken
        let free = try await service.signIn(.apple, "bob", device: 2).session.accessToken
        let nonce = try service.components.sessions.dpopVerifier.nonce()
        try await service.exchange { http in
            for scheme in ["DPoP", "dpop", "DPOP"] {
                #expect(try await call(http, token, try proof(nonce, token), scheme: scheme).status == .ok)
            }
            let invalid = #"error="invalid_token""#
            let refusals: [(TestResponse, ErrorCode, String)] = [
                (
                    try await call(http, token, nil, scheme: "Bearer"), .unauthorized,
                    #"Bearer \#(invalid), DPoP algs="ES256""#
                ),
                (
                    try await call(http, token, try proof(nonce, token), scheme: "Bearer"), .invalidDPoPProof,
                    #"DPoP error="invalid_dpop_proof", algs="ES256""#
                ),
                (
                    try await call(http, token, nil), .invalidDPoPProof,
                    #"DPoP error="invalid_dpop_proof", algs="ES256""#
                ),
                (
                    try await call(http, free, try proof(nonce, free)), .unauthorized,
                    #"DPoP \#(invalid), algs="ES256""#
                ),
                (
                    try await call(http, free, try proof(nonce, free), scheme: "Bearer"), .invalidDPoPProof,
                    #"DPoP error="invalid_dpop_proof", algs="ES256""#
                ),
            ]
            for (response, code, challenge) in refusals {
                #expect(response.status == .unauthorized)
                #expect(try http.problem(response).code == code)
                #expect(response.headers[.wwwAuthenticate] == challenge)
            }
            #expect(try await call(http, free, nil, scheme: "bearer").status == .ok)
        }
    }

    @Test("two proofs in one request are rejected, in two fields and in one")
    func twoProofs() async throws {
        let service = try await TestService.make()
        let token = try await service.signUp(.apple, "bob", key: key).session.accessToken
        let nonce = try service.components.sessions.dpopVerifier.nonce()
        let proofs = try (0..<2).map { _ in try proof(nonce, token) }
        try await service.exchange { http in
            var headers: HTTPFields = [.authorization: "DPoP \(token)"]
            for text in proofs { headers.append(HTTPField(name: .dpop, value: text)) }
            let fields = try await http.send(.get, "/auth/devices", headers: headers)
            #expect(try http.problem(fields).code == .invalidDPoPProof)
            let joined = try await call(http, token, proofs.joined(separator: ", "))
            #expect(try http.problem(joined).code == .invalidDPoPProof)
        }
    }

    @Test("a proof must name the server's public URL, whatever host or proxy headers the request has")
    func address() async throws {
        let service = try await TestService.make()
        let token = try await service.signUp(.apple, "bob", key: key).session.accessToken
        let nonce = try service.components.sessions.dpopVerifier.nonce()
        try await service.exchange { http in
            let evil = "https://evil.example/auth/devices"
            let stolen = try DPoPProofDraft(key, "GET", evil, nonce: nonce, accessToken: token).text()
            var headers: HTTPFields = [.authorization: "DPoP \(token)", .dpop: stolen]
            for name in ["X-Forwarded-Host", "X-Forwarded-Proto", "X-Original-URL", "Forwarded"] {
                headers[try #require(HTTPField.Name(name))] = name == "Forwarded" ? "host=evil.example" : "evil.example"
            }
            let refused = try await http.send(.get, "/auth/devices", headers: headers)
            let problem = try http.problem(refused)
            #expect(problem.code == .invalidDPoPProof)
            #expect(problem.detail.contains(devices), "the log names the server's address")
            let query = try await http.send(
                .get, "/auth/devices?before=1",
                headers: [.authorization: "DPoP \(token)", .dpop: try proof(nonce, token)])
            #expect(query.status == .ok)
        }
    }

    @Test("a proof for HEAD must name HEAD")
    func head() async throws {
        let service = try await TestService.make()
        let token = try await service.signUp(.apple, "bob", key: key).session.accessToken
        let nonce = try service.components.sessions.dpopVerifier.nonce()
        try await service.exchange { http in
            for (method, status) in [("HEAD", HTTPResponse.Status.ok), ("GET", .unauthorized)] {
                let text = try DPoPProofDraft(key, method, devices, nonce: nonce, accessToken: token).text()
                let response = try await http.send(
                    .head, "/auth/devices", headers: [.authorization: "DPoP \(token)", .dpop: text])
                #expect(response.status == status)
            }
        }
    }

    @Test("an access token names its key for other services that verify it")
    func confirmation() async throws {
        let service = try await TestService.make()
        let bound = try await service.signUp(.apple, "bob", key: key).session.accessToken
        struct Claims: Decodable {
            struct Confirmation: Decodable { let jkt: String }
            let cnf: Confirmation?
        }
        func claims(_ token: String) throws -> Claims {
            var text = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
            while text.count % 4 != 0 { text += "=" }
            return try JSONDecoder().decode(Claims.self, from: try #require(Data(base64Encoded: text)))
        }
        #expect(try claims(bound).cnf?.jkt.count == 43)
        let free = try await service.signIn(.apple, "bob").session.accessToken
        #expect(try claims(free).cnf == nil)
    }
}

extension HTTPField.Name {
    static let dpop = Self("DPoP")!
    static let dpopNonce = Self("DPoP-Nonce")!
}
