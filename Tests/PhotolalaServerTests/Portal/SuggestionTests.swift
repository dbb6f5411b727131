import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// What the search box suggests.
@Suite struct SuggestionTests {
    private struct Suggested: Decodable, Equatable {
        let icon: String
        let name: String
        let detail: String?
        let kind: String?
        let count: String?
        let path: String
    }

    private static let columns =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude,color,"
        + "duration,camera"
    private static let rows = [
        ("a.jpg", "image/jpeg", "-33.8568,151.2153", "<b>&Co"), ("b.mp4", "video/mp4", "-33.8588,151.2140", ""),
        ("c.jpg", "image/jpeg", "35.6895,139.6917", ""),
    ]

    private static func md5(_ index: Int) -> String { String(repeating: "\(index + 1)", count: 32) }

    private func with(_ test: @Sendable (inout PortalVisitor) async throws -> Void) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let rows = Self.rows.enumerated().map { index, row in
                "\(row.0),\(Self.md5(index)),5,2024-0\(index + 1)-02T03:04:05Z,,\(row.1),,,,1@0000000a,,,\(row.2),,,\(row.3)\n"
            }
            try await LibraryPagesTests.putCatalog(
                "\(Self.columns)\n\(rows.joined())", try await LibraryPagesTests.user(service), service)
            try await test(&bob)
        }
    }

    private func list(_ bob: inout PortalVisitor, _ language: String = "en") async throws -> [Suggested] {
        let response = try await bob.send(.get, "/library/suggestions", headers: [.acceptLanguage: language])
        #expect(response.status == .ok && response.headers[.contentType] == "application/json")
        return try JSONDecoder().decode([Suggested].self, from: Data(buffer: response.body))
    }

    @Test("sections, kinds, albums, places, cameras and dates are suggested, with what their pages show")
    func all() async throws {
        try await with { bob in
            let created = try await bob.post("/library/albums/add", "target=new&name=Trip+%3Ci%3E&\(Self.md5(0))=1")
            #expect(created.status == .seeOther)
            let all = try await list(&bob)
            func found(_ name: String) throws -> Suggested { try #require(all.first { $0.name == name }, "\(name)") }
            let album = try found("Trip <i>")
            #expect(album.icon == "album" && album.kind == "Album" && album.detail == nil && album.count == "1")
            #expect(try found("<b>&Co").kind == "Camera" && found("Sydney").kind == nil)
            let sydney = try found("Sydney")
            #expect(sydney.detail == "New South Wales, Australia" && sydney.count == "2")
            #expect(try found("Videos").count == "1" && found("Favorites").path == "/library/favorites")
            for (name, photos) in [
                ("Trip <i>", [1]), ("Sydney", [2, 1]), ("Australia", [2, 1]), ("New South Wales", [2, 1]),
                ("Videos", [2]), ("<b>&Co", [1]), ("February 2024", [2]), ("2024", [3, 2, 1]),
            ] {
                #expect(PortalVisitor.shown(try await bob.page(try found(name).path)) == photos, "\(name)")
            }
            #expect(!all.contains { $0.name == "RAW" || $0.name == "April 2024" })
        }
    }

    @Test(
        "names are those of the pages in each language",
        arguments: [
            ("de", ["Favoriten", "Tokio", "Australien", "März 2024"]), ("es", ["Favoritas", "Tokio", "Japón"]),
            ("ja", ["お気に入り", "日本", "2024年3月"]), ("ko", ["즐겨찾기", "일본", "2024년 3월"]),
        ])
    func languages(_ language: String, _ names: [String]) async throws {
        try await with { bob in
            let all = try await list(&bob, language)
            #expect(Set(all.map(\.name)).isSuperset(of: names), "\(all.map(\.name))")
            for each in all where names.contains(each.name) && each.icon != "favorite" {
                #expect(!PortalVisitor.shown(try await bob.page(each.path)).isEmpty, "\(each.name)")
            }
        }
    }

    @Test("the browser keeps the list for itself, and is sent it again when it or the language has changed")
    func kept() async throws {
        try await with { bob in
            let first = try await bob.send(.get, "/library/suggestions")
            #expect(first.headers[.cacheControl] == "private, no-cache")
            let tag = try #require(first.headers[.eTag])
            let again = try await bob.send(.get, "/library/suggestions", headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.body.readableBytes == 0 && again.headers[.eTag] == tag)
            let german = try await bob.send(
                .get, "/library/suggestions", headers: [.ifNoneMatch: tag, .acceptLanguage: "de"])
            #expect(german.status == .ok)
            _ = try await bob.post("/library/archive", "archived=1&from=0&\(Self.md5(2))=1")
            let changed = try await bob.send(.get, "/library/suggestions", headers: [.ifNoneMatch: tag])
            #expect(changed.status == .ok && !String(buffer: changed.body).contains("Tokyo"))
        }
    }

    @Test("photos in the trash suggest nothing")
    func trash() async throws {
        try await with { bob in
            _ = try await bob.post("/library/trash", "from=0&\(Self.md5(2))=1")
            let names = try await list(&bob).map(\.name)
            #expect(!names.contains("Tokyo") && !names.contains("Japan") && !names.contains("March 2024"))
        }
    }

    @Test(
        "a search that finds nothing leads to the pages that its words name",
        arguments: [
            ("favorites", ["/library/favorites"]), ("Sydney+raw", ["/library?place="]),
            ("nothing+FAVORITES+vid%C3%A9os", ["/library/favorites", "/library?kind=video"]), ("nothing", []),
            ("%3Cb%3E+nothing+%26Co", ["/library?camera=%3Cb%3E%26Co"]), ("2024+nothing", []),
        ])
    func proposals(_ words: String, _ paths: [String]) async throws {
        try await with { bob in
            let page = try await bob.page("/library?q=\(words)")
            let links = page.matches(of: /<a class="button quiet" href="([^"]+)"><svg/).map { String($0.1) }
            #expect(PortalVisitor.shown(page) == [] && links.count == paths.count && !page.contains("<b>"), "\(links)")
            for (link, path) in zip(links, paths) { #expect(link.hasPrefix(path), "\(link)") }
        }
    }
}
