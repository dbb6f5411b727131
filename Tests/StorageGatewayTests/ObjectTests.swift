import Foundation
import HTTPTypes
import NIOCore
import S3Protocol
import Testing

@testable import StorageGateway

struct ObjectTests {
    private let path = GatewayFixture.path("x.dat")

    @Test(
        "keys preserve every byte",
        arguments: [
            "a%20b", "a+b", "a%2Bb", "%C3%BC", "e%CC%81", "100%25", "a%252Fb", "q%3Fx%3D1", "%F0%9F%93%B7",
            "a%26b%3Cc%3E",
        ])
    func keys(_ name: String) async throws {
        let fixture = try GatewayFixture()
        #expect(try await fixture.send("PUT", GatewayFixture.path(name), body: [.init(string: name)]).status == 200)
        #expect(try await fixture.send("GET", GatewayFixture.path(name)).text == name)
        let key = try #require(name.removingPercentEncoding)
        #expect(try await fixture.text("photos/\(GatewayFixture.ada)/\(key)") == name)
        let prefix = "photos%2F\(GatewayFixture.ada)%2F"
        let list = try await fixture.send(
            "GET", "/\(GatewayFixture.bucket)", query: "list-type=2&encoding-type=url&prefix=\(prefix)")
        #expect(list.values("Key").map(\.removingPercentEncoding) == ["photos/\(GatewayFixture.ada)/\(key)"])
    }

    @Test("a damaged object has its own error code, and HEAD returns codes in a header")
    func codes() async throws {
        #expect(S3Error(.corrupted("photos/x")) == .objectDamaged)
        #expect(S3Error.objectDamaged.status == 500)
        let head = try await GatewayFixture().send("HEAD", path)
        #expect(head.status == 404)
        #expect(head.header("x-amz-error-code") == "NoSuchKey")
        #expect(head.text == "")
    }

    @Test("an object is returned with its header fields, and its ETag is its MD5")
    func fields() async throws {
        let fixture = try GatewayFixture()
        let headers = [
            "content-type": "image/jpeg", "cache-control": "max-age=60", "x-amz-meta-camera": "Leica",
            "content-encoding": "aws-chunked,gzip",
        ]
        let put = try await fixture.send("PUT", path, headers: headers, body: [.init(string: "hello")])
        #expect(put.header("etag") == "\"5d41402abc4b2a76b9719d911017c592\"")
        for method in ["GET", "HEAD"] {
            let response = try await fixture.send(method, path)
            #expect(response.header("content-type") == "image/jpeg" && response.header("cache-control") == "max-age=60")
            #expect(response.header("x-amz-meta-camera") == "Leica" && response.header("content-encoding") == "gzip")
            #expect(response.header("content-length") == "5" && response.header("etag") == put.header("etag"))
            #expect(response.header("last-modified") == "Thu, 28 May 2026 20:26:40 GMT")
            #expect(response.text == (method == "GET" ? "hello" : ""))
        }
    }

    @Test(
        "ranges of all forms return the specified bytes or errors",
        arguments: [
            ("bytes=0-3", 206, "0123"), ("bytes=8-", 206, "89"), ("bytes=-3", 206, "789"),
            ("bytes=5-500", 206, "56789"),
            ("bytes=-500", 206, "0123456789"), ("bytes=10-", 416, ""), ("bytes=-0", 416, ""),
            ("bytes=5-2", 200, "0123456789"),
            ("bytes=0-1,3-4", 200, "0123456789"), ("lines=1-2", 200, "0123456789"),
            ("bytes=99999999999999999999-", 416, ""), ("bytes=0-99999999999999999999", 206, "0123456789"),
            ("bytes=-", 200, "0123456789"),
        ])
    func ranges(_ range: String, _ status: Int, _ text: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put("photos/\(GatewayFixture.ada)/x.dat", "0123456789")
        let response = try await fixture.send("GET", path, headers: ["range": range])
        #expect(response.status == status)
        if status == 416 { #expect(response.code == "InvalidRange") } else { #expect(response.text == text) }
        if status == 206 { #expect(response.header("content-range")?.hasSuffix("/10") == true) }
        if status == 416 { #expect(response.header("content-range") == "bytes */10") }
        #expect(try await fixture.send("HEAD", path, headers: ["range": range]).status == status)
    }

    @Test("read conditions return 200, 304 or 412")
    func readConditions() async throws {
        let fixture = try GatewayFixture()
        let tag = try #require(try await fixture.send("PUT", path, body: [.init(string: "hello")]).header("etag"))
        let date = S3Date.http(fixture.time.now)
        let earlier = S3Date.http(fixture.time.now.addingTimeInterval(-1))
        let cases: [(String, String, Int)] = [
            ("if-match", tag, 200), ("if-match", "\"other\"", 412), ("if-match", "*", 200), ("if-none-match", tag, 304),
            ("if-none-match", "*", 304),
            ("if-none-match", "\"other\", \(tag)", 304), ("if-none-match", "\"other\"", 200),
            ("if-modified-since", date, 304), ("if-modified-since", earlier, 200), ("if-unmodified-since", date, 200),
            ("if-unmodified-since", earlier, 412), ("if-modified-since", "yesterday", 200),
        ]
        for (name, value, status) in cases {
            for method in ["GET", "HEAD"] {
                #expect(try await fixture.send(method, path, headers: [name: value]).status == status, "\(name) \(value)")
            }
        }
        let ranged = ["range": "bytes=0-1", "if-range": "\"other\""]
        #expect(try await fixture.send("GET", path, headers: ranged).text == "hello")
    }

    @Test("conditions of PUT and DELETE are checked")
    func writeConditions() async throws {
        let fixture = try GatewayFixture()
        func put(_ headers: [String: String], _ text: String) async throws -> CollectedResponse {
            try await fixture.send("PUT", path, headers: headers, body: [.init(string: text)])
        }
        for any in ["\"x\"", "*"] { #expect(try await put(["if-match": any], "0").code == "NoSuchKey") }
        let tag = try #require(try await put(["if-none-match": "*"], "1").header("etag"))
        #expect(try await put(["if-none-match": "*"], "2").code == "PreconditionFailed")
        #expect(try await put(["if-match": "\"x\""], "2").code == "PreconditionFailed")
        #expect(try await put(["if-none-match": tag], "2").code == "NotImplemented")
        #expect(try await put(["if-match": tag], "2").status == 200)
        #expect(try await put(["if-match": "*"], "3").status == 200)
        #expect(try await fixture.send("DELETE", path, headers: ["if-match": tag]).code == "PreconditionFailed")
        let now = try #require(try await fixture.send("HEAD", path).header("etag"))
        #expect(try await fixture.send("DELETE", path, headers: ["if-match": now]).status == 204)
        #expect(try await fixture.send("DELETE", path, headers: ["if-match": now]).code == "NoSuchKey")
        #expect(try await fixture.send("DELETE", path).status == 204)
    }

    @Test("a copy keeps or replaces the metadata and checks its conditions")
    func copy() async throws {
        let fixture = try GatewayFixture()
        let fields = ["content-type": "image/png", "x-amz-meta-a": "1"]
        let tag = try #require(
            try await fixture.send("PUT", path, headers: fields, body: [.init(string: "hi")]).header("etag"))
        let target = GatewayFixture.path("y z.dat".replacing(" ", with: "%20"))
        let copied = try await fixture.send("PUT", target, headers: ["x-amz-copy-source": path])
        #expect(copied.status == 200 && copied.text.contains("CopyObjectResult"))
        #expect(try await fixture.send("HEAD", target).header("x-amz-meta-a") == "1")
        let replace = ["x-amz-copy-source": target, "x-amz-metadata-directive": "REPLACE", "x-amz-meta-b": "2"]
        #expect(try await fixture.send("PUT", target, headers: replace).status == 200)
        let replaced = try await fixture.send("GET", target)
        #expect(
            replaced.header("x-amz-meta-b") == "2" && replaced.header("x-amz-meta-a") == nil && replaced.text == "hi")
        #expect(try await fixture.send("PUT", path, headers: ["x-amz-copy-source": path]).code == "InvalidRequest")
        let stale = ["x-amz-copy-source": path, "x-amz-copy-source-if-none-match": tag]
        #expect(try await fixture.send("PUT", target, headers: stale).code == "PreconditionFailed")
        let undated = ["x-amz-copy-source": path, "x-amz-copy-source-if-unmodified-since": "yesterday"]
        #expect(try await fixture.send("PUT", target, headers: undated).code == "InvalidArgument")
        let gone = ["x-amz-copy-source": GatewayFixture.path("gone")]
        #expect(try await fixture.send("PUT", target, headers: gone).code == "NoSuchKey")
    }
}
