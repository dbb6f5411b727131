import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import StorageGateway

/// The storage limit is checked at each write, including concurrent ones.
@Suite struct QuotaTests {
    private let gateway: GatewayFixture

    init() throws {
        gateway = try GatewayFixture()
        gateway.sessions.setLimit(units: 1000)
    }

    /// Stores an object with a size in units of the minimum charge, including the key.
    private func put(_ name: String, _ size: Int) async throws -> CollectedResponse {
        try await gateway.send("PUT", GatewayFixture.path(name), body: [GatewayFixture.body(size, of: name)])
    }

    /// Uploads a part whose key has 96 bytes.
    private func part(_ id: String, _ number: Int, _ size: Int) async throws -> CollectedResponse {
        try await gateway.send(
            "PUT", GatewayFixture.path("video.mov"), query: "partNumber=\(number)&uploadId=\(id)",
            body: [ByteBuffer(repeating: 0x61, count: size * 4096 - 96)])
    }

    private func begin() async throws -> String {
        let response = try await gateway.send("POST", GatewayFixture.path("video.mov"), query: "uploads")
        return try #require(response.values("UploadId").first)
    }

    private func delete(_ name: String) async throws {
        #expect(try await gateway.send("DELETE", GatewayFixture.path(name)).status == 204)
    }

    /// Returns the total charge of the user's objects, in units.
    private func stored() async throws -> Int64 { try await gateway.stored() / 4096 }

    @Test func `a write up to the limit succeeds, and one beyond it returns QuotaExceeded with advice`() async throws {
        #expect(try await put("a", 600).status == 200)
        #expect(try await put("b", 400).status == 200)
        let refused = try await put("c", 1)
        #expect(refused.status == 403 && refused.code == "QuotaExceeded")
        let words = "4096000 of 4096000 bytes are used. Delete objects permanently or upgrade."
        #expect(refused.text.contains(words))
        let empty = try await gateway.send("PUT", GatewayFixture.path("d"))
        #expect(empty.code == "QuotaExceeded", "an empty object counts too")
    }

    @Test func `stored bytes and refusals are counted as metrics`() async throws {
        _ = try await gateway.send("PUT", GatewayFixture.path("a"), body: [ByteBuffer(repeating: 1, count: 700)])
        _ = try await put("b", 1001)
        let text = gateway.metrics.prometheusText()
        #expect(text.contains("photolala_upload_bytes_total 700\n"))
        #expect(text.contains("photolala_quota_refusals_total 1\n"))
    }

    @Test func `sent bytes are counted as metrics, and not those of HEAD or of an error`() async throws {
        _ = try await gateway.send("PUT", GatewayFixture.path("a"), body: [ByteBuffer(repeating: 1, count: 700)])
        for (method, path) in [("GET", "a"), ("HEAD", "a"), ("GET", "missing")] {
            _ = try await gateway.send(method, GatewayFixture.path(path))
        }
        let text = gateway.metrics.prometheusText()
        #expect(text.contains("photolala_download_bytes_total 700\n"))
        #expect(text.contains("photolala_download_seconds_count 1\n"))
    }

    @Test func `deleting an object frees its quota at once`() async throws {
        _ = try await put("a", 1000)
        #expect(try await put("b", 10).code == "QuotaExceeded")
        try await delete("a")
        #expect(try await put("b", 1000).status == 200)
    }

    @Test func `at the limit an object can be replaced by one of the same size but not by a larger one`() async throws {
        _ = try await put("a", 700)
        _ = try await put("b", 300)
        for _ in 0..<3 { #expect(try await put("a", 700).status == 200) }
        #expect(try await put("a", 701).code == "QuotaExceeded")
        #expect(try await put("a", 600).status == 200)
        #expect(try await put("b", 400).status == 200)
        #expect(try await stored() == 1000)
    }

    @Test func `a user over the limit can still write catalogs and user data`() async throws {
        _ = try await put("a", 1000)
        gateway.sessions.setLimit(units: 500)
        for key in [
            "catalogs/\(GatewayFixture.ada)/.photolala.md5", "users/\(GatewayFixture.ada)/profile.json",
        ] {
            let response = try await gateway.send(
                "PUT", "/\(GatewayFixture.bucket)/\(key)", body: [ByteBuffer(string: "catalog")])
            #expect(response.status == 200)
        }
        #expect(try await put("b", 1).code == "QuotaExceeded")
        #expect(try await gateway.send("GET", GatewayFixture.path("a")).status == 200)
        try await delete("a")
    }

    @Test func `a changed limit applies from the next write`() async throws {
        #expect(try await put("a", 1001).code == "QuotaExceeded")
        gateway.sessions.setLimit(units: 2000)
        #expect(try await put("a", 1001).status == 200)
        gateway.sessions.setLimit(units: 1000)
        #expect(try await put("b", 1).code == "QuotaExceeded")
    }

    @Test func `a copy uses as much quota as its source`() async throws {
        _ = try await put("a", 600)
        func copy(_ target: String) async throws -> CollectedResponse {
            try await gateway.send(
                "PUT", GatewayFixture.path(target),
                headers: ["x-amz-copy-source": "/\(GatewayFixture.bucket)/photos/\(GatewayFixture.ada)/a"])
        }
        #expect(try await copy("b").code == "QuotaExceeded")
        gateway.sessions.setLimit(units: 1200)
        #expect(try await copy("b").status == 200)
    }

    @Test func `parts count from their upload, and completing the upload uses no further quota`() async throws {
        let (size, path) = (1281, GatewayFixture.path("video.mov"))
        // Two parts, the record, and 100 more.
        gateway.sessions.setLimit(units: 2 * size + 1 + 100)
        let id = try await begin()
        let first = try #require(try await part(id, 1, size).header("etag"))
        let second = try #require(try await part(id, 2, size).header("etag"))
        #expect(try await part(id, 3, 101).code == "QuotaExceeded")
        #expect(try await part(id, 2, size).status == 200, "a repeated part replaces itself")
        #expect(try await put("a", 101).code == "QuotaExceeded")
        let tags = [first, second].enumerated().map {
            "<Part><PartNumber>\($0.offset + 1)</PartNumber><ETag>\($0.element)</ETag></Part>"
        }
        let done = try await gateway.send(
            "POST", path, query: "uploadId=\(id)",
            body: [ByteBuffer(string: "<CompleteMultipartUpload>\(tags.joined())</CompleteMultipartUpload>")])
        #expect(done.status == 200)
        #expect(try await put("a", 100).status == 200)
        #expect(try await put("b", 1).code == "QuotaExceeded")
    }

    @Test func `an aborted upload releases its quota`() async throws {
        let id = try await begin()
        _ = try await part(id, 1, 900)
        #expect(try await put("a", 600).code == "QuotaExceeded")
        #expect(
            try await gateway.send("DELETE", GatewayFixture.path("video.mov"), query: "uploadId=\(id)").status == 204)
        #expect(try await put("a", 600).status == 200)
    }

    @Test func `a failed write uses no quota`() async throws {
        for _ in 0..<3 {
            let response = try await gateway.send(
                "PUT", GatewayFixture.path("a"), headers: ["content-md5": "AAAAAAAAAAAAAAAAAAAAAA=="],
                body: [GatewayFixture.body(900, of: "a")])
            #expect(response.code == "BadDigest")
        }
        #expect(try await put("a", 1000).status == 200)
    }

    @Test func `each user has a separate limit`() async throws {
        _ = try await put("a", 1000)
        let response = try await gateway.send(
            "PUT", "/\(GatewayFixture.bucket)/photos/\(GatewayFixture.bob)/a",
            body: [GatewayFixture.body(1000, of: "a")], as: try gateway.credentials(GatewayFixture.bob))
        #expect(response.status == 200)
    }

    @Test func `objects written directly to the store count at once`() async throws {
        _ = try await put("a", 500)
        let other = String(buffer: GatewayFixture.body(400, of: "foreign"))
        try await gateway.put("photos/\(GatewayFixture.ada)/foreign", other)
        #expect(try await put("b", 101).code == "QuotaExceeded")
        #expect(try await put("b", 100).status == 200)
    }

    @Test func `a failed completion releases no quota`() async throws {
        let path = GatewayFixture.path("video.mov")
        _ = try await put("video.mov", 1)
        let id = try await begin()
        let first = try #require(try await part(id, 1, 1).header("etag"))
        _ = try #require(try await part(id, 2, 900).header("etag"))
        let xml = "<Part><PartNumber>1</PartNumber><ETag>\(first)</ETag></Part>"
        for _ in 0..<5 {
            let refused = try await gateway.send(
                "POST", path, query: "uploadId=\(id)", headers: ["if-none-match": "*"],
                body: [ByteBuffer(string: "<CompleteMultipartUpload>\(xml)</CompleteMultipartUpload>")])
            #expect(refused.status == 412)
        }
        #expect(try await put("a", 98).code == "QuotaExceeded")
        #expect(try await put("a", 97).status == 200)
    }

    @Test func `32 concurrent uploads fill the quota and never exceed it`() async throws {
        for round in 0..<20 {
            let fixture = try GatewayFixture()
            fixture.sessions.setLimit(units: 1000 + round)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        try await fixture.send(
                            "PUT", GatewayFixture.path("photo-\(number)"),
                            body: [GatewayFixture.body(100, of: "photo-\(number)")]
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 10)
            #expect(statuses.count { $0 == 403 } == 22)
        }
    }

    @Test func `concurrent uploads, replacements, copies and deletions never exceed the quota`() async throws {
        let (fixture, limit) = (gateway, Int64(100))
        fixture.sessions.setLimit(units: 100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<32 {
                group.addTask {
                    var random = Choices(state: UInt64(worker))
                    for _ in 0..<40 {
                        let photo = "photo-\(Int.random(in: 0..<8, using: &random))"
                        let name = GatewayFixture.path(photo)
                        let size = Int.random(in: 1...30, using: &random)
                        switch Int.random(in: 0..<10, using: &random) {
                        case 0..<6:
                            _ = try await fixture.send("PUT", name, body: [GatewayFixture.body(size, of: photo)])
                        case 6, 7:
                            let source = "/\(GatewayFixture.bucket)/photos/\(GatewayFixture.ada)/photo-0"
                            _ = try await fixture.send("PUT", name, headers: ["x-amz-copy-source": source])
                        default: _ = try await fixture.send("DELETE", name)
                        }
                        let stored = try await fixture.stored() / 4096
                        try #require(stored <= limit)
                    }
                }
            }
            try await group.waitForAll()
        }
        // Failed uploads have not used quota permanently.
        for number in 0..<8 { _ = try await fixture.send("DELETE", GatewayFixture.path("photo-\(number)")) }
        #expect(try await put("all", 100).status == 200)
    }
}

/// A linear congruential generator.
private struct Choices: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
