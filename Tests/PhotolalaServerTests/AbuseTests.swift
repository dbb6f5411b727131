import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaServer
import PhotolalaTesting
import Secrets
import Testing
import Transport
import UseCases

/// The cost that unauthenticated clients can cause.
@Suite struct AbuseTests {
    /// Requests without authentication, in the forms that are processed furthest.
    private static let strangers: [(path: String, body: String)] = {
        let device = #""device":{"id":"\#(TestService.device(1).id)","name":"D","platform":"p"}"#
        let unsigned =
            "eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ.eyJpc3MiOiJ4Iiwic3ViIjoieCJ9.\(String(repeating: "A", count: 86))"
        let proof = #""provider":"apple","idToken":"\#(unsigned)","challenge":"x.y.z""#
        return [
            ("/auth/challenge", #"{"purpose":"signin","deviceID":"\#(TestService.device(1).id)"}"#),
            ("/auth/challenge", #"{"purpose":"link","deviceID":"\#(TestService.device(1).id)"}"#),
            ("/auth/signin", "{\(proof),\(device)}"), ("/auth/signup", "{\(proof),\(device)}"),
            ("/auth/signup", #"{"pendingIdentity":"test.\#(String(repeating: "A", count: 400))",\#(device)}"#),
            ("/auth/continue", "{\(proof),\(device)}"), ("/auth/reauthenticate", "{\(proof)}"),
            ("/auth/refresh", #"{"refreshToken":"\#(unsigned)"}"#),
            ("/auth/signout", #"{"refreshToken":"\#(unsigned)"}"#), ("/auth/signout-everywhere", "{}"),
            ("/auth/link-account", "{\(proof)}"), ("/auth/unlink-account", "{}"), ("/auth/credentials", "{}"),
            ("/webhooks/apple", #"{"payload":"\#(unsigned)"}"#), ("/webhooks/google", unsigned),
        ]
    }()

    @Test("requests without authentication cause no store requests and fetch each provider's keys at most once")
    func constantWork() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            _ = service.store.drainRequests()
            for _ in 0..<3 {
                for (path, body) in Self.strangers {
                    for token in [nil, "x", "a.b.c", body] {
                        let response = try await http.send(.post, path, json: body, token: token)
                        #expect(response.status.code < 500 && service.store.drainRequests().isEmpty, "\(path)")
                    }
                }
                for path in ["/auth/devices", "/auth/linked-accounts", "/users/\(UserID(uuid: UUID()))"] {
                    #expect(try await http.send(.get, path, token: "a.b.c").status == .unauthorized)
                }
            }
            #expect(service.store.drainRequests().isEmpty)
            #expect(service.network.requests.count <= 2, "\(service.network.requests)")
        }
    }

    @Test("a flood of tokens with unknown key ids fetches a provider's keys once per minute")
    func keyStorm() async throws {
        let service = try await TestService.make()
        let rest = try service.token(.google, "bob").drop { $0 != "." }
        try await service.exchange { http in
            for number in 0..<120 {
                let header = Base64URL.encode(Data(#"{"alg":"RS256","kid":"k\#(number)"}"#.utf8))
                let request = SignInRequest(
                    provider: .google, idToken: "\(header)\(rest)", device: TestService.device(1))
                let response = try await http.post("/auth/signin", request)
                #expect(response.status == .unauthorized)
                service.clock.advance(by: 1)
            }
        }
        #expect(service.network.requests.count == 2)
    }

    private func limited(_ address: Int) async throws -> TestService {
        var options = TestService.Options()
        options.callRates = CallRates(address: address, identity: 0, total: 0)
        return try await TestService.make(options)
    }

    @Test("guessing access tokens hits the address limit; valid tokens and public endpoints still work")
    func guessing() async throws {
        let service = try await limited(3)
        let session = try await service.signUp(.apple, "bob").session
        try await service.exchange { http in
            let path = "/users/\(try await service.caller(session).user)"
            for _ in 0..<10 { #expect(try await http.send(.get, path, token: session.accessToken).status == .ok) }
            for _ in 0..<3 { #expect(try await http.send(.get, path, token: "a.b.c").status == .unauthorized) }
            let refused = try await http.send(.get, path, token: "a.b.c")
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "20")
            #expect(try await http.send(.get, path, token: session.accessToken).status == .ok)
            #expect(try await http.send(.get, "/health/live").status == .ok)
            #expect(try await http.send(.get, "/.well-known/jwks.json").status == .ok)
            #expect(try await http.send(.post, "/auth/refresh", json: "{}").status == .badRequest)
            service.clock.advance(by: 20)
            #expect(try await http.send(.get, path, token: "a.b.c").status == .unauthorized)
        }
    }

    @Test("after too many forged provider events, further ones return 429")
    func feignedEvents() async throws {
        let service = try await limited(3)
        try await service.exchange { http in
            for _ in 0..<3 {
                let response = try await http.send(.post, "/webhooks/apple", json: "{}")
                #expect(response.status == .badRequest)
            }
            let response = try await http.send(.post, "/webhooks/apple", json: "{}")
            #expect(response.status == .tooManyRequests)
        }
    }

    @Test(
        "a connection beyond the address limit is closed, except through a trusted proxy",
        arguments: [([], ""), (["127.0.0.1"], "HTTP/1.1 200")])
    func connections(proxies: [String], response: String) async throws {
        let service = try await TestService.make()
        let settings = ServerSettings(
            host: "127.0.0.1", port: 0, publicURL: TestService.publicURL, connectionsPerAddress: 2,
            trustedProxies: proxies.compactMap(AddressRange.init))
        try await service.server(settings).test(.live) { client in
            let port = try #require(client.port)
            let request = "GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n"
            let last = request.replacing("Host: h", with: "Host: h\r\nConnection: close")
            let third = try await RawConnection.holding(port: port, request) {
                try await RawConnection.holding(port: port, request) {
                    (try? await RawConnection.exchange(port: port, last)) ?? ""
                }
            }
            #expect(third.prefix(12) == response)
        }
    }
}
