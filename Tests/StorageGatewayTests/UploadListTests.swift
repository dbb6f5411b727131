import NIOCore
import Testing

@testable import StorageGateway

/// ListMultipartUploads and ListParts with pagination.
struct UploadListTests {
    private let gateway: GatewayFixture
    private let prefix = "photos/\(GatewayFixture.ada)/"

    init() throws { gateway = try GatewayFixture() }

    private func begin(_ name: String) async throws -> String {
        gateway.time.advance(1)
        let response = try await gateway.send("POST", GatewayFixture.path(name), query: "uploads")
        return try #require(response.values("UploadId").first)
    }

    private func list(_ query: String) async throws -> CollectedResponse {
        try await gateway.send("GET", "/\(GatewayFixture.bucket)", query: "uploads&\(query)")
    }

    @Test(arguments: [1, 2, 3, 10])
    func `pages of uploads are ordered by key and then by time, without gaps`(_ size: Int) async throws {
        var expected: [String] = []
        for name in ["a", "a", "a", "b/1", "c"] { expected.append(try await begin(name)) }
        var (found, markers): ([String], String) = ([], "")
        for _ in 0..<9 {
            let page = try await list("prefix=\(prefix)&max-uploads=\(size)\(markers)")
            #expect(page.values("MaxUploads") == [String(size)])
            #expect(page.values("UploadId").count <= size)
            found += page.values("UploadId")
            guard page.values("IsTruncated") == ["true"] else { break }
            let key = try #require(page.values("NextKeyMarker").first)
            let id = try #require(page.values("NextUploadIdMarker").first)
            #expect(page.values("UploadId").last == id)
            markers = "&key-marker=\(key)&upload-id-marker=\(id)"
        }
        #expect(found == expected)
    }

    @Test func `uploads are grouped by a delimiter, filtered by a prefix, and start after a marker`() async throws {
        for name in ["a", "d/1", "d/2", "e/1", "z"] { _ = try await begin(name) }
        var (names, marker): ([String], String) = ([], "")
        for _ in 0..<9 {
            let page = try await list("prefix=\(prefix)&delimiter=/&max-uploads=1\(marker)")
            names += page.values("Key") + page.values("CommonPrefixes")
            guard page.values("IsTruncated") == ["true"] else { break }
            marker =
                "&key-marker=\(page.values("NextKeyMarker")[0])&upload-id-marker=\(page.values("NextUploadIdMarker")[0])"
        }
        let folders = ["d/", "e/"].map { "<Prefix>\(prefix)\($0)</Prefix>" }
        #expect(names == ["\(prefix)a"] + folders + ["\(prefix)z"])
        #expect(try await list("prefix=\(prefix)d").values("Key") == ["\(prefix)d/1", "\(prefix)d/2"])
        #expect(
            try await list("prefix=\(prefix)&key-marker=\(prefix)d/2").values("Key") == ["\(prefix)e/1", "\(prefix)z"])
        #expect(try await list("").values("Key").count == 5)
        #expect(try await list("max-uploads=0").values("IsTruncated") == ["false"])
    }

    @Test func `names are encoded on request, and invalid parameters are refused`() async throws {
        _ = try await begin("%C3%BC%20b")
        let page = try await list("prefix=\(prefix)&encoding-type=url&delimiter=%20")
        #expect(page.values("CommonPrefixes") == ["<Prefix>\(prefix)%C3%BC%20</Prefix>"])
        #expect(page.values("Delimiter") == ["%20"] && page.values("EncodingType") == ["url"])
        for query in ["max-uploads=-1", "max-uploads=x", "encoding-type=xml"] {
            #expect(try await list(query).code == "InvalidArgument")
        }
    }

    @Test func `uploads beyond one page of the store are all listed`() async throws {
        for number in 0..<1010 { _ = try await begin("\(number % 7)") }
        let first = try await list("max-uploads=1000")
        #expect(first.values("UploadId").count == 1000 && first.values("IsTruncated") == ["true"])
        let (key, id) = (first.values("NextKeyMarker")[0], first.values("NextUploadIdMarker")[0])
        let second = try await list("key-marker=\(key)&upload-id-marker=\(id)")
        #expect(second.values("UploadId").count == 10)
        #expect(Set(first.values("UploadId") + second.values("UploadId")).count == 1010)
    }

    @Test func `parts are listed in pages after a part number`() async throws {
        let id = try await begin("a")
        let path = GatewayFixture.path("a")
        for number in [1, 4, 9] {
            let body = [ByteBuffer(string: "\(number)")]
            _ = try await gateway.send("PUT", path, query: "partNumber=\(number)&uploadId=\(id)", body: body)
        }
        let page = try await gateway.send("GET", path, query: "uploadId=\(id)&max-parts=2")
        #expect(page.values("PartNumber") == ["1", "4"] && page.values("IsTruncated") == ["true"])
        #expect(page.values("NextPartNumberMarker") == ["4"])
        let rest = try await gateway.send("GET", path, query: "uploadId=\(id)&max-parts=2&part-number-marker=4")
        #expect(rest.values("PartNumber") == ["9"] && rest.values("IsTruncated") == ["false"])
        let none = try await gateway.send("GET", path, query: "uploadId=\(id)&max-parts=0")
        #expect(none.values("PartNumber").isEmpty && none.values("IsTruncated") == ["false"])
        #expect(try await gateway.send("GET", path, query: "uploadId=\(id)&max-parts=x").code == "InvalidArgument")
    }
}
