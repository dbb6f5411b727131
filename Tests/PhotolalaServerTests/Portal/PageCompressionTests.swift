import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaTesting
import Testing

/// Compressed pages, and those that must not be.
@Suite struct PageCompressionTests {
    private func bytes(_ response: TestResponse) -> [UInt8] { Array(response.body.readableBytesView) }

    private func isCompressed(_ response: TestResponse) -> Bool {
        response.headers[.contentEncoding] == "gzip" && bytes(response).starts(with: [0x1f, 0x8b])
    }

    @Test(
        "a page is compressed for browsers that accept gzip",
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("gzip;q=0", false), ("br", false), ("", false),
            ("gzipped", false),
        ])
    func accepted(_ field: String, _ isExpected: Bool) async throws {
        try await TestService.make().exchange { http in
            let plain = try await http.send(.get, "/sign-in")
            let page = try await http.send(.get, "/sign-in", headers: [.acceptEncoding: field])
            #expect(isCompressed(page) == isExpected)
            #expect(isExpected ? bytes(page).count < bytes(plain).count / 2 : page.headers[.contentEncoding] == nil)
        }
    }

    @Test(
        "a page that repeats a part of its address is not compressed",
        arguments: [
            ("/library", true), ("/library?from=0&near=0123456789abcdef0123456789abcdef", false),
            ("/account/devices?name=x", false),
            ("/library?q=beach", false), ("/library?from=0&q=beach", false), ("/library?kind=raw", false),
            ("/library?done=123", false), ("/library/favorites", true), ("/library/archive", true),
        ])
    func repeated(_ path: String, _ isExpected: Bool) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            #expect(isCompressed(try await bob.send(.get, path, headers: [.acceptEncoding: "gzip"])) == isExpected)
        }
    }

    @Test("scripts and the style sheet are compressed, images are not, and caches keep both forms apart")
    func assets() async throws {
        try await TestService.make().exchange { http in
            let page = String(buffer: try await http.send(.get, "/sign-in").body)
            let sheet = String(try #require(page.firstMatch(of: /href="([^"]+portal\.css)"/)?.1))
            let plain = try await http.send(.get, sheet)
            let compressed = try await http.send(.get, sheet, headers: [.acceptEncoding: "gzip"])
            #expect(isCompressed(compressed) && bytes(compressed).count < bytes(plain).count / 2)
            #expect(plain.headers[.vary] == "accept-encoding" && compressed.headers[.vary] == "accept-encoding")
            let icon = String(try #require(page.firstMatch(of: /rel="apple-touch-icon" href="([^"]+)"/)?.1))
            #expect(
                try await http.send(.get, icon, headers: [.acceptEncoding: "gzip"]).headers[.contentEncoding] == nil)
        }
    }
}
