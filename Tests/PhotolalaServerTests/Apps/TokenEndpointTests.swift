import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The OAuth endpoints over HTTP: revocation (RFC 7009), the device grant (RFC 8628) and CORS.
@Suite struct TokenEndpointTests {
    private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    @Test("revoking an access or refresh token ends the app's session; revoking an unknown token returns 200")
    func revocation() async throws {
        let service = try await AppExchange.service()
        try await service.exchange { http in
            let app = AppExchange(http: http)
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            for hint in ["refresh_token", "access_token", "nonsense"] {
                let (access, refresh) = try await app.tokens(service, approvedBy: &bob)
                let token = hint == "access_token" ? access : refresh
                #expect(try await http.send(.get, "/auth/devices", token: access).status == .ok)
                for _ in 0..<2 {
                    let answer = try await app.post(
                        "/revoke", ["token": token, "client_id": "photolala", "token_type_hint": hint])
                    #expect(answer.status == .ok && answer.body.readableBytes == 0)
                    #expect(answer.headers[.cacheControl] == "no-store")
                }
                #expect(try await http.send(.get, "/auth/devices", token: access).status == .unauthorized)
                let refreshed = try await app.post(
                    "/token", ["grant_type": "refresh_token", "refresh_token": refresh, "client_id": "photolala"])
                #expect(try refreshed.status == .badRequest && app.error(refreshed) == "invalid_grant")
            }
            for token in ["x", "a.b.c", "plr.k.x.y"] {
                let answer = try await app.post("/revoke", ["token": token, "client_id": "photolala"])
                #expect(answer.status == .ok)
            }
        }
    }

    @Test("revocation accepts only the token's own app, a form body and POST")
    func revocationRefused() async throws {
        let service = try await AppExchange.service()
        try await service.exchange { http in
            let app = AppExchange(http: http)
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let (access, refresh) = try await app.tokens(service, approvedBy: &bob)
            for (fields, status, code) in [
                (["token": refresh, "client_id": AppExchange.web.id], 400, "invalid_grant"),
                (["token": access, "client_id": AppExchange.web.id], 400, "invalid_grant"),
                (["token": refresh, "client_id": "unknown"], 401, "invalid_client"),
                (["token": refresh], 400, "invalid_request"), (["client_id": "photolala"], 400, "invalid_request"),
                ([:], 400, "invalid_request"),
            ] as [([String: String], Int, String)] {
                let answer = try await app.post("/revoke", fields)
                #expect(try answer.status.code == status && app.error(answer) == code, "\(fields)")
            }
            let json = try await http.send(.post, "/revoke", json: #"{"token":"x","client_id":"photolala"}"#)
            #expect(try json.status == .badRequest && app.error(json) == "invalid_request")
            let read = try await http.send(.get, "/revoke?token=\(refresh)&client_id=photolala")
            #expect(read.status == .methodNotAllowed && read.headers[.allow] == "POST")
            #expect(try await http.send(.get, "/auth/devices", token: access).status == .ok)
        }
    }

    @Test("revoking a token that is bound to a key requires a DPoP proof")
    func boundRevocation() async throws {
        let service = try await AppExchange.service()
        let key = P256.Signing.PrivateKey()
        try await service.exchange { http in
            let app = AppExchange(http: http)
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            func proof(_ path: String) throws -> HTTPFields {
                let nonce = try service.components.sessions.dpopVerifier.nonce()
                return [.dpop: try DPoPProofDraft(key, "POST", TestService.publicURL + path, nonce: nonce).text()]
            }
            let issued = try service.services.deviceAuthorization.createDeviceCode { ["client_id": "photolala"][$0] }
            let caller = try await service.services.authenticator.authenticate(
                browserCookie: try #require(bob.cookies["__Host-photolala-session"]))
            let waiting = try #require(
                try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: caller))
            try await service.services.deviceAuthorization.decide(true, on: waiting, caller: caller)
            let answer = try await app.post(
                "/token",
                ["grant_type": Self.deviceGrant, "client_id": "photolala", "device_code": issued.deviceCode],
                headers: try proof("/token"))
            let tokens = try app.members(answer)
            #expect(tokens["token_type"] as? String == "DPoP")
            let fields = ["token": try #require(tokens["refresh_token"] as? String), "client_id": "photolala"]
            let without = try await app.post("/revoke", fields)
            #expect(try without.status == .badRequest && app.error(without) == "invalid_dpop_proof")
            #expect(try await service.services.devices.list(of: caller).devices.count == 2)
            #expect(try await app.post("/revoke", fields, headers: try proof("/revoke")).status == .ok)
            #expect(try await service.services.devices.list(of: caller).devices.count == 1)
        }
    }

    @Test("a device code returns authorization_pending or slow_down until a person approves it, then tokens once")
    func deviceGrant() async throws {
        let service = try await AppExchange.service()
        try await service.exchange { http in
            let app = AppExchange(http: http)
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let issued = try await app.post(
                "/device_authorization",
                ["client_id": AppExchange.web.id, "device_name": "<b>TV</b>", "device_platform": "tvos"])
            #expect(issued.status == .ok && issued.headers[.cacheControl] == "no-store")
            let codes = try app.members(issued)
            #expect(codes["interval"] as? Int == 5 && codes["expires_in"] as? Int == 600)
            #expect(codes["verification_uri"] as? String == "\(TestService.publicURL)/device")
            let code = try #require(codes["user_code"] as? String)
            #expect(code.wholeMatch(of: /[B-Z]{4}-[B-Z]{4}-[B-Z]{4}/) != nil)
            let grant = [
                "grant_type": Self.deviceGrant, "client_id": AppExchange.web.id,
                "device_code": try #require(codes["device_code"] as? String),
            ]
            for expected in ["authorization_pending", "slow_down", "slow_down"] {
                let answer = try await app.post("/token", grant)
                #expect(try answer.status == .badRequest && app.error(answer) == expected)
            }
            let page = String(buffer: try await bob.send(.get, "/device").body)
            let token = try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1)
            func type(_ fields: String) async throws -> String {
                let answer = try await bob.send(
                    .post, "/device", json: "form_token=\(token)&\(fields)", headers: [.contentType: AppExchange.form])
                return String(buffer: answer.body)
            }
            #expect(try await type("user_code=BBBB-BBBB-BBBB").contains("This code is wrong"))
            let asked = try await type("user_code=\(code.lowercased())")
            #expect(asked.contains("Example") && asked.contains("tvOS") && !asked.contains("TV</b>"))
            _ = try await type("user_code=\(code)&allow=1")
            service.clock.advance(by: 15)
            let answer = try await app.post("/token", grant)
            #expect(answer.status == .ok)
            #expect(try app.members(answer)["access_token"] != nil)
            service.clock.advance(by: 15)
            let again = try await app.post("/token", grant)
            #expect(try again.status == .badRequest && app.error(again) == "invalid_grant")
        }
    }

    private static let endpoints = ["/token", "/revoke", "/device_authorization"]

    @Test("an origin of a registered app can call the OAuth endpoints without credentials", arguments: endpoints)
    func cors(_ path: String) async throws {
        let service = try await AppExchange.service()
        try await service.exchange { http in
            let app = AppExchange(http: http)
            for origin in ["https://app.example", "https://b.example:8443"] {
                let preflight = try await http.send(
                    .options, path,
                    headers: [
                        .origin: origin, .accessControlRequestMethod: "POST",
                        .accessControlRequestHeaders: "content-type, dpop",
                    ])
                #expect(preflight.status == .noContent && preflight.headers[.accessControlAllowOrigin] == origin)
                #expect(preflight.headers[.accessControlAllowMethods] == "POST")
                #expect(preflight.headers[.accessControlAllowHeaders] == "Content-Type, DPoP")
                #expect(preflight.headers[.vary] == "Origin")
                #expect(preflight.headers[.accessControlAllowCredentials] == nil)
                // Errors need the header too, so that the app can read them.
                let answer = try await app.post(path, ["grant_type": "x"], headers: [.origin: origin])
                #expect(answer.status.kind == .clientError)
                #expect(answer.headers[.accessControlAllowOrigin] == origin && answer.headers[.vary] == "Origin")
                #expect(answer.headers[.accessControlExposeHeaders] == "DPoP-Nonce, Retry-After")
                #expect(answer.headers[.accessControlAllowCredentials] == nil)
            }
        }
    }

    @Test("a page can read a rate limit error, and preflight requests are not counted", arguments: endpoints)
    func limited(_ path: String) async throws {
        let service = try await AppExchange.service {
            $0.callRates = CallRates(address: 2, identity: 0, total: 0)
        }
        try await service.exchange { http in
            let app = AppExchange(http: http)
            let origin: HTTPFields = [.origin: "https://app.example"]
            for expected in [false, false, true] {
                let preflight = try await http.send(
                    .options, path, headers: [.origin: "https://app.example", .accessControlRequestMethod: "POST"])
                #expect(preflight.status == .noContent)
                let answer = try await app.post(path, ["grant_type": "x"], headers: origin)
                #expect((answer.status == .tooManyRequests) == expected)
                #expect(answer.headers[.accessControlAllowOrigin] == "https://app.example")
                #expect((answer.headers[.retryAfter] != nil) == expected)
                if expected { #expect(try app.error(answer) == "temporarily_unavailable") }
            }
        }
    }

    @Test("a waiting device that exceeds a limit gets slow_down", arguments: ["/token", "//token"])
    func limitedDevice(_ path: String) async throws {
        for rates in [CallRates(address: 1, identity: 0, total: 0), CallRates(address: 0, identity: 0, total: 1)] {
            let service = try await AppExchange.service { $0.callRates = rates }
            try await service.exchange { http in
                let app = AppExchange(http: http)
                let poll = ["grant_type": Self.deviceGrant, "client_id": "photolala", "device_code": "x"]
                #expect(try app.error(try await app.post(path, poll)) == "invalid_grant")
                let refused = try await app.post(path, poll)
                #expect(refused.status.code == (rates.address > 0 ? 429 : 503))
                #expect(try app.error(refused) == "slow_down" && refused.headers[.retryAfter] == "60")
                let other = try await http.send(.post, path, json: "{}")
                #expect(try app.error(other) == "temporarily_unavailable" && other.status == refused.status)
            }
        }
    }

    @Test("other origins and other endpoints get no CORS headers", arguments: endpoints)
    func otherOrigins(_ path: String) async throws {
        let service = try await AppExchange.service()
        try await service.exchange { http in
            let app = AppExchange(http: http)
            for origin in [
                "https://evil.example", "http://app.example", "https://app.example:444", "https://b.example",
                "https://app.example.evil.example", "https://sub.app.example", "null", "*", "https://App.example",
            ] {
                let preflight = try await http.send(
                    .options, path, headers: [.origin: origin, .accessControlRequestMethod: "POST"])
                #expect(preflight.status == .methodNotAllowed)
                let answer = try await app.post(path, ["grant_type": "x"], headers: [.origin: origin])
                for response in [preflight, answer] {
                    #expect(
                        !response.headers.contains { $0.name.canonicalName.hasPrefix("access-control-") }, "\(origin)")
                    #expect(response.headers[.vary] == "Origin")
                }
            }
            for other in ["/auth/refresh", "/users/x", "/sign-in"] {
                let answer = try await http.send(
                    .options, other, headers: [.origin: "https://app.example", .accessControlRequestMethod: "POST"])
                #expect(!answer.headers.contains { $0.name.canonicalName.hasPrefix("access-control-") })
            }
        }
    }
}
