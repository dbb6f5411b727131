import HTTPTypes
import Hummingbird
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import StorageGateway

/// Limits on what a user can store or do besides the bytes of photos.
@Suite struct StorageLimitTests {
    private let gateway: GatewayFixture

    init() throws { gateway = try GatewayFixture() }

    @Test(arguments: ["cache-control", "content-disposition", "content-encoding", "content-language", "expires"])
    func `a stored header of more than 2 KiB returns MetadataTooLarge`(_ name: String) async throws {
        let path = GatewayFixture.path("a")
        let longest = try await gateway.send("PUT", path, headers: [name: String(repeating: "x", count: 2048)])
        #expect(longest.status == 200)
        for query in ["", "uploads"] {
            let headers = [name: String(repeating: "x", count: 2049)]
            let refused = try await gateway.send(query.isEmpty ? "PUT" : "POST", path, query: query, headers: headers)
            #expect(refused.status == 400 && refused.code == "MetadataTooLarge")
        }
    }

    @Test func `stored headers of more than 8 KiB together return MetadataTooLarge`() async throws {
        let names = ["cache-control", "content-disposition", "content-language", "expires"]
        let headers = Dictionary(uniqueKeysWithValues: names.map { ($0, String(repeating: "x", count: 2048)) })
        #expect(try await gateway.send("PUT", GatewayFixture.path("a"), headers: headers).code == "MetadataTooLarge")
    }

    @Test func `empty objects count with their key, headers and a minimum size`() async throws {
        let name = String(repeating: "k", count: 255)
        let value = String(repeating: "x", count: 2048)
        for number in 0..<10 {
            _ = try await gateway.send("PUT", GatewayFixture.path("\(number)"))
            _ = try await gateway.send(
                "PUT", GatewayFixture.path("\(name)/\(number)"), headers: ["expires": value, "cache-control": value])
        }
        // The key has 301 bytes; each of two headers has name, value and 8 bytes.
        let charge: Int64 = 4433
        #expect(try await gateway.stored() == 10 * (4096 + charge))
    }

    @Test func `records of multipart uploads count until the uploads are aborted`() async throws {
        gateway.sessions.setLimit(units: 3)
        let path = GatewayFixture.path("a")
        var ids: [String] = []
        for _ in 0..<3 {
            let begun = try await gateway.send("POST", path, query: "uploads")
            ids.append(try #require(begun.values("UploadId").first))
        }
        #expect(try await gateway.send("POST", path, query: "uploads").code == "QuotaExceeded")
        #expect(try await gateway.send("DELETE", path, query: "uploadId=\(ids[0])").status == 204)
        #expect(try await gateway.send("POST", path, query: "uploads").status == 200)
    }

    @Test func `an upload object beyond the account's maximum number is refused`() throws {
        let uploads = StorageLayout.uploads(GatewayFixture.ada)
        let totals = [uploads: ObjectTotals(bytes: 1, objects: AccountQuota.uploadObjects)]
        let account = AccountQuota(GatewayFixture.ada, limit: 1 << 40, totals: totals)
        let part = account.quota(for: UploadRecord.part(GatewayFixture.ada, "id", 1), leaving: [])
        #expect(!account.allows(4096, replacing: nil, part))
        #expect(account.allows(4096, replacing: 4096, part))
        let photo = account.quota(for: ObjectKey(known: "\(StorageLayout.photos(GatewayFixture.ada))a"), leaving: [])
        #expect(account.allows(4096, replacing: nil, photo))
    }

    @Test func `over the limit, catalogs are bounded by the number of photos and user data by 1 MiB`() async throws {
        gateway.sessions.setLimit(1)
        func put(_ key: String, _ size: Int) async throws -> CollectedResponse {
            try await gateway.send(
                "PUT", "/\(GatewayFixture.bucket)/\(key)", body: [ByteBuffer(repeating: 1, count: size)])
        }
        let (catalogs, data) = (StorageLayout.catalogs(GatewayFixture.ada), StorageLayout.userData(GatewayFixture.ada))
        #expect(try await put("\(data)a", 1 << 20).code == "QuotaExceeded")
        #expect(try await put("\(data)a", 1 << 19).status == 200)
        #expect(try await put("\(data)b", 1 << 19).code == "QuotaExceeded")
        #expect(try await put("\(catalogs)a", (32 << 20) - 4096).status == 200)
        #expect(try await put("\(catalogs)b", 4097).code == "QuotaExceeded")
        for name in 0..<4 { try await gateway.put("\(StorageLayout.photos(GatewayFixture.ada))\(name)", "photo") }
        #expect(try await put("\(catalogs)b", 4097).status == 200)
        // Parts are not covered by the catalog allowance.
        let begun = try await gateway.send("POST", "/\(GatewayFixture.bucket)/\(catalogs)c", query: "uploads")
        #expect(begun.code == "QuotaExceeded")
    }

    @Test func `concurrent uploads of the same content need quota only once`() async throws {
        for _ in 0..<20 {
            let fixture = try GatewayFixture()
            fixture.sessions.setLimit(units: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await fixture.send(
                            "PUT", GatewayFixture.path("same"), body: [GatewayFixture.body(100, of: "same")]
                        ).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    @Test func `concurrent uploads after deletions all succeed within the quota`() async throws {
        for _ in 0..<10 {
            let fixture = try GatewayFixture()
            fixture.sessions.setLimit(units: 160)
            for number in 0..<16 {
                let name = "old-\(number)"
                _ = try await fixture.send("PUT", GatewayFixture.path(name), body: [GatewayFixture.body(10, of: name)])
            }
            for number in 0..<16 { _ = try await fixture.send("DELETE", GatewayFixture.path("old-\(number)")) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<16 {
                    let name = "new-\(number)"
                    group.addTask {
                        try await fixture.send(
                            "PUT", GatewayFixture.path(name), body: [GatewayFixture.body(10, of: name)]
                        )
                        .status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    @Test func `more bytes in flight than the limit return SlowDown`() throws {
        let uploads = UploadsInFlight()
        try uploads.begin(100 << 20, of: GatewayFixture.ada, limit: 100 << 20)
        #expect(throws: S3Error.slowDown()) { try uploads.begin(1, of: GatewayFixture.ada, limit: 100 << 20) }
        try uploads.begin(1, of: GatewayFixture.bob, limit: 100 << 20)
        uploads.end(100 << 20, of: GatewayFixture.ada)
        try uploads.begin(1, of: GatewayFixture.ada, limit: 100 << 20)
    }

    @Test func `requests beyond an account's rate return SlowDown until its bucket refills`() async throws {
        let fixture = try GatewayFixture(requestsPerAccount: 60)
        let path = GatewayFixture.path("a")
        for _ in 0..<60 { #expect(try await fixture.send("GET", path).status == 404) }
        let refused = try await fixture.send("GET", path)
        #expect(refused.status == 503 && refused.code == "SlowDown" && refused.header("retry-after") == "1")
        #expect(try await fixture.send("GET", path, as: try fixture.credentials(GatewayFixture.bob)).code == "AccessDenied")
        fixture.time.advance(2)
        for _ in 0..<2 { #expect(try await fixture.send("GET", path).status == 404) }
        #expect(try await fixture.send("GET", path).code == "SlowDown")
    }

    @Test func `listing open uploads consumes the account's rate for each record read`() async throws {
        let fixture = try GatewayFixture(requestsPerAccount: 60)
        for _ in 0..<40 {
            #expect(try await fixture.send("POST", GatewayFixture.path("a"), query: "uploads").status == 200)
            fixture.time.advance(1)
        }
        // 40 records count as two additional requests: of the 60 available after a minute, 20 listings use all.
        fixture.time.advance(60)
        for _ in 0..<20 {
            #expect(try await fixture.send("GET", "/\(GatewayFixture.bucket)", query: "uploads").status == 200)
        }
        #expect(try await fixture.send("GET", GatewayFixture.path("a")).code == "SlowDown")
    }

    @Test func `requests beyond an address's rate are refused before they are authenticated`() async throws {
        let fixture = try GatewayFixture(requestsPerAddress: 2)
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "127.0.0.1:9000", path: GatewayFixture.path("a"))
        var statuses: [Int] = []
        for network in [1, 1, 1, 2] as [UInt64] {
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            statuses.append(await fixture.responder().handle(request, from: network) {}.status.code)
        }
        #expect(statuses == [403, 403, 503, 403])
    }
}
