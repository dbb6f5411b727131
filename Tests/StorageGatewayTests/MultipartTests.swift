import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import Testing

@testable import StorageGateway

struct MultipartTests {
    private let path = GatewayFixture.path("big.dat")
    private let key = "photos/\(GatewayFixture.ada)/big.dat"
    private static let piece = ByteBuffer(repeating: 0x61, count: 5 << 20)

    private func begin(_ fixture: GatewayFixture, headers: [String: String] = [:]) async throws -> String {
        try #require(try await fixture.send("POST", path, query: "uploads", headers: headers).values("UploadId").first)
    }

    private func part(_ fixture: GatewayFixture, _ id: String, _ number: Int, _ bytes: ByteBuffer) async throws -> String
    {
        let response = try await fixture.send("PUT", path, query: "partNumber=\(number)&uploadId=\(id)", body: [bytes])
        return try #require(response.header("etag"))
    }

    private func complete(
        _ fixture: GatewayFixture, _ id: String, _ parts: [(Int, String)], headers: [String: String] = [:]
    ) async throws -> CollectedResponse {
        let xml = parts.map {
            "<Part><PartNumber>\($0.0)</PartNumber><ETag>\($0.1.replacing("\"", with: "&quot;"))</ETag></Part>"
        }
        let body =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(xml.joined())"
            + "</CompleteMultipartUpload>"
        return try await fixture.send(
            "POST", path, query: "uploadId=\(id)", headers: headers, body: [.init(string: body)])
    }

    @Test("parts become one object with the fields of the initial request, and the completion can be repeated")
    func whole() async throws {
        let fixture = try GatewayFixture()
        let id = try await begin(fixture, headers: ["content-type": "image/jpeg", "x-amz-meta-a": "1"])
        let second = try await part(fixture, id, 7, ByteBuffer(string: "end"))
        let first = try await part(fixture, id, 2, Self.piece)
        let listed = try await fixture.send("GET", path, query: "uploadId=\(id)")
        #expect(listed.values("PartNumber") == ["2", "7"] && listed.values("Size") == ["5242880", "3"])
        let uploads = try await fixture.send(
            "GET", "/\(GatewayFixture.bucket)", query: "uploads&prefix=photos/\(GatewayFixture.ada)/")
        #expect(uploads.values("UploadId") == [id] && uploads.values("Key") == [key])
        #expect(try await fixture.text(key) == nil)
        let done = try await complete(fixture, id, [(2, first), (7, second)])
        #expect(done.status == 200 && done.text.contains("CompleteMultipartUploadResult"))
        let object = try await fixture.send("GET", path)
        #expect(object.body.readableBytes == (5 << 20) + 3 && object.header("content-type") == "image/jpeg")
        #expect(
            object.header("x-amz-meta-a") == "1"
                && done.text.contains(object.header("etag")?.dropFirst().dropLast() ?? "?"))
        #expect(try await complete(fixture, id, [(2, first), (7, second)]).text == done.text)
        #expect(try await fixture.send("GET", path, query: "uploadId=\(id)").code == "NoSuchUpload")
    }

    @Test("missing, changed, unordered and too small parts are rejected, and no object appears")
    func refused() async throws {
        let fixture = try GatewayFixture()
        let id = try await begin(fixture)
        let (small, large) = (
            try await part(fixture, id, 1, ByteBuffer(string: "s")), try await part(fixture, id, 2, Self.piece)
        )
        #expect(try await complete(fixture, id, [(1, small), (2, large)]).code == "EntityTooSmall")
        #expect(try await complete(fixture, id, [(2, large), (1, small)]).code == "InvalidPartOrder")
        #expect(try await complete(fixture, id, [(2, large), (2, large)]).code == "InvalidPartOrder")
        #expect(try await complete(fixture, id, [(1, large)]).code == "InvalidPart")
        #expect(try await complete(fixture, id, [(3, large)]).code == "InvalidPart")
        #expect(try await complete(fixture, id, []).code == "MalformedXML")
        let sized = ["x-amz-mp-object-size": "2"]
        #expect(try await complete(fixture, id, [(1, small)], headers: sized).code == "InvalidRequest")
        #expect(try await fixture.text(key) == nil)
    }

    @Test("an upload is accessible only to its owner and with its initial key")
    func foreign() async throws {
        let fixture = try GatewayFixture()
        let id = try await begin(fixture)
        let bob = try fixture.credentials(GatewayFixture.bob)
        let his = "/\(GatewayFixture.bucket)/photos/\(GatewayFixture.bob)/big.dat"
        let (put, list) = ("partNumber=1&uploadId=\(id)", "uploadId=\(id)")
        #expect(
            try await fixture.send("PUT", his, query: put, body: [.init(string: "x")], as: bob).code == "NoSuchUpload")
        #expect(try await fixture.send("GET", his, query: list, as: bob).code == "NoSuchUpload")
        #expect(try await fixture.send("DELETE", his, query: list, as: bob).code == "NoSuchUpload")
        #expect(try await fixture.send("DELETE", path, query: list, as: bob).code == "AccessDenied")
        let other = GatewayFixture.path("other.dat")
        #expect(try await fixture.send("PUT", other, query: put, body: [.init(string: "x")]).code == "NoSuchUpload")
        for absurd in ["..", "x", "%2e%2e%2f", String(repeating: "A", count: 32), ""] {
            #expect(try await fixture.send("GET", path, query: "uploadId=\(absurd)").code == "NoSuchUpload")
        }
        #expect(try await fixture.send("PUT", path, query: "partNumber=0&uploadId=\(id)").code == "InvalidArgument")
        #expect(try await fixture.send("PUT", path, query: "partNumber=10001&uploadId=\(id)").code == "InvalidArgument")
    }

    @Test("UploadPartCopy checks access to the source")
    func partCopy() async throws {
        let fixture = try GatewayFixture()
        try await fixture.put("photos/\(GatewayFixture.ada)/source", "0123456789")
        try await fixture.put("photos/\(GatewayFixture.bob)/source", "secret")
        let id = try await begin(fixture)
        let query = "partNumber=1&uploadId=\(id)"
        let own = ["x-amz-copy-source": GatewayFixture.path("source"), "x-amz-copy-source-range": "bytes=2-4"]
        let copied = try await fixture.send("PUT", path, query: query, headers: own)
        #expect(copied.text.contains("CopyPartResult"))
        let his = ["x-amz-copy-source": "/\(GatewayFixture.bucket)/photos/\(GatewayFixture.bob)/source"]
        #expect(try await fixture.send("PUT", path, query: query, headers: his).code == "AccessDenied")
        let tag = try #require(copied.values("ETag").first).replacing("&quot;", with: "\"")
        #expect(try await complete(fixture, id, [(1, tag)], headers: ["if-none-match": "*"]).status == 200)
        #expect(try await fixture.text(key) == "234")
        let again = try await begin(fixture)
        let part = try await part(fixture, again, 1, ByteBuffer(string: "x"))
        #expect(
            try await complete(fixture, again, [(1, part)], headers: ["if-none-match": "*"]).code == "PreconditionFailed")
    }

    @Test(
        "copying a range that ends or begins beyond the source returns InvalidArgument and stores no part",
        arguments: ["bytes=2-10", "bytes=0-9999999999", "bytes=10-12"])
    func partCopyBehindEnd(_ range: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put("photos/\(GatewayFixture.ada)/source", "0123456789")
        let id = try await begin(fixture)
        let headers = ["x-amz-copy-source": GatewayFixture.path("source"), "x-amz-copy-source-range": range]
        let response = try await fixture.send("PUT", path, query: "partNumber=1&uploadId=\(id)", headers: headers)
        #expect(response.code == "InvalidArgument" && response.status == 400)
        #expect(try await fixture.send("GET", path, query: "uploadId=\(id)").values("PartNumber").isEmpty)
        let whole = headers.merging(["x-amz-copy-source-range": "bytes=0-9"]) { $1 }
        #expect(try await fixture.send("PUT", path, query: "partNumber=1&uploadId=\(id)", headers: whole).status == 200)
    }

    @Test("aborted and expired uploads are removed with their bytes")
    func gone() async throws {
        let fixture = try GatewayFixture()
        let aborted = try await begin(fixture)
        _ = try await part(fixture, aborted, 1, ByteBuffer(string: "x"))
        #expect(try await fixture.send("DELETE", path, query: "uploadId=\(aborted)").status == 204)
        #expect(try await fixture.store.list(prefix: "service/uploads/", after: nil, limit: 10).objects.isEmpty)
        let expired = try await begin(fixture)
        _ = try await part(fixture, expired, 1, ByteBuffer(string: "x"))
        fixture.time.advance(86_400)
        #expect(try await fixture.send("GET", path, query: "uploadId=\(expired)").code == "NoSuchUpload")
        let young = try await begin(fixture)
        let sweep = UploadSweep(store: fixture.store, lifetime: fixture.settings.uploadLifetime)
        #expect(try await sweep.sweepExpiredUploads(now: fixture.time.now) == 2)
        #expect(try await fixture.send("GET", path, query: "uploadId=\(young)").status == 200)
    }

    @Test func `upload records of earlier versions are read without a checksum`() throws {
        let stored = #"{"key":"photos/a","attributes":{"content-type":"image/jpeg"},"initiated":7,"completedETag":"x"}"#
        let record = try UploadRecord(ByteBuffer(string: stored))
        #expect(record.key == "photos/a" && record.completedETag == "x")
        #expect(record.checksum == nil && record.completedChecksum == nil)
        #expect(record.attributes == ["content-type": "image/jpeg"])
    }
}
