import HTTPTypes
import HummingbirdTesting
import Testing

/// The page on which photos of the library are chosen for an album.
@Suite struct AlbumChoiceTests {
    private static func md5(_ index: Int) -> String { AlbumFixture.md5(index) }

    /// Runs a test with the photos 0, 1 and 2 and an album with the photo 0.
    private func with(
        _ test: @Sendable (_ bob: inout PortalVisitor, _ album: String) async throws -> Void
    ) async throws {
        try await AlbumFixture.with { bob in
            let created = try await bob.post("/library/albums/add", "target=new&name=Rome&\(Self.md5(0))=1")
            let target = created.headers[.location]?.firstMatch(of: /target=([0-9a-f]{16})/)
            try await test(&bob, String(try #require(target).1))
        }
    }

    /// Returns the numbers of the photos of a page that can be chosen.
    private func open(_ page: String) -> [Int] {
        (0..<3).filter { page.contains(#"name="\#(Self.md5($0))" value="1""#) }.filter { index in
            !page.contains(#"aria-label="\#(index).jpg, In the album" disabled>"#)
        }
    }

    @Test("an album leads to a page with all photos, on which its own cannot be chosen, and back")
    func choice() async throws {
        try await with { bob, album in
            let choice = "/library?for=\(album)"
            #expect(try await bob.page("/library?album=\(album)").contains(#"href="\#(choice)" title="Add photos""#))
            let page = try await bob.page(choice)
            #expect(page.contains("<bdi>Add to “Rome”</bdi>") && PortalVisitor.shown(page) == [3, 2, 1])
            #expect(open(page) == [1, 2])
            #expect(page.contains(#"<a class="button quiet" id="leave" href="/library?album=\#(album)">"#))
            #expect(page.contains(#"<input type="hidden" name="target" value="\#(album)">"#))
            #expect(!page.contains("Move to trash") && !page.contains(#"id="upload""#))

            let added = try await bob.post(
                "/library/albums/add", "for=\(album)&target=\(album)&from=0&\(Self.md5(1))=1&\(Self.md5(2))=1")
            #expect(added.headers[.location] == "/library?album=\(album)&added=2&target=\(album)")
            let after = try await bob.page(try #require(added.headers[.location]))
            #expect(after.contains("2 items added to “Rome”") && PortalVisitor.shown(after) == [3, 2, 1])
            #expect(after.contains(#"action="/library/albums/remove" id="undo""#) && !after.contains("Show album"))
            #expect(open(try await bob.page(choice)).isEmpty)
        }
    }

    @Test("searches, filters and parts of the list keep the album for which photos are chosen")
    func search() async throws {
        try await with { bob, album in
            let page = try await bob.page("/library?q=2011&kind=photo&for=\(album)")
            #expect(PortalVisitor.shown(page) == [2])
            #expect(page.contains(#"<input type="hidden" name="for" value="\#(album)">"#))
            #expect(page.contains(#"href="/library?q=2011&amp;for=\#(album)""#))
            #expect(page.contains(#"data-query="q=2011&amp;kind=photo&amp;for=\#(album)""#))
            let name = try #require(page.firstMatch(of: /data-name="([0-9a-f-]+)"/)?.1)
            let all = try await bob.page("/library?for=\(album)")
            let whole = try #require(all.firstMatch(of: /data-name="([0-9a-f-]+)"/)?.1)
            let part = try await bob.page("/library/blocks?list=photos&from=0&name=\(whole)&for=\(album)")
            #expect(open(part) == [1, 2])
            let found = try await bob.page(
                "/library/blocks?list=photos&from=0&name=\(name)&q=2011&kind=photo&for=\(album)")
            #expect(open(found) == [1])
            let none = try await bob.page("/library?q=nothing&for=\(album)")
            #expect(none.contains("Remove filters") == false && none.contains(#"href="/library?album=\#(album)""#))
        }
    }

    @Test("photos that were chosen for an album that was deleted are offered to the others")
    func lost() async throws {
        try await with { bob, album in
            _ = try await bob.post("/library/albums", "name=Oslo")
            _ = try await bob.post("/library/albums/delete", "album=\(album)&confirmed=1")
            let chosen = "for=\(album)&target=\(album)&from=0&\(Self.md5(1))=1&\(Self.md5(2))=1"
            let answer = try await bob.post("/library/albums/add", chosen)
            #expect(answer.status == .notFound)
            let page = String(buffer: answer.body)
            #expect(page.contains("This album was deleted") && page.contains("2 selected"))
            #expect(page.contains("<bdi>Oslo</bdi>") && page.contains(#"name="\#(Self.md5(2))" value="1""#))
            #expect(!page.contains(#"name="for""#) && page.contains(#"href="/library?from=0" data-close"#))
            // The page on which they are chosen leads to all photos, whose script knows them.
            let lost = try await bob.send(.get, "/library?q=2011&for=\(album)")
            #expect(lost.status == .notFound && String(buffer: lost.body).contains(#"href="/library#chosen""#))
        }
    }

    @Test("another album in the address of the page is left out")
    func twoAlbums() async throws {
        try await with { bob, album in
            let page = try await bob.send(.get, "/library?q=2011&for=\(album)&album=0000000000000000")
            #expect(page.status == .seeOther && page.headers[.location] == "/library?q=2011&for=\(album)")
        }
    }

    @Test("a form of an album that was deleted says so", arguments: ["albums/cover", "shared/new", "albums/remove"])
    func forms(_ path: String) async throws {
        try await with { bob, album in
            _ = try await bob.post("/library/albums/delete", "album=\(album)&confirmed=1")
            let fields = "album=\(album)&cover=1&share=album&\(Self.md5(1))=1"
            let answer = try await bob.post("/library/\(path)", fields)
            #expect(answer.status == .notFound && String(buffer: answer.body).contains("This album was deleted"))
        }
    }

    @Test("a cover that the library no longer has is reported as such")
    func missingCover() async throws {
        try await with { bob, album in
            let gone = String(repeating: "9", count: 32)
            let answer = try await bob.post("/library/albums/cover", "album=\(album)&cover=1&\(gone)=1")
            let location = try #require(answer.headers[.location])
            #expect(location == "/library?album=\(album)&from=0&cover=missing")
            #expect(try await bob.page(location).contains("no longer in your library: 1."))
        }
    }

    @Test("photos cannot be chosen for an album that was deleted", arguments: ["0000000000000000", "x"])
    func deleted(_ album: String) async throws {
        try await with { bob, _ in
            let page = try await bob.send(.get, "/library?for=\(album)")
            #expect(page.status == .notFound && String(buffer: page.body).contains("This album was deleted"))
        }
    }
}
