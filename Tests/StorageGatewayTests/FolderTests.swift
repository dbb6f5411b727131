import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import StorageGateway

/// Folders as S3 clients use them: markers below the user's prefixes, and the prefixes themselves.
struct FolderTests {
    private let gateway: GatewayFixture
    private let ada = GatewayFixture.ada
    private let bucket = "/\(GatewayFixture.bucket)"

    init() throws { gateway = try GatewayFixture() }

    private func list(_ query: String, as access: StorageAccessLevel = .readWrite) async throws -> CollectedResponse {
        try await gateway.send(
            "GET", bucket, query: "list-type=2&\(query)", as: try gateway.credentials(access: access))
    }

    private func prefixes(_ response: CollectedResponse) -> [String] {
        response.values("CommonPrefixes").map {
            $0.replacing("<Prefix>", with: "").replacing("</Prefix>", with: "")
        }
    }

    @Test func `a folder marker is stored, read, listed, counted and deleted like an object`() async throws {
        let (marker, inside) = (GatewayFixture.path("trip/"), GatewayFixture.path("trip/a"))
        #expect(try await gateway.send("HEAD", marker).status == 404)
        let headers = ["x-amz-meta-mode": "16877", "content-type": "application/x-directory"]
        #expect(try await gateway.send("PUT", marker, headers: headers).status == 200)
        #expect(try await gateway.stored() == StorageCharge.minimum)
        #expect(try await gateway.send("PUT", inside, body: [ByteBuffer(string: "x")]).status == 200)
        for method in ["GET", "HEAD"] {
            let read = try await gateway.send(method, marker)
            #expect(read.status == 200 && read.header("content-length") == "0")
            #expect(read.header("x-amz-meta-mode") == "16877")
        }
        let all = try await list("prefix=photos/\(ada)/trip/")
        #expect(all.values("Key") == ["photos/\(ada)/trip/", "photos/\(ada)/trip/a"])
        #expect(prefixes(try await list("prefix=photos/\(ada)/&delimiter=/")) == ["photos/\(ada)/trip/"])
        #expect(try await gateway.send("DELETE", marker).status == 204)
        #expect(try await gateway.send("GET", marker).code == "NoSuchKey")
        #expect(try await gateway.text("photos/\(ada)/trip/a") == "x")
    }

    @Test func `a folder marker with content is refused, whether uploaded or copied`() async throws {
        let marker = GatewayFixture.path("trip/")
        #expect(try await gateway.send("PUT", marker, body: [ByteBuffer(string: "x")]).code == "InvalidArgument")
        #expect(try await gateway.send("POST", marker, query: "uploads").code == "InvalidArgument")
        try await gateway.put("photos/\(ada)/full", "x")
        try await gateway.put("photos/\(ada)/empty", "")
        for (source, status) in [("full", 400), ("empty", 200)] {
            let headers = ["x-amz-copy-source": GatewayFixture.path(source)]
            #expect(try await gateway.send("PUT", marker, headers: headers).status == status)
        }
    }

    @Test(arguments: ["photos/", "photos/\(GatewayFixture.ada)/", "catalogs/\(GatewayFixture.ada)/"])
    func `the user's prefixes and their parents appear as empty folders that cannot be changed`(
        _ key: String
    ) async throws {
        let path = "\(bucket)/\(key)"
        for method in ["GET", "HEAD", "PUT"] {
            let response = try await gateway.send(method, path)
            #expect(response.status == 200 && response.header("etag") == "\"d41d8cd98f00b204e9800998ecf8427e\"")
        }
        #expect(try await gateway.send("HEAD", path).header("content-length") == "0")
        #expect(try await gateway.send("HEAD", String(path.dropLast())).status == 404)
        #expect(try await gateway.send("PUT", path, headers: ["if-none-match": "*"]).code == "PreconditionFailed")
        #expect(try await gateway.send("PUT", path, headers: ["x-amz-meta-a": "1"]).code == "NotImplemented")
        #expect(try await gateway.send("PUT", path, body: [ByteBuffer(string: "x")]).code == "InvalidArgument")
        #expect(try await gateway.send("PUT", String(path.dropLast())).code == "AccessDenied")
        #expect(try await gateway.send("DELETE", path).code == "AccessDenied")
        #expect(try await gateway.stored() == 0)
        let reader = try gateway.credentials(access: .read)
        #expect(try await gateway.send("PUT", path, as: reader).code == "AccessDenied")
    }

    @Test func `GetObjectAttributes treats folder markers and the user's prefixes like empty objects`() async throws {
        _ = try await gateway.send("PUT", GatewayFixture.path("trip/"))
        let headers = ["x-amz-object-attributes": "ETag,ObjectSize"]
        for path in ["\(bucket)/photos/", "\(bucket)/photos/\(ada)/", GatewayFixture.path("trip/")] {
            let response = try await gateway.send("GET", path, query: "attributes", headers: headers)
            #expect(response.status == 200, "\(path)")
            #expect(response.values("ETag") == ["d41d8cd98f00b204e9800998ecf8427e"])
            #expect(response.values("ObjectSize") == ["0"])
            let refused = try await gateway.send(
                "GET", path, query: "attributes",
                headers: headers.merging(["if-match": "\"0\""]) { $1 })
            #expect(refused.status == 412)
        }
        for (path, status) in [("\(bucket)/photos", 404), ("\(bucket)/photos/\(GatewayFixture.bob)/", 403)] {
            #expect(try await gateway.send("GET", path, query: "attributes", headers: headers).status == status)
        }
        #expect(try await gateway.send("GET", "\(bucket)/photos/", query: "attributes").code == "InvalidRequest")
    }

    @Test func `listings above the user's prefixes contain them and nothing of other users`() async throws {
        try await gateway.put("photos/\(GatewayFixture.bob)/b", "secret")
        try await gateway.put("accounts/\(ada)/account.json", "secret")
        try await gateway.put("photos/\(ada)/d/1", "1")
        try await gateway.put("users/\(ada)/profile.json", "2")
        let folders = ["catalogs/", "photos/", "thumbnails/", "users/"]
        for query in ["delimiter=/", "prefix=&delimiter=/"] { #expect(prefixes(try await list(query)) == folders) }
        #expect(prefixes(try await list("prefix=photos/&delimiter=/")) == ["photos/\(ada)/"])
        #expect(prefixes(try await list("prefix=photos/\(ada)&delimiter=/")) == ["photos/\(ada)/"])
        #expect(prefixes(try await list("prefix=photos&delimiter=/")) == ["photos/"])
        let all = ["photos/\(ada)/d/1", "users/\(ada)/profile.json"]
        #expect(try await list("").values("Key") == all)
        #expect(try await list("prefix=p").values("Key") == [all[0]])
        #expect(try await gateway.send("GET", bucket).values("Key") == all)
        #expect(prefixes(try await list("delimiter=d/")) == ["photos/\(ada)/d/"])
        #expect(try await list("delimiter=d/").values("Key") == [all[1]])
        let upload = try gateway.credentials(access: .upload)
        for query in ["list-type=2", "uploads"] {
            #expect(try await gateway.send("GET", bucket, query: query, as: upload).code == "AccessDenied")
        }
    }

    @Test(arguments: [1, 2, 3])
    func `pages of a listing of the whole bucket have no gaps or repetitions`(_ size: Int) async throws {
        for folder in ["photos", "users"] {
            for name in ["a", "b/1", "b/2", "c"] { try await gateway.put("\(folder)/\(ada)/\(name)", "x") }
        }
        for (delimiter, count) in [("", 8), ("&delimiter=/", 4), ("&delimiter=b/", 6)] {
            var (found, token): ([String], String) = ([], "")
            for _ in 0..<20 {
                let page = try await list("max-keys=\(size)\(delimiter)\(token)")
                let entries = page.values("Key") + prefixes(page)
                #expect(entries.count <= size)
                found += entries
                guard let next = page.values("NextContinuationToken").first else { break }
                #expect(entries.count == size)
                token = "&continuation-token=\(next)"
            }
            #expect(found.count == count && Set(found).count == count)
        }
    }
}
