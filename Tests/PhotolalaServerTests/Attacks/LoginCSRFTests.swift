import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Requests that Mallory's page can make Bob's browser send. They must neither sign Bob in as Mallory nor act as Bob.
@Suite struct LoginCSRFTests {
    private static let calls = [
        "/auth/signin", "/auth/signup", "/auth/continue", "/auth/refresh", "/auth/challenge",
    ]

    @Test("a cross-site form cannot sign in: form content types return 415", arguments: calls)
    func forms(call: String) async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "mallory")
        let token = try service.token(.apple, "mallory")
        let device = #"{"id":"0a000000-0000-4000-8000-000000000001","name":"a","platform":"b"}"#
        let json = #"{"provider":"apple","idToken":"\#(token)","device":\#(device)}"#
        try await service.exchange { http in
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
                let response = try await http.send(
                    .post, call, json: json, headers: [.contentType: type, .origin: "https://mallory.example"])
                #expect(response.status == .unsupportedMediaType)
            }
        }
    }

    @Test("scripts of other sites get no preflight approval and no readable response")
    func noCrossOriginAccess() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            for call in Self.calls + ["/auth/link-account", "/auth/credentials", "/users/\(bob.user.serviceUserID)"] {
                let preflight = try await http.send(
                    .options, call,
                    headers: [
                        .origin: "https://mallory.example", .accessControlRequestMethod: "POST",
                        .accessControlRequestHeaders: "content-type,authorization",
                    ])
                #expect(preflight.status == .methodNotAllowed)
                #expect(!preflight.headers.contains { $0.name.canonicalName.hasPrefix("access-control-") })
            }
            let read = try await http.send(
                .get, "/users/\(bob.user.serviceUserID)", token: bob.session.accessToken,
                headers: [.origin: "https://mallory.example"])
            #expect(!read.headers.contains { $0.name.canonicalName.hasPrefix("access-control-") })
        }
    }

    @Test("credentials that browsers attach are ignored: no cookie is set or read, no query is used")
    func nothingAmbient() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let response = try await http.requestSignUp(.apple, try service.token(.apple, "bob"), device: 1)
            #expect(response.headers[.setCookie] == nil)
            let token = try http.answer(response, as: SignedIn.self).session.accessToken
            for field in ["access_token", "accessToken", "token", "session", "Authorization"] {
                let cookie = try await http.send(.get, "/auth/devices", headers: [.cookie: "\(field)=\(token)"])
                let query = try await http.send(.get, "/auth/devices?\(field)=\(token)")
                #expect([cookie, query].allSatisfy { $0.status == .unauthorized })
            }
        }
    }

    @Test("a challenge for Mallory's device is rejected on Bob's device")
    func challengeOfAnotherDevice() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "mallory")
        try await service.exchange { http in
            let asked = try await http.post(
                "/auth/challenge", ChallengeRequest(purpose: .signin, deviceID: TestService.device(1).id))
            let challenge = try http.answer(asked, as: Challenge.self).challenge
            let token = try service.token(.apple, "mallory", nonce: challenge)
            let response = try await http.requestSignIn(.apple, token, challenge: challenge, device: 2)
            #expect(try http.problem(response).code == .invalidChallenge)
        }
    }
}
