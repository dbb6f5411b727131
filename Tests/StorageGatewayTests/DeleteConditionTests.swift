import NIOCore
import Testing

@testable import StorageGateway

struct DeleteConditionTests {
    private let path = GatewayFixture.path("a")
    private let key = "photos/\(GatewayFixture.ada)/a"

    @Test(
        "DELETE with a condition that is not checked returns NotImplemented and keeps the object",
        arguments: [
            "x-amz-if-match-size", "x-amz-if-match-last-modified-time", "x-amz-if-match-something", "if-none-match",
            "if-modified-since", "if-unmodified-since",
        ])
    func header(_ name: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put(key, "12345")
        #expect(try await fixture.send("DELETE", path, headers: [name: "5"]).code == "NotImplemented")
        #expect(try await fixture.text(key) == "12345")
    }

    @Test(
        "DeleteObjects with an element that is not checked keeps that object and deletes the others",
        arguments: [
            ("<Size>99</Size>", "NotImplemented"), ("<Size>5</Size>", "NotImplemented"),
            ("<LastModifiedTime>Thu, 01 Jan 1970 00:00:00 GMT</LastModifiedTime>", "NotImplemented"),
            ("<VersionId>3</VersionId>", "NotImplemented"), ("<ETag>1</ETag><ETag>*</ETag>", "MalformedXML"),
            ("<ETag>0123</ETag>", "PreconditionFailed"), ("<Sise>5</Sise>", "MalformedXML"),
        ])
    func element(_ condition: String, _ code: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put(key, "12345")
        try await fixture.put(key + "b", "12345")
        let xml = """
            <Delete><Object><Key>\(key)</Key>\(condition)</Object><Object><Key>\(key)b</Key>\
            <VersionId>null</VersionId><ETag>827ccb0eea8a706c4c34a16891f84e7b</ETag></Object></Delete>
            """
        let response = try await fixture.send(
            "POST", "/\(GatewayFixture.bucket)", query: "delete", body: [ByteBuffer(string: xml)])
        #expect(response.values("Code") == [code])
        #expect(try await fixture.text(key) == "12345")
        #expect(try await fixture.text(key + "b") == nil)
    }

    @Test func `If-Match with any tag deletes an object and returns NoSuchKey for a missing one`() async throws {
        let fixture = try GatewayFixture()
        let any = ["if-match": "*"]
        #expect(try await fixture.send("DELETE", path, headers: any).code == "NoSuchKey")
        try await fixture.put(key, "12345")
        #expect(try await fixture.send("DELETE", path, headers: any).status == 204)
        #expect(try await fixture.text(key) == nil)
        try await fixture.put(key, "12345")
        let xml = "<Delete><Object><Key>\(key)</Key><ETag>*</ETag></Object><Object><Key>\(key)b</Key><ETag>*</ETag>"
        let response = try await fixture.send(
            "POST", "/\(GatewayFixture.bucket)", query: "delete", body: [ByteBuffer(string: xml + "</Object></Delete>")]
        )
        #expect(response.values("Code") == ["NoSuchKey"] && response.values("Deleted").count == 1)
        #expect(try await fixture.text(key) == nil)
    }

    @Test(arguments: ["x-amz-if-match-size=5", "X-Amz-If-Match-Last-Modified-Time=x", "x-amz-if-match=1"])
    func `an unsupported condition in a presigned URL returns NotImplemented`(_ query: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put(key, "12345")
        for method in ["DELETE", "PUT"] {
            #expect(try await fixture.sendPresigned(method, path, query: query).code == "NotImplemented")
        }
        #expect(try await fixture.text(key) == "12345")
    }

    @Test func `header fields in the query of a presigned URL apply like headers`() async throws {
        let fixture = try GatewayFixture()
        try await fixture.put(key, "12345")
        try await fixture.put("photos/\(GatewayFixture.bob)/b", "secret")
        let named = try await fixture.sendPresigned("PUT", path, query: "x-amz-meta-camera=Leica%20M", body: "new")
        #expect(named.status == 200)
        #expect(try await fixture.send("HEAD", path).header("x-amz-meta-camera") == "Leica M")
        let summed = try await fixture.sendPresigned("PUT", path, query: "x-amz-checksum-crc32=APwzsQ%3D%3D", body: "end")
        #expect(summed.status == 200)
        let read = try await fixture.sendPresigned("GET", path, query: "x-amz-checksum-mode=ENABLED")
        #expect(read.text == "end" && read.header("x-amz-checksum-crc32") == "APwzsQ==")
        let copy = GatewayFixture.path("copy")
        let source = "x-amz-copy-source=photolala-dev%2F\(key.replacing("/", with: "%2F"))"
        #expect(try await fixture.sendPresigned("PUT", copy, query: source).text.contains("CopyObjectResult"))
        #expect(try await fixture.text("photos/\(GatewayFixture.ada)/copy") == "end")
        let foreign = "x-amz-copy-source=photolala-dev%2Fphotos%2F\(GatewayFixture.bob)%2Fb"
        #expect(try await fixture.sendPresigned("PUT", copy, query: foreign).code == "AccessDenied")
        let unchanged = "x-amz-copy-source-if-none-match=*&\(source)"
        #expect(try await fixture.sendPresigned("PUT", copy, query: unchanged).code == "PreconditionFailed")
        #expect(try await fixture.sendPresigned("PUT", copy, query: "x-amz-acl=public-read").code == "NotImplemented")
        let twice = try await fixture.sendPresigned("PUT", copy, query: "x-amz-meta-a=1&X-Amz-Meta-A=2", body: "x")
        #expect(twice.code == "InvalidRequest")
        #expect(try await fixture.text("photos/\(GatewayFixture.ada)/copy") == "end")
    }

    @Test(arguments: [
        ("POST", "uploads", "if-none-match"), ("PUT", "partNumber=1&uploadId=0", "if-match"),
        ("DELETE", "uploadId=0", "x-amz-if-match-initiated-time"), ("DELETE", "uploadId=0", "if-match"),
        ("PUT", "", "if-unmodified-since"), ("PUT", "", "x-amz-copy-source-if-match"),
    ])
    func `a condition that an operation does not support returns NotImplemented`(
        _ method: String, _ query: String, _ name: String
    ) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put(key, "12345")
        let response = try await fixture.send(method, path, query: query, headers: [name: "*"])
        #expect(response.code == "NotImplemented")
        #expect(try await fixture.text(key) == "12345")
    }
}
