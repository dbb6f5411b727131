import Flows
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaServer

/// What HTTP itself asks of every call.
@Suite struct HTTPRulesTests {
    @Test("HEAD answers like GET without a body, errors too", arguments: ["/health/live", "/auth/devices", "/nothing"])
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
        "JSON in UTF-8 is taken however it is named",
        arguments: [
            "application/json", "application/json ; charset=utf-8", "Application/JSON;Charset=\"UTF-8\"",
            "application/json; profile=\"a;b\\\"c\"", "application/json;",
        ])
    func json(contentType: String) async throws { #expect(try await status(contentType) == .badRequest) }

    @Test(
        "Other types and charsets are 415",
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
            let answer = try await http.send(
                .post, "/auth/refresh", json: "{}", headers: [.contentType: contentType])
            await status.set(answer.status)
        }
        return await status.value
    }

    private actor Box<Value: Sendable> {
        private(set) var value: Value
        init(_ value: Value) { self.value = value }
        func set(_ value: Value) { self.value = value }
    }

    @Test("Only a token that came and is not good is called invalid")
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

    @Test("Every status that is answered has its title")
    func titles() throws {
        #expect(HTTPResponse.Status.insufficientStorage.reasonPhrase == "Insufficient Storage")
        let answers = [
            ErrorAnswer(.outOfSpace), ErrorAnswer(.unavailable("x")), ErrorAnswer(.reauthenticationRequired),
        ]
        for answer in answers { #expect(!answer.status.reasonPhrase.isEmpty) }
    }

    @Test(
        "A request without Host, or with two, is 400 and the last on its connection",
        arguments: ["", "Host: a\r\nHost: b\r\n"])
    func host(fields: String) async throws {
        let service = try await TestService.make()
        try await service.server().test(.live) { client in
            let port = try #require(client.port)
            let text = try await RawConnection.exchange(port: port, "GET /health/live HTTP/1.1\r\n\(fields)\r\n")
            #expect(text.hasPrefix("HTTP/1.1 400"))
            #expect(text.contains("one Host header"))
        }
    }

    @Test(
        "a request for a host that is not served is 421 and reaches no page, a call of loopback's or our host is answered",
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
                #expect(text.contains("Host names another server") == (status == 421))
            }
        }
    }

    @Test("HTTP/1.0 may leave Host out, and its connection ends unless it is asked to stay")
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

    @Test("A body that comes too slowly is 408, and the connection ends")
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
        "A body announced as larger than any number here is 413, and nobody waits for it",
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

    @Test("A refused call with a broken body gets one answer")
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

    @Test("A client that waits for 100 Continue is told to go on")
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

    @Test("readiness names refused uploads, damage, and why accounts cannot be written")
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
            let answer = ErrorAnswer(.storeFault(fault))
            #expect(answer.status == .serviceUnavailable && answer.code == .temporarilyUnavailable)
            #expect(answer.reason == fault.rawValue)
        }
    }
}
