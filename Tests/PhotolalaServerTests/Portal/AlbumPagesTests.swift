import HTTPTypes
import HummingbirdTesting
import Testing

/// Albums in the portal.
@Suite struct AlbumPagesTests {
    private static func md5(_ index: Int) -> String { AlbumFixture.md5(index) }

    /// Returns the indices of the photos on a page.
    private func shown(_ page: String) -> [Int] {
        PortalVisitor.shown(page).map { $0 - 1 }
    }

    /// Creates an album and returns its id.
    private func create(_ name: String, _ bob: inout PortalVisitor) async throws -> String {
        let created = try await bob.post("/library/albums", "name=\(name)")
        let location = try #require(created.headers[.location]?.wholeMatch(of: /\/library\?album=([0-9a-f]{16})/))
        return String(location.1)
    }

    @Test("a photo of an album becomes its cover, and the newest does again")
    func cover() async throws {
        try await AlbumFixture.with { bob in
            let id = try await create("Rome", &bob)
            _ = try await bob.post("/library/albums/add", "target=\(id)&\(Self.md5(0))=1&\(Self.md5(2))=1")
            func covers(_ photo: Int) async throws -> Bool {
                try await bob.page("/library/albums").contains("/\(Self.md5(photo)).jpg")
            }
            #expect(try await covers(2))
            let address = "/library/photo?id=\(Self.md5(0))&list=photos&album=\(id)"
            #expect(try await bob.page(address).contains("<span>Use as album cover</span>"))
            #expect(try await !bob.page("/library/photo?id=\(Self.md5(0))&list=photos").contains("album cover"))
            let fields = "page=photo&album=\(id)&\(Self.md5(0))=1"
            let chosen = try await bob.post("/library/albums/cover", "\(fields)&cover=1")
            let location = try #require(chosen.headers[.location])
            let after = try await bob.page(location)
            #expect(after.contains("This photo is the album’s cover") && after.contains("name=\"cover\" value=\"0\""))
            #expect(try await covers(0))
            _ = try await bob.post("/library/albums/cover", "\(fields)&cover=0")
            #expect(try await covers(2))
            // The toolbar of an album has the form, too, for one photo.
            let album = try await bob.page("/library?album=\(id)")
            #expect(album.contains(#"formaction="/library/albums/cover" name="cover" value="1" data-single"#))
            let one = "album=\(id)&from=0&cover=1&\(Self.md5(0))=1"
            let used = try await bob.post("/library/albums/cover", one)
            #expect(used.headers[.location] == "/library?album=\(id)&from=0&cover=1")
            #expect(try await covers(0))
            let several = try await bob.post("/library/albums/cover", "\(one)&\(Self.md5(2))=1")
            let notice = try await bob.page(try #require(several.headers[.location]))
            #expect(notice.contains("Select one photo for the cover."))
            #expect(
                try await bob.post("/library/albums/cover", "page=photo&album=\(id)&\(Self.md5(1))=1&cover=1").status
                    == .notFound)
        }
    }

    @Test("an album is created, filled from the library, shown, and emptied again")
    func life() async throws {
        try await AlbumFixture.with { bob in
            #expect(try await bob.page("/library/albums").contains("No albums yet"))
            let id = try await create("Rome+%26+Ostia", &bob)
            let empty = try await bob.page("/library?album=\(id)")
            #expect(empty.contains("<bdi>Rome &amp; Ostia</bdi>") && empty.contains("No photos in this album yet"))

            let choice = try await bob.post("/library/albums/add", "from=0&\(Self.md5(0))=1&\(Self.md5(2))=1")
            let text = String(buffer: choice.body)
            #expect(choice.status == .ok && text.contains("2 selected"))
            #expect(
                text.contains(#"name="target" value="\#(id)""#) && text.contains(#"name="\#(Self.md5(2))" value="1""#))
            let added = try await bob.post(
                "/library/albums/add", "target=\(id)&from=0&\(Self.md5(0))=1&\(Self.md5(2))=1")
            #expect(added.headers[.location] == "/library?from=0&added=2&target=\(id)")
            let notice = try await bob.page("/library?from=0&added=2&target=\(id)")
            #expect(
                notice.contains("2 items added to “Rome &amp; Ostia”")
                    && notice.contains(#"action="/library/albums/remove" id="undo""#))
            #expect(notice.contains(#"<input type="hidden" name="target" value="\#(id)">"#))

            let again = try await bob.post("/library/albums/add", "from=0&\(Self.md5(1))=1")
            #expect(String(buffer: again.body).contains(#"value="\#(id)" data-cover="http"#))

            let album = try await bob.page("/library?album=\(id)")
            #expect(shown(album) == [2, 0] && album.contains(#"formaction="/library/albums/remove""#))
            #expect(
                try await bob.page("/library/albums").contains(
                    "<small>2 items</small> <small>May 2010\u{2009}–\u{2009}May 2012</small>"))
            let photo = try await bob.page("/library/photo?id=\(Self.md5(2))&list=photos&album=\(id)")
            #expect(photo.contains(#"rel="next" href="/library/photo?id=\#(Self.md5(0))"#))
            #expect(photo.contains(#"href="/library?album=\#(id)&amp;from=0"#))
            #expect(photo.contains(#"<a href="/library?album=\#(id)"><bdi>Rome &amp; Ostia</bdi></a>"#))
            #expect(!(try await bob.page("/library/photo?id=\(Self.md5(1))&list=photos").contains(#"id="albums""#)))
            #expect(shown(try await bob.page("/library?album=\(id)&q=2012")) == [2])

            let removed = try await bob.post("/library/albums/remove", "album=\(id)&from=0&\(Self.md5(0))=1")
            #expect(removed.headers[.location] == "/library?album=\(id)&from=0&removed=1&target=\(id)")
            #expect(shown(try await bob.page("/library?album=\(id)")) == [2])
            #expect(shown(try await bob.page("/library")) == [2, 1, 0])
        }
    }

    @Test("photos are added to a new album from the page of the choice and from a photo's page")
    func new() async throws {
        try await AlbumFixture.with { bob in
            let added = try await bob.post(
                "/library/albums/add", "target=new&name=Oslo&page=photo&\(Self.md5(1))=1")
            let location = try #require(added.headers[.location])
            #expect(location.hasPrefix("/library/photo?id=\(Self.md5(1))"))
            #expect(try await bob.page(location).contains("1 item added to “Oslo”"))
            let taken = try await bob.post("/library/albums/add", "target=new&name=oslo&\(Self.md5(2))=1")
            #expect(taken.status == .badRequest)
            let text = String(buffer: taken.body)
            #expect(text.contains("that no other album has") && text.contains(#"value="oslo""#))
            #expect(text.contains(#"name="\#(Self.md5(2))""#), "the selection is kept")
            #expect(try await bob.page("/library/albums").contains("Oslo</bdi> <small>1 item</small>"))
        }
    }

    @Test("an album is renamed, and deleted after a question")
    func edit() async throws {
        try await AlbumFixture.with { bob in
            let (rome, oslo) = (try await create("Rome", &bob), try await create("Oslo", &bob))
            #expect(try await bob.page("/library/albums/edit?album=\(rome)").contains(#"value="Rome""#))
            let renamed = try await bob.post("/library/albums/edit", "album=\(rome)&name=Roma")
            #expect(renamed.headers[.location] == "/library?album=\(rome)")
            #expect(try await bob.post("/library/albums/edit", "album=\(rome)&name=oslo").status == .badRequest)
            let nameless = try await bob.post("/library/albums", "name=+")
            #expect(nameless.status == .badRequest)
            for form in [String(buffer: nameless.body), try await bob.page("/library/albums/new")] {
                #expect(form.contains("<h1>New album</h1>") && form.contains(#"action="/library/albums""#))
            }
            #expect(try await bob.page("/library/albums").contains(#"<a href="/library/albums/new" data-dialog>"#))
            let question = try await bob.post("/library/albums/delete", "album=\(oslo)")
            #expect(String(buffer: question.body).contains("Delete the album “Oslo”?"))
            #expect(try await bob.page("/library/albums").contains("Oslo"))
            let deleted = try await bob.post("/library/albums/delete", "album=\(oslo)&confirmed=1")
            #expect(deleted.headers[.location] == "/library/albums?deleted=1")
            let all = try await bob.page("/library/albums?deleted=1")
            #expect(all.contains("Album deleted") && all.contains("Roma") && !all.contains("Oslo"))
            for other in [oslo, "x"] {
                let missing = try await bob.send(.get, "/library?album=\(other)")
                #expect(missing.status == .notFound, "\(other)")
                let text = String(buffer: missing.body)
                #expect(text.contains("This album was deleted"), "\(other)")
                #expect(text.contains(#"href="/library/albums""#), "\(other)")
            }
        }
    }

    @Test(
        "an album that does not exist is not found, and nothing changes without the form's token",
        arguments: ["edit", "delete", "add", "remove"])
    func rejected(_ act: String) async throws {
        try await AlbumFixture.with { bob in
            let id = try await create("Rome", &bob)
            let fields = "name=x&confirmed=1&\(Self.md5(0))=1"
            let forged = try await bob.post(
                "/library/albums/\(act)", "album=\(id)&target=\(id)&\(fields)", token: "x")
            #expect(forged.status == .forbidden)
            let ids = ["delete": ["..%2F", ""], "add": ["0000000000000000", "..%2F"]]
            for other in ids[act] ?? ["0000000000000000", "..%2F", ""] {
                let unknown = try await bob.post("/library/albums/\(act)", "album=\(other)&target=\(other)&\(fields)")
                #expect(unknown.status == .notFound)
                #expect(String(buffer: unknown.body).contains("This album was deleted"))
            }
            #expect(
                try await bob.page("/library/albums").contains(
                    #"<bdi title="Rome">Rome</bdi> <small>0 items</small></a>"#))
        }
    }
}
