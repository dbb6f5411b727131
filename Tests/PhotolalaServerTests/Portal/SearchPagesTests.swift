import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// Search, favorites and the archive in the portal.
@Suite struct SearchPagesTests {
    private static let rows = [
        ("Beach/a.jpg", "image/jpeg", "2018-05-17T10:00:00Z"), ("Beach/b.mp4", "video/mp4", "2018-08-01T10:00:00Z"),
        ("c&d.jpg", "image/jpeg", "2019-05-31T10:00:00Z"), ("<script>.jpg", "image/jpeg", "2020-01-01T10:00:00Z"),
    ]

    private static func md5(_ index: Int) -> String { String(repeating: "\(index + 1)", count: 32) }

    private func with(_ test: @Sendable (inout PortalVisitor, TestService) async throws -> Void) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let rows = Self.rows.enumerated().map {
                "\($1.0),\(Self.md5($0)),5,2024-01-02T03:04:05Z,\($1.2),\($1.1)\n"
            }
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\n\(rows.joined())", try await LibraryPagesTests.user(service),
                service)
            try await test(&bob, service)
        }
    }

    /// Returns the indices of the photos on a page.
    private func shown(_ page: String) -> [Int] {
        PortalVisitor.shown(page).map { $0 - 1 }
    }

    @Test(
        "a search shows the photos that it finds, newest first",
        arguments: [
            ("q=beach", [1, 0]), ("q=May+2018", [0]), ("q=mai", [2, 0]), ("q=2018%E5%B9%B45%E6%9C%88", [0]),
            ("q=V%C3%ADdeos", [1]), ("kind=video", [1]), ("q=&kind=photo", [3, 2, 0]), ("q=%3Cscript%3E", [3]),
            ("q=c%26d", [2]), ("q=nothing", []), ("q=", [3, 2, 1, 0]), ("kind=unknown", [3, 2, 1, 0]),
        ])
    func searches(_ query: String, _ expected: [Int]) async throws {
        try await with { bob, _ in
            let page = try await bob.page("/library?\(query)")
            #expect(shown(page) == expected)
            #expect(page.contains("No photos found") == expected.isEmpty)
            #expect(!page.contains("<script>."))
        }
    }

    @Test("a search is kept on the pages of its photos, and by acts on them")
    func kept() async throws {
        try await with { bob, _ in
            let list = try await bob.page("/library?q=beach&kind=photo")
            #expect(list.contains(#"<input type="hidden" name="q" value="beach">"#))
            let found = try #require(list.firstMatch(of: /href="(\/library\/photo\?[^"]+)"/)?.1)
            let link = String(found).replacing("&amp;", with: "&")
            #expect(link == "/library/photo?id=\(Self.md5(0))&list=photos&q=beach&kind=photo")
            let photo = try await bob.page(link)
            // The search finds no other photo.
            #expect(!photo.contains(#"rel="next""#) && !photo.contains(#"rel="prev""#))
            #expect(photo.contains(#"href="/library?q=beach&amp;kind=photo&amp;from=0"#))
            let outside = try await bob.page("/library/photo?id=\(Self.md5(2))&list=photos&q=beach")
            #expect(outside.contains(#"rel="next""#) && outside.contains(#"rel="prev""#))
        }
    }

    @Test(
        "the next search keeps the filters that were chosen, but not the list",
        arguments: [
            ("/library?q=beach&kind=photo&favorites=1", ["kind", "favorites"]), ("/library?camera=Nikon", ["camera"]),
            ("/library?q=&favorites=1", ["favorites"]), ("/library?q=beach", []), ("/library", []),
            ("/library/favorites", []), ("/library/archive", []), ("/library?place=none&kind=photo", ["kind"]),
            ("/library/photo?id=\(md5(0))&list=photos&q=beach&kind=photo", ["kind"]),
            ("/library/photo?id=\(md5(0))&list=photos&favorites=1", []), ("/library/albums", []),
            ("/library/trash", []), ("/account", []), ("/account/devices", []),
        ])
    func filters(_ path: String, _ names: [String]) async throws {
        try await with { bob, _ in
            let page = try await bob.page(path)
            let form = try #require(page.firstMatch(of: /<form class="search"(?s:.)*?<\/form>/)?.0)
            #expect(form.matches(of: /type="hidden" name="([a-z]+)"/).map { String($0.1) } == names)
        }
    }

    @Test(
        "a search that finds nothing offers to remove its filters, if it has some",
        arguments: [
            ("q=beach&kind=raw", "/library?q=beach"), ("camera=Nikon", "/library?q="),
            ("place=remote&favorites=1", "/library?q=&amp;place=remote"), ("q=beach&kind=photo", nil),
            ("q=nothing", nil),
        ])
    func unfiltered(_ query: String, _ path: String?) async throws {
        try await with { bob, _ in
            let page = try await bob.page("/library?\(query)")
            let link = page.firstMatch(of: /href="([^"]+)">Remove all filters<\/a>/).map { String($0.1) }
            #expect(link == path)
        }
    }

    @Test("photos become favorites and are none again, from the grid and from a photo's page")
    func favorites() async throws {
        try await with { bob, _ in
            let token = try await bob.formToken()
            let added = try await bob.post(
                "/library/favorites", "favorite=1&q=beach&from=0&\(Self.md5(0))=1&\(Self.md5(1))=1", token: token)
            #expect(added.headers[.location] == "/library?q=beach&from=0&favorited=2")
            let favorites = try await bob.page("/library/favorites")
            #expect(shown(favorites) == [1, 0] && favorites.contains(#"name="favorite" value="0""#))
            let notice = try await bob.page("/library?q=beach&from=0&favorited=2")
            #expect(
                notice.contains("2 items added to favorites") && notice.contains(#"data-after="/library/favorites""#))

            let photo = try await bob.page("/library/photo?id=\(Self.md5(0))&list=photos&favorites=1")
            #expect(photo.contains(#"name="favorite" value="0" aria-label="Favorite" title="Favorite" aria-pressed="true""#))
            let removed = try await bob.post(
                "/library/favorites", "favorite=0&page=photo&favorites=1&\(Self.md5(0))=1", token: token)
            #expect(removed.headers[.location] == "/library/photo?id=\(Self.md5(0))&list=photos&favorites=1")
            // The photo is still shown, among all photos.
            let still = try await bob.page("/library/photo?id=\(Self.md5(0))&list=photos&favorites=1")
            #expect(
                still.contains(#"value="1" aria-label="Favorite" title="Favorite" aria-pressed="false""#)
                    && still.contains(#"rel="prev""#))
            #expect(shown(try await bob.page("/library/favorites")) == [1])
            #expect(shown(try await bob.page("/library?q=2018&favorites=1")) == [1])
        }
    }

    @Test("archived photos leave the page of all photos, with its months, and stay in searches and favorites")
    func archive() async throws {
        try await with { bob, _ in
            let token = try await bob.formToken()
            #expect(try await bob.page("/library/archive").contains("Nothing archived yet"))
            let added = try await bob.post(
                "/library/archive", "archived=1&from=0&near=\(Self.md5(1))&\(Self.md5(2))=1", token: token)
            #expect(added.headers[.location] == "/library?from=0&near=\(Self.md5(1))&archived=1")
            let notice = try await bob.page("/library?from=0&archived=1")
            #expect(notice.contains("1 item archived") && notice.contains(#"data-after="/library/archive""#))
            #expect(notice.contains(#"<input type="hidden" name="archived" value="0">"#))
            #expect(notice.contains(#"name="to" value="/library?from=0""#), "another language repeats no notice")
            let whole = try await bob.page("/library")
            #expect(shown(whole) == [3, 1, 0] && !whole.contains("May 2019") && whole.contains("May 2018"))
            let name = try #require(whole.firstMatch(of: /data-name="([^"]+)"/)?.1)
            #expect(shown(try await bob.page("/library/blocks?list=photos&name=\(name)&from=0")) == [3, 1, 0])
            let archive = try await bob.page("/library/archive")
            #expect(shown(archive) == [2] && archive.contains(#"name="archived" value="0""#))
            #expect(archive.contains("&amp;hidden=1") && archive.contains("Archived photos are hidden from Photos"))
            let badge = #"<span class="unseen">Archived</span>"#
            #expect(!archive.contains(badge) && !whole.contains(badge) && !whole.contains("Archived photos are hidden"))
            let found = try await bob.page("/library?q=2019")
            #expect(shown(found) == [2] && found.contains(badge))
            // The way back from the choice of an album leads to the archive.
            let choice = try await bob.post(
                "/library/albums/add", "hidden=1&from=0&\(Self.md5(2))=1", token: token)
            #expect(String(buffer: choice.body).contains(#"<input type="hidden" name="hidden" value="1">"#))

            // Its own page is reached from any address, and the files are sent as before.
            for query in ["", "&hidden=1", "&q=2019", "&favorites=1"] {
                let photo = try await bob.page("/library/photo?id=\(Self.md5(2))&list=photos\(query)")
                #expect(photo.contains(#"aria-label="Unarchive""#), "\(query)")
                #expect(photo.contains("data-leaves") == (query != "&q=2019"), "\(query)")
            }
            let other = try await bob.page("/library/photo?id=\(Self.md5(1))&list=photos")
            #expect(other.contains(#"aria-label="Archive""#) && !other.contains(Self.md5(2)))
            let file = try await bob.send(.get, "/library/download?id=\(Self.md5(2))&list=photos")
            #expect(file.status == .seeOther)
            let links = try await bob.post("/library/links", "list=photos&\(Self.md5(2))=1", token: token)
            #expect(String(buffer: links.body).contains("c&d.jpg"))

            let removed = try await bob.post(
                "/library/archive", "archived=0&hidden=1&from=0&\(Self.md5(2))=1", token: token)
            #expect(removed.headers[.location] == "/library/archive?from=0&unarchived=1")
            #expect(shown(try await bob.page("/library")) == [3, 2, 1, 0])
        }
    }

    @Test("favorites are not changed without the form's token, and a search of another form is rejected")
    func rejected() async throws {
        try await with { bob, service in
            let forged = try await bob.post("/library/favorites", "favorite=1&\(Self.md5(0))=1", token: "x")
            #expect(forged.status == .forbidden)
            #expect(shown(try await bob.page("/library/favorites")) == [])
            let archived = try await bob.post("/library/archive", "archived=1&\(Self.md5(0))=1", token: "x")
            #expect(archived.status == .forbidden)
            #expect(try await bob.send(.get, "/library?q=\(String(repeating: "a", count: 601))").status == .badRequest)
            #expect(try await bob.send(.get, "/library?q=%FF").status == .badRequest)
            #expect(try await bob.send(.get, "/library?q=a&q=b").status == .badRequest)
        }
    }

    @Test("the blocks of a search are those of its page")
    func blocks() async throws {
        try await with { bob, _ in
            let list = try await bob.page("/library?q=beach")
            let name = try #require(list.firstMatch(of: /data-name="([^"]+)"/)?.1)
            #expect(list.contains(#"data-query="q=beach""#))
            let blocks = try await bob.page("/library/blocks?list=photos&q=beach&name=\(name)&from=0")
            #expect(shown(blocks) == [1] || shown(blocks) == [1, 0])
            let whole = try await bob.page("/library")
            let other = try #require(whole.firstMatch(of: /data-name="([^"]+)"/)?.1)
            #expect(other == name)
        }
    }
}
