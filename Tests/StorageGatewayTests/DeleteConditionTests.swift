import NIOCore
import Testing

@testable import StorageGateway

struct DeleteConditionTests {
    private let path = GatewayHouse.path("a")
    private let key = "photos/\(GatewayHouse.ada)/a"

    @Test(
        "DELETE with a condition that is not checked returns NotImplemented and keeps the object",
        arguments: [
            "x-amz-if-match-size", "x-amz-if-match-last-modified-time", "x-amz-if-match-something", "if-none-match",
            "if-modified-since", "if-unmodified-since",
        ])
    func header(_ name: String) async throws {
        let house = try GatewayHouse()
        try await house.put(key, "12345")
        #expect(try await house.send("DELETE", path, headers: [name: "5"]).code == "NotImplemented")
        #expect(try await house.text(key) == "12345")
    }

    @Test(
        "DeleteObjects with an element that is not checked keeps that object and deletes the others",
        arguments: [
            ("<Size>99</Size>", "NotImplemented"), ("<Size>5</Size>", "NotImplemented"),
            ("<LastModifiedTime>Thu, 01 Jan 1970 00:00:00 GMT</LastModifiedTime>", "NotImplemented"),
            ("<VersionId>3</VersionId>", "NotImplemented"), ("<ETag>*</ETag>", "NotImplemented"),
            ("<ETag>0123</ETag>", "PreconditionFailed"), ("<Sise>5</Sise>", "MalformedXML"),
        ])
    func element(_ condition: String, _ code: String) async throws {
        let house = try GatewayHouse()
        try await house.put(key, "12345")
        try await house.put(key + "b", "12345")
        let xml = """
            <Delete><Object><Key>\(key)</Key>\(condition)</Object><Object><Key>\(key)b</Key>\
            <VersionId>null</VersionId><ETag>827ccb0eea8a706c4c34a16891f84e7b</ETag></Object></Delete>
            """
        let answer = try await house.send(
            "POST", "/\(GatewayHouse.bucket)", query: "delete", body: [ByteBuffer(string: xml)])
        #expect(answer.values("Code") == [code])
        #expect(try await house.text(key) == "12345")
        #expect(try await house.text(key + "b") == nil)
    }
}
