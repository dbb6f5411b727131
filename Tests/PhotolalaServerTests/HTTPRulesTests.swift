import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@testable import PhotolalaServer

/// Requirements of HTTP for every call.
@Suite struct HTTPRulesTests {
    @Test("HEAD matches GET without a body, also for errors", arguments: ["/health/live", "/auth/devices", "/nothing"])
    func head(path: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let get = try await http.send(.get, path)
            let head = try await http.send(.head, path)
            #expect(head.status == get.status)
            #expect(head.headers[.contentType] == get.headers[.contentType])
            #expect(head.headers[.contentLength] == get.headers[.contentLength])
            #expect(get.body.readableBytes > 0 && head.body.readableBytes == 0)
        }
    }

    @Test(
        "a request id has 32 digits",
        arguments: ["1", String(repeating: "a", count: 31), String(repeating: "b", count: 32)])
    func requestID(id: String) {
        #expect(ServerContext.padded(id).count == 32 && ServerContext.padded(id).hasSuffix(id))
    }

    @Test(
        "JSON in UTF-8 is accepted in every spelling of its content type",
        arguments: [
            "application/json", "application/json ; charset=utf-8", "Application/JSON;Charset=\"UTF-8\"",
            "application/json; profile=\"a;b\\\"c\"", "application/json;",
        ])
    func json(contentType: String) async throws { #expect(try await status(contentType) == .badRequest) }

    @Test(
        "other content types and charsets return 415",
        arguments: [
            "text/json", "application/jsonp", "application/json; charset=latin1", "application/json, text/plain",
            "application/json; charset=utf-8; charset=utf-16", "application/json charset=utf-8", "application",
            "application/json; charset=\"utf-8", "application/json; charset", "", "application/problem+json",
        ])
    func otherTypes(contentType: String) async throws {
        #expect(try await status(contentType) == .unsupportedMediaType)
    }

    private func status(_ contentType: String) async throws -> HTTPResponse.Status {
        let service = try await TestService.make()
        let status = Box<HTTPResponse.Status>(.ok)
        try await service.exchange { http in
            let response = try await http.send(
                .post, "/auth/refresh", json: "{}", headers: [.contentType: contentType])
            await status.set(response.status)
        }
        return await status.value
    }

    private actor Box<Value: Sendable> {
        private(set) var value: Value
        init(_ value: Value) { self.value = value }
        func set(_ value: Value) { self.value = value }
    }

    @Test("only a token that was sent and rejected is reported as invalid_token")
    func challenges() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            let (token, both) = (bob.session.accessToken, #"Bearer, DPoP algs="ES256""#)
            _ = try await http.send(.post, "/auth/signout", token: token)
            let over = try await http.send(.get, "/auth/devices", token: token)
            #expect(over.headers[.wwwAuthenticate] == #"Bearer error="invalid_token", DPoP algs="ES256""#)
            let refresh = try await http.post("/auth/refresh", RefreshRequest(refreshToken: "x"))
            #expect(refresh.status == .unauthorized && refresh.headers[.wwwAuthenticate] == both)
            let none = try await http.send(.get, "/auth/devices")
            #expect(none.headers[.wwwAuthenticate] == both)
        }
    }

    @Test("every status in use has a title")
    func titles() throws {
        #expect(HTTPResponse.Status.insufficientStorage.reasonPhrase == "Insufficient Storage")
        let answers = [
            ErrorResponse(.outOfSpace), ErrorResponse(.unavailable("x")), ErrorResponse(.reauthenticationRequired),
        ]
        for response in answers { #expect(!response.status.reasonPhrase.isEmpty) }
    }

    @Test(
        "a request with no or two Host fields returns 400 and closes the connection",
        arguments: ["", "Host: a\r\nHost: b\r\n"])
    func host(fields: String) async throws {
        let service = try await TestService.make()
        try await service.server().test(.live) { client in
            let port = try #require(client.port)
            let text = try await RawConnection.exchange(port: port, "GET /health/live HTTP/1.1\r\n\(fields)\r\n")
            #expect(text.hasPrefix("HTTP/1.1 400"))
            #expect(text.contains("exactly one Host header"))
        }
    }

    @Test(
        "a request for a host that is not served returns 421; loopback and the public host are served",
        arguments: [
            ("attacker.example:8080", 421), ("localhost:8080", 200), ("127.0.0.1", 200), ("photos.example", 200),
        ])
    func servedHost(host: String, status: Int) async throws {
        let service = try await TestService.make()
        let settings = ServerSettings(
            host: "127.0.0.1", port: 0, publicURL: TestService.publicURL,
            hosts: .loopback(and: [TestService.publicURL]))
        try await service.server(settings).test(.live) { client in
            let port = try #require(client.port)
            for path in ["/health/live", "/dev/providers/apple/jwks.json", "/"] {
                let text = try await RawConnection.exchange(
                    port: port, "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                #expect(text.hasPrefix("HTTP/1.1 421") == (status == 421), "\(path)")
                #expect(text.contains("Unknown host in the Host header") == (status == 421))
            }
        }
    }

    @Test("HTTP/1.0 requests may omit Host, and their connection closes without keep-alive")
    func http10() async throws {
        let service = try await TestService.make()
        try await service.server().test(.live) { client in
            let port = try #require(client.port)
            let plain = try await RawConnection.exchange(port: port, "GET /health/live HTTP/1.0\r\n\r\n")
            #expect(plain.hasPrefix("HTTP/1.1 200"))
            let kept = try await RawConnection.exchange(
                port: port, "GET /health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
                "GET /health/live HTTP/1.0\r\n\r\n")
            #expect(kept.components(separatedBy: "HTTP/1.1 200").count == 3)
            let two = try await RawConnection.exchange(
                port: port, "GET /health/live HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n")
            #expect(two.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test("a body that arrives too slowly returns 408 and closes the connection")
    func slowBody() async throws {
        let service = try await TestService.make()
        let settings = ServerSettings(
            host: "127.0.0.1", port: 0, publicURL: TestService.publicURL, bodyTimeout: .milliseconds(100))
        try await service.server(settings).test(.live) { client in
            let port = try #require(client.port)
            let text = try await RawConnection.exchange(
                port: port,
                """
                POST /auth/refresh HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{
                """)
            #expect(text.hasPrefix("HTTP/1.1 408"))
            #expect(text.contains("request_timeout"))
        }
    }

    @Test(
        "a Content-Length beyond the integer range returns 413 without waiting for the body",
        arguments: ["9223372036854775808", "18446744073709551615"])
    func announcedGiant(length: String) async throws {
        let service = try await TestService.make()
        let settings = ServerSettings(
            host: "127.0.0.1", port: 0, publicURL: TestService.publicURL, bodyTimeout: .milliseconds(100))
        try await service.server(settings).test(.live) { client in
            let port = try #require(client.port)
            let text = try await RawConnection.exchange(
                port: port,
                """
                POST /auth/refresh HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n{
                """)
            #expect(text.hasPrefix("HTTP/1.1 413"))
            #expect(text.contains("body_too_large"))
        }
    }

    @Test("a rejected call with a malformed body gets exactly one response")
    func oneAnswer() async throws {
        let service = try await TestService.make()
        try await service.server().test(.live) { client in
            let port = try #require(client.port)
            let text = try await RawConnection.exchange(
                port: port, "POST /nothing HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "ZZ\r\n")
            #expect(text.hasPrefix("HTTP/1.1 404"))
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
    }

    @Test("a client that sends Expect: 100-continue gets 100 Continue")
    func waitsForContinue() async throws {
        let service = try await TestService.make()
        try await service.server().test(.live) { client in
            let port = try #require(client.port)
            let head =
                "POST /auth/refresh HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                + "Connection: close\r\nExpect: 100-continue\r\n\r\n"
            let text = try await RawConnection.exchange(port: port, head, "{}")
            #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400"))
        }
    }

    @Test("readiness reports rejected uploads and damage, and a store fault is a 503 with its reason in the log")
    func readiness() {
        #expect(
            WellKnownRoutes.text(ReadyReport(), isMaintenanceOverdue: false)
                == #"{"status":"ready","maintenance":"on_time"}"#)
        let refusing = ReadyReport(refusesUploads: true, isDamaged: true)
        #expect(
            WellKnownRoutes.text(refusing, isMaintenanceOverdue: true)
                == #"{"status":"ready","maintenance":"overdue","uploads":"refused","reason":"disk_space","#
                + #""storage":"damaged"}"#)
        for fault in StoreFault.allCases {
            let response = ErrorResponse(.storeFault(fault))
            #expect(response.status == .serviceUnavailable && response.code == .temporarilyUnavailable)
            #expect(response.reason == fault.rawValue)
        }
    }
}
