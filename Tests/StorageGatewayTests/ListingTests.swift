import Foundation
import Testing

@testable import StorageGateway

struct ListingTests {
    private let prefix = "photos/\(GatewayFixture.ada)/"

    private func makeGateway(_ names: [String]) async throws -> GatewayFixture {
        let fixture = try GatewayFixture()
        for name in names { try await fixture.put(prefix + name, "x") }
        try await fixture.put("photos/\(GatewayFixture.bob)/z", "x")
        return fixture
    }

    private func list(_ fixture: GatewayFixture, _ query: String) async throws -> CollectedResponse {
        try await fixture.send("GET", "/\(GatewayFixture.bucket)", query: "list-type=2&prefix=\(prefix)" + query)
    }

    @Test("a folder whose name contains the last Unicode scalar is listed once, and the listing ends")
    func lastScalar() async throws {
        let fixture = try await makeGateway(["loop/a", "loop/\u{10FFFF}x", "loop/\u{10FFFF}\u{10FFFF}", "z"])
        let page = try await list(fixture, "&delimiter=/")
        #expect(page.values("Key") == [prefix + "z"])
        #expect(page.values("CommonPrefixes").count == 1)
    }

    @Test("all pages together contain each entry once, in order", arguments: [1, 2, 3, 7, 100], ["", "&delimiter=/"])
    func pages(_ size: Int, _ delimiter: String) async throws {
        let names = (0..<40).map { "d\($0 % 4)/\($0)" } + ["a", "d", "d0", "d0.", "e", "z/1/2", "\u{e9}", "e\u{301}"]
        let fixture = try await makeGateway(names)
        var found: [String] = []
        var token = ""
        for _ in 0..<100 {
            let page = try await list(fixture, "&max-keys=\(size)\(delimiter)\(token)")
            let entries =
                page.values("Key")
                + page.values("CommonPrefixes").map {
                    $0.replacing("<Prefix>", with: "").replacing("</Prefix>", with: "")
                }
            #expect(entries.count <= size && page.values("KeyCount") == [String(entries.count)])
            found += entries
            guard let next = page.values("NextContinuationToken").first else { break }
            token = "&continuation-token=\(next)"
        }
        let whole =
            delimiter.isEmpty
            ? names : ["a", "d", "d0", "d0.", "e", "\u{e9}", "e\u{301}", "d0/", "d1/", "d2/", "d3/", "z/"]
        #expect(
            found.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
                == whole.map { Array((prefix + $0).utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test("version 1 listings continue by marker")
    func firstVersion() async throws {
        let fixture = try await makeGateway(["a/1", "a/2", "b", "c/1"])
        var found: [String] = []
        var marker = ""
        for _ in 0..<9 {
            let page = try await fixture.send(
                "GET", "/\(GatewayFixture.bucket)", query: "prefix=\(prefix)&delimiter=/&max-keys=1&marker=\(marker)")
            found += page.values("Key") + page.values("CommonPrefixes")
            guard let next = page.values("NextMarker").first else { break }
            marker = next
        }
        #expect(found == ["<Prefix>\(prefix)a/</Prefix>", prefix + "b", "<Prefix>\(prefix)c/</Prefix>"])
    }

    @Test("a listing starts after start-after")
    func startAfter() async throws {
        let fixture = try await makeGateway(["a", "b", "c"])
        #expect(try await list(fixture, "&start-after=\(prefix)a").values("Key") == [prefix + "b", prefix + "c"])
        #expect(try await list(fixture, "&start-after=zzz").values("Key").isEmpty)
    }

    @Test("owners are included on request, and a page has at most 1,000 entries")
    func details() async throws {
        let fixture = try await makeGateway(["a"])
        #expect(try await list(fixture, "").values("Owner").isEmpty)
        #expect(
            try await list(fixture, "&fetch-owner=true").text.contains("<Owner><ID>\(GatewayFixture.ada)</ID></Owner>"))
        #expect(try await list(fixture, "&max-keys=5000").values("MaxKeys") == ["1000"])
        #expect(try await list(fixture, "&max-keys=0").values("IsTruncated") == ["false"])
    }

    @Test(
        "invalid listing parameters are rejected",
        arguments: [
            "&max-keys=-1", "&max-keys=x", "&max-keys=99999999999999999999", "&encoding-type=xml",
            "&continuation-token=%21", "&continuation-token=", "&list-type=3",
        ])
    func absurd(_ query: String) async throws {
        let fixture = try await makeGateway([])
        let response =
            query.contains("list-type")
            ? try await fixture.send("GET", "/\(GatewayFixture.bucket)", query: "list-type=3&prefix=\(prefix)")
            : try await list(fixture, query)
        #expect(response.code == "InvalidArgument")
    }
}
