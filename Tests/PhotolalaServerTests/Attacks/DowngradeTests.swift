import Crypto
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Attacks that omit a protection of a call.
@Suite struct DowngradeTests {
    @Test("if challenges are required, every call with an ID token fails without one, even without nonce support")
    func challengeLeftOut() async throws {
        var options = TestService.Options()
        options.requiresChallenge = true
        options.allowsContinue = true
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob").session
        let tokens = [
            try service.token(.apple, "bob"),
            try service.apple.issueToken(.init(subject: "bob", nonceSupported: false)).idToken,
        ]
        try await service.exchange { http in
            for token in tokens {
                let signUp = SignUpRequest(provider: .apple, idToken: token, device: TestService.device(1))
                let answers = [
                    try await http.requestSignIn(.apple, token, device: 1),
                    try await http.post("/auth/signup", signUp), try await http.post("/auth/continue", signUp),
                    try await http.requestLink(.apple, token, bob),
                    try await http.post(
                        "/auth/reauthenticate", ReauthenticationRequest(provider: .apple, idToken: token),
                        token: bob.accessToken),
                ]
                for response in answers { #expect(try http.problem(response).code == .challengeRequired) }
            }
        }
    }

    @Test("a challenge that is sent must match the token's nonce, even if challenges are optional")
    func nonceLeftOut() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            for nonce in [nil, "", "another"] as [String?] {
                let asked = try await http.post(
                    "/auth/challenge", ChallengeRequest(purpose: .signin, deviceID: TestService.device(1).id))
                let challenge = try http.answer(asked, as: Challenge.self).challenge
                let token = try service.token(.apple, "bob", nonce: nonce)
                let response = try await http.requestSignIn(.apple, token, challenge: challenge, device: 1)
                #expect(try http.problem(response).code == .invalidChallenge)
            }
        }
    }

    @Test("tokens of a bound session are rejected without a DPoP proof, with any scheme")
    func boundToBearer() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob", key: P256.Signing.PrivateKey()).session
        try await service.exchange { http in
            for scheme in ["Bearer", "bearer", "DPoP", "Basic", "Token", ""] {
                let response = try await http.send(
                    .get, "/auth/devices", headers: [.authorization: "\(scheme) \(session.accessToken)"])
                #expect(response.status == .unauthorized, "\(scheme)")
            }
            let refresh = try await http.post("/auth/refresh", RefreshRequest(refreshToken: session.refreshToken))
            #expect(refresh.status == .unauthorized)
            let signOut = try await http.post("/auth/signout", SignOutRequest(refreshToken: session.refreshToken))
            #expect(signOut.status == .unauthorized)
        }
    }
}
