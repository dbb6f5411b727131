import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// The scripts and pages that each list what is kept for reading offline agree.
@Suite struct OfflineRulesTests {
    private static let sources = Repository.root.appending(path: "Sources/PhotolalaPortal")

    private func source(_ path: String) throws -> String {
        try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
    }

    /// Returns the texts of a script's constant.
    private func list(_ name: String, _ script: String) throws -> Set<String> {
        let text = try source("Scripts/\(script).js")
        let constant = try Regex("const \(name) = \\[([^\\]]+)\\];", as: (Substring, Substring).self)
        let found = try #require(text.firstMatch(of: constant), "\(name)")
        return Set(found.output.1.matches(of: /"([^"]+)"/).map { String($0.output.1) })
    }

    @Test("the worker keeps the pages that the server permits, that pages open offline, and that the message offers")
    func pages() async throws {
        let kept = try list("pages", "service_worker")
        #expect(kept.count > 1)
        #expect(try list("readable", "offline") == kept)
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let md5 = String(repeating: "1", count: 32)
            let photo = "1.jpg,\(md5),5,2024-01-02T03:04:05Z,2011-05-17T10:00:00Z,image/jpeg\n"
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\n\(photo)", try await LibraryPagesTests.user(service), service)
            let permit = try #require(HTTPField.Name("Photolala-Offline"))
            var permitted: Set<String> = []
            for path in kept.union(["/library/trash", "/library/shared", "/account"]) {
                let query = path == "/library/photo" ? "?id=\(md5)&list=photos" : ""
                if try await bob.send(.get, path + query).headers[permit] != nil { permitted.insert(path) }
            }
            #expect(permitted == kept)
            let message = try await bob.page("/library/offline")
            let section = try #require(
                message.split(separator: "id=\"kept\"").last?.split(separator: "</section>").first)
            let offered = Set(section.matches(of: /href="([^"]+)"/).map { String($0.output.1) })
            #expect(offered == kept.subtracting(["/library/photo"]))
        }
    }

    @Test("every parameter of a search distinguishes kept pages, and returns from the choice of an album")
    func parameters() throws {
        let selecting = try list("selecting", "service_worker")
        let query = try source("Library/LibraryQuery+Page.swift")
        let read = Set(query.matches(of: /fields\("([a-z]+)"\)/).map { String($0.output.1) })
        #expect(read.count > 1 && selecting == read.union(["id", "list", "name"]))
        let albums = try source("Library/AlbumPages.swift")
        let repeated = try #require(albums.firstMatch(of: /\+ \[("from", [^\]]+)\]/)?.output.1)
        let names = Set(repeated.matches(of: /"([^"]+)"/).map { String($0.output.1) })
        #expect(names == read.union(["from", "near", "page"]))
    }
}
