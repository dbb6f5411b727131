import Foundation
import Testing

@testable import StorageGateway

/// User content never runs on this host, and only allowed origins may call it.
struct BrowserSafetyTests {
    @Test(
        "only plain images are displayed inline, all other types are attachments",
        arguments: [
            ("image/jpeg", nil), ("image/png", nil), ("IMAGE/GIF; x=y", nil), ("image/svg+xml", "attachment"),
            ("text/html", "attachment"), ("application/pdf", "attachment"), ("image/", "attachment"),
            ("", "attachment"),
            ("image/jpeg,text/html", "attachment"), ("text/javascript", "attachment"),
        ] as [(String, String?)])
    func disposition(_ type: String, _ disposition: String?) async throws {
        let fixture = try GatewayFixture()
        let path = GatewayFixture.path("x")
        _ = try await fixture.send("PUT", path, headers: ["content-type": type], body: [.init(string: "<script>")])
        for method in ["GET", "HEAD"] {
            let response = try await fixture.send(method, path)
            #expect(response.header("content-disposition") == disposition)
            expectSafe(response)
        }
    }

    @Test("stored and requested headers cannot override the safety headers")
    func overrides() async throws {
        let fixture = try GatewayFixture()
        let path = GatewayFixture.path("x")
        let stored = ["content-type": "image/jpeg", "content-disposition": "inline; filename=\"a.jpg\""]
        _ = try await fixture.send("PUT", path, headers: stored, body: [.init(string: "x")])
        #expect(try await fixture.send("GET", path).header("content-disposition") == "inline; filename=\"a.jpg\"")
        let html = try await fixture.send(
            "GET", path,
            query: "response-content-type=text/html&response-content-disposition=inline%3B%20filename%3Dx.html")
        #expect(html.header("content-type") == "text/html")
        #expect(html.header("content-disposition") == "attachment; filename=x.html")
        expectSafe(html)
        let presigned = try await fixture.sendPresigned("GET", path, query: "response-content-type=image%2Fsvg%2Bxml")
        #expect(presigned.header("content-disposition") == "attachment; filename=\"a.jpg\"")
        expectSafe(presigned)
        let split = try await fixture.send("GET", path, query: "response-cache-control=a%0D%0Aset-cookie:x")
        #expect(split.header("set-cookie") == nil)
    }

    @Test("error responses have the same safety headers as objects")
    func errors() async throws {
        let fixture = try GatewayFixture()
        let response = try await fixture.sendRaw("GET", "/<script>", fields: [:])
        #expect(response.header("content-type") == "application/xml" && !response.text.contains("<script>"))
        #expect(response.header("x-amz-request-id")?.count == 16)
        #expect(response.text.contains("<RequestId>\(response.header("x-amz-request-id") ?? "?")</RequestId>"))
        expectSafe(response)
    }

    @Test("requests from listed origins are allowed, from others rejected")
    func cors() async throws {
        let fixture = try GatewayFixture(corsOrigins: ["https://photos.example"])
        let asking = [
            "access-control-request-method": "PUT", "access-control-request-headers": "content-type, x-amz-date",
        ]
        func preflight(_ origin: String?) async throws -> CollectedResponse {
            let fields = try GatewayFixture.fields(asking.merging(origin.map { ["origin": $0] } ?? [:]) { $1 })
            return try await fixture.sendRaw("OPTIONS", GatewayFixture.path("x"), fields: fields)
        }
        let allowed = try await preflight("https://photos.example")
        #expect(allowed.status == 200 && allowed.header("access-control-allow-origin") == "https://photos.example")
        #expect(allowed.header("access-control-allow-headers") == "content-type, x-amz-date")
        for origin in ["https://evil.example", "https://photos.example.evil", "null", "*", "http://photos.example"] {
            let refused = try await preflight(origin)
            #expect(refused.status == 403 && refused.header("access-control-allow-origin") == nil)
        }
        #expect(try await preflight(nil).status == 400)
        let get = try await fixture.send("GET", GatewayFixture.path("x"), headers: ["origin": "https://photos.example"])
        #expect(get.status == 404 && get.header("access-control-allow-origin") == "https://photos.example")
        #expect(get.header("vary") == "Origin" && get.header("access-control-expose-headers")?.contains("ETag") == true)
        #expect(get.header("access-control-allow-credentials") == nil)
    }

    private func expectSafe(_ response: CollectedResponse) {
        #expect(response.header("x-content-type-options") == "nosniff")
        #expect(response.header("content-security-policy") == "sandbox; default-src 'none'")
        #expect(response.header("cross-origin-resource-policy") == "cross-origin")
    }
}
