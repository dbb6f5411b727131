import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import StorageGateway

extension FuzzedParser {
    /// The JSON server that listens on a port, with everything before its handlers.
    static func server(port: Int, _ service: TestService) async throws -> FuzzedParser {
        let signedIn = try await service.signUp(.apple, "server", name: "Bob")
        let (user, token) = (signedIn.user.serviceUserID, signedIn.session.accessToken)
        let device = TestService.device(2)
        let signIn = SignInRequest(provider: .apple, idToken: try service.token(.apple, "server"), device: device)
        let authorized = "authorization: Bearer \(token)\r\n"
        let requests = [
            request("POST /auth/challenge", json(ChallengeRequest(purpose: .signin, deviceID: device.id))),
            request("POST /auth/signin", json(signIn)),
            request("POST /auth/refresh", json(RefreshRequest(refreshToken: signedIn.session.refreshToken))),
            request("GET /auth/devices", authorized), request("GET /users/\(user)/audit?before=9&limit=5", authorized),
            request("PUT /users/\(user)/profile", authorized + "if-match: *\r\n" + json(Profile(displayName: "B"))),
            request(
                "PUT /users/\(user)/profile",
                authorized
                    + "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
                    + "9\r\n{\"a\": 17}\r\n0\r\n\r\n"
            ),
            request("GET /health/live") + request("GET /.well-known/jwks.json"),
            request(
                "POST /dev/providers/apple/auth/oauth2/v2/token",
                "content-type: application/x-www-form-urlencoded\r\ncontent-length: 7\r\n\r\na=b&c=d"),
        ]
        return listener("JSON server", requests, port: port)
    }

    /// The S3 endpoint that listens on a port.
    static func storage(port: Int) throws -> FuzzedParser {
        let signed = try SignedStorage()
        let requests = try (signed.inHeader() + signed.inQuery() + SignedStorage.unsigned).map { text in
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("host:") }
            return request(String(lines[0]), lines.dropFirst().map { "\($0)\r\n" }.joined())
        }
        return listener("S3 endpoint", requests, port: port)
    }

    private static func listener(_ name: String, _ requests: [String], port: Int) -> FuzzedParser {
        FuzzedParser(name, requests.map { Array($0.utf8) }, tokens: .http) { bytes in
            let response = String(decoding: try await RawExchange.send(bytes, port: port), as: UTF8.self)
            try PropertyViolation.unless(response.isEmpty || response.hasPrefix("HTTP/1."), "the response is HTTP")
            try PropertyViolation.unless(!response.hasPrefix("HTTP/1.1 500"), "no request causes an internal error")
            return !response.isEmpty
        }
    }

    private static func request(_ line: String, _ rest: String = "") -> String {
        "\(line) HTTP/1.1\r\nhost: 127.0.0.1:9000\r\n\(rest)\(rest.contains("\r\n\r\n") ? "" : "\r\n")"
    }

    private static func json(_ body: some Encodable) -> String {
        let text = (try? WireJSON.encoder().encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return "content-type: application/json\r\ncontent-length: \(text.utf8.count)\r\n\r\n\(text)"
    }
}
