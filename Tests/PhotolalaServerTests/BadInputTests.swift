import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Invalid input returns a clear error and changes nothing.
@Suite struct BadInputTests {
    private static let device = #"{"id":"0a000000-0000-4000-8000-000000000001","name":"laptop","platform":"linux"}"#

    @Test(
        "a malformed body returns 400 with the reason",
        arguments: [
            ("", "The body is missing."), ("{", "The body is not valid JSON."), ("[]", "The body has the wrong type."),
            ("null", "The body"), (#"{"provider":"apple"}"#, "idToken is missing."),
            (#"{"provider":5,"idToken":"x","device":{}}"#, "provider has the wrong type."),
            (#"{"provider":"Apple!","idToken":"x","device":{}}"#, "provider has an invalid value."),
            (#"{"provider":"email","idToken":"x","device":{}}"#, "provider has an invalid value."),
            (
                #"{"provider":"apple","idToken":"x","device":{"id":"1","name":"a","platform":"b"}}"#,
                "device.id has an invalid value"
            ),
            (
                #"{"provider":"apple","idToken":"x","device":{"id":"0a000000-0000-4000-8000-000000000001","name":"","platform":"b"}}"#,
                "device.name"
            ),
        ])
    func malformedBodies(json: String, explanation: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let response = try await http.send(.post, "/auth/signin", json: json)
            #expect(response.status == .badRequest)
            let problem = try http.problem(response)
            #expect(problem.code == .invalidRequest)
            #expect(problem.detail.hasPrefix(explanation), "\(problem.detail)")
        }
    }

    @Test("JSON nested 20,000 levels deep returns 400, and the server keeps running")
    func deepJSON() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let json = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
            let refused = try await http.send(.post, "/auth/signin", json: json)
            #expect(refused.status == .badRequest)
            let live = try await http.send(.get, "/health/live")
            #expect(live.status == .ok)
        }
    }

    @Test("an unknown provider returns 400, a malformed token 401")
    func unknownProviderAndGarbage() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let unknown = try await http.send(
                .post, "/auth/signin",
                json: #"{"provider":"nix","idToken":"x","device":\#(Self.device)}"#
            )
            #expect(try http.problem(unknown).code == .unknownProvider)
            for token in ["", "x", "a.b.c", "..", String(repeating: "x", count: 20_000)] {
                let garbage = try await http.send(
                    .post, "/auth/signin",
                    json: #"{"provider":"apple","idToken":"\#(token)","device":\#(Self.device)}"#
                )
                #expect(garbage.status == .unauthorized)
                #expect(try http.problem(garbage).code == .invalidToken)
            }
        }
    }

    @Test("a body larger than the limit returns 413, another content type 415")
    func sizeAndType() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let large = "{\"idToken\":\"\(String(repeating: "x", count: 200 << 10))\"}"
            let tooLarge = try await http.send(.post, "/auth/signin", json: large)
            #expect(tooLarge.status == .contentTooLarge)
            #expect(try http.problem(tooLarge).code == .bodyTooLarge)
            let form = try await http.send(
                .post, "/auth/signin", json: "a=b", headers: [.contentType: "application/x-www-form-urlencoded"]
            )
            #expect(form.status == .unsupportedMediaType)
            #expect(try http.problem(form).code == .unsupportedMediaType)
        }
    }

    @Test("an unknown path returns 404, an unsupported method 405 with the Allow list")
    func pathsAndMethods() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            #expect(try http.problem(try await http.send(.get, "/nothing/here")).code == .notFound)
            let wrong = try await http.send(.get, "/auth/signup")
            #expect(wrong.status == .methodNotAllowed)
            #expect(wrong.headers[.allow] == "POST")
            #expect(try http.problem(wrong).code == .methodNotAllowed)
            let query = try #require(HTTPRequest.Method("QUERY"))
            for method in [HTTPRequest.Method.head, .options, .trace, .patch, query] {
                for path in ["/auth/signup", "/token"] where path != "/token" || method != .head {
                    let refused = try await http.send(method, path)
                    #expect(refused.status == .methodNotAllowed && refused.headers[.allow] == "POST")
                }
            }
            let read = try await http.send(.options, "/health/live")
            #expect(read.headers[.allow] == "GET, HEAD")
        }
    }

    @Test(
        "every call that requires a signed-in user rejects a missing token, another scheme and a malformed token",
        arguments: [
            "GET /auth/linked-accounts", "POST /auth/link-account", "POST /auth/unlink-account",
            "DELETE /auth/unlink-account/0a000000-0000-4000-8000-000000000001", "GET /auth/devices",
            "DELETE /auth/devices/0a000000-0000-4000-8000-000000000001",
            "PUT /auth/devices/0a000000-0000-4000-8000-000000000001/last-sync", "POST /auth/credentials",
            "POST /auth/reauthenticate", "POST /auth/signout", "POST /auth/signout-everywhere",
            "GET /users/0a000000-0000-4000-8000-000000000001",
            "GET /users/0a000000-0000-4000-8000-000000000001/profile",
            "PUT /users/0a000000-0000-4000-8000-000000000001/profile",
            "GET /users/0a000000-0000-4000-8000-000000000001/usage",
        ])
    func withoutAccessToken(call: String) async throws {
        let service = try await TestService.make()
        let parts = call.split(separator: " ")
        let method = try #require(HTTPRequest.Method(String(parts[0])))
        try await service.exchange { http in
            for authorization in [
                nil, "Basic Ym9iOmJvYg==", "Bearer", "Bearer x.y.z", "Bearer \(String(repeating: "a", count: 5000))",
            ] {
                let fields: HTTPFields = authorization.map { [.authorization: $0] } ?? [:]
                let response = try await http.send(method, String(parts[1]), headers: fields)
                #expect(response.status == .unauthorized)
                let isToken = authorization?.hasPrefix("Bearer ") ?? false
                let scheme = isToken ? #"Bearer error="invalid_token""# : "Bearer"
                #expect(response.headers[.wwwAuthenticate] == #"\#(scheme), DPoP algs="ES256""#)
                #expect(try http.problem(response).code == .unauthorized)
            }
        }
    }

    @Test("a malformed id in a path returns 404", arguments: ["x", "%00", "..%2f..", "0a000000-0000-4000-8000"])
    func absurdIDs(id: String) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            for path in ["/users/\(id)", "/users/\(id)/profile"] {
                #expect(try await http.send(.get, path, token: bob.session.accessToken).status == .notFound)
            }
            let removal = try await http.send(.delete, "/auth/devices/\(id)", token: bob.session.accessToken)
            #expect(removal.status == .notFound)
        }
    }

    @Test(
        "a number that JSON parsers read differently returns 400 with its name",
        arguments: ["9007199254740992", "-9007199254740992", "12345678901234567890", "1e16", "1e400", "-1e400"]
    )
    func inexactPreference(number: String) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        let path = "/users/\(bob.user.serviceUserID)/profile"
        try await service.exchange { http in
            let json = #"{"preferences":{"columns":\#(number)}}"#
            let response = try await http.send(.put, path, json: json, token: bob.session.accessToken)
            #expect(response.status == .badRequest)
            let problem = try http.problem(response)
            #expect(problem.detail == "preferences.columns has an invalid value.")
        }
    }

    @Test(
        "a profile that exceeds a limit returns 400 and the stored profile stays",
        arguments: [
            #"{"displayName":"\#(String(repeating: "x", count: 201))"}"#,
            #"{"picture":"\#(String(repeating: "x", count: 1025))"}"#,
            #"{"preferences":{"a":[1]}}"#, #"{"preferences":{"a":{"b":1}}}"#, #"{"preferences":{"a":null}}"#,
            #"{"preferences":{"a":NaN}}"#, "",
        ])
    func profileLimits(json: String) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        let path = "/users/\(bob.user.serviceUserID)/profile"
        try await service.exchange { http in
            #expect(try await http.send(.put, path, json: json, token: bob.session.accessToken).status == .badRequest)
            let kept = try await http.send(.get, path, token: bob.session.accessToken)
            #expect(try http.answer(kept, as: Profile.self).displayName == "Bob")
        }
    }
}
