import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// Shared links in the browser of their owner and in those of visitors.
@Suite struct SharedPagesTests {
    private static func md5(_ index: Int) -> String { String(repeating: "\(index + 1)", count: 32) }
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    /// Runs a test with the photos 0, 1 and 2 in the folder `secret`.
    private func with(
        _ test: @Sendable (inout PortalVisitor, inout PortalVisitor, TestService) async throws -> Void
    ) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var (bob, ann) = (PortalVisitor(http), PortalVisitor(http))
            try await bob.signUp(service, as: "bob")
            let rows = (0..<3).map {
                "secret/name\($0).jpg,\(Self.md5($0)),5,2024-01-02T03:04:05Z,201\($0)-05-17T10:00:00Z,image/jpeg\n"
            }
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\n\(rows.joined())", try await LibraryPagesTests.user(service),
                service)
            try await test(&bob, &ann, service)
        }
    }

    /// Shares the photos 0 and 2, and returns the paths of the link and of its owner's page.
    private func share(
        _ bob: inout PortalVisitor, _ fields: String = "title=Summer&expires=30&downloads=1"
    ) async throws -> (link: String, page: String) {
        let created = try await bob.post(
            "/library/shared/new", "\(Self.md5(0))=1&\(Self.md5(2))=1&share=photos&\(fields)")
        let location = try #require(created.headers[.location])
        #expect(location.hasPrefix("/library/shared/link?link=") && location.hasSuffix("&created=1"))
        let page = try await bob.page(location)
        let address = try #require(page.firstMatch(of: /value="https?:\/\/[^\/"]+(\/s\/[^"]+)"/)?.1)
        return (String(address), location)
    }

    @Test("a message app gets the title of a link without a password, and never a picture or a name")
    func openGraph() async throws {
        try await with { bob, ann, _ in
            let (open, _) = try await share(&bob)
            let page = try await ann.page(open)
            #expect(page.contains(#"<meta property="og:title" content="Summer">"#), "\(page)")
            #expect(page.contains(#"<meta property="og:description" content="Shared photos">"#))
            #expect(!page.contains("og:image"))
            let (locked, _) = try await share(&bob, "title=Summer&expires=30&downloads=1&password=correct-horse")
            let question = String(buffer: try await ann.send(.get, locked).body)
            #expect(question.contains(#"<meta property="og:title" content="Shared photos">"#), "\(question)")
            #expect(!question.contains("Summer"))
            #expect(try await !bob.page("/library").contains(#"property="og:"#))
        }
    }

    @Test("a link is made for a selection, listed, changed, and deleted after a question")
    func life() async throws {
        try await with { bob, ann, _ in
            #expect(try await bob.page("/library/shared").contains("There are no shared links yet."))
            let choice = try await bob.post("/library/shared/new", "\(Self.md5(0))=1&from=0")
            let text = String(buffer: choice.body)
            #expect(choice.status == .ok && text.contains("1 selected") && text.contains("Create link"))
            let (link, page) = try await share(&bob)
            #expect(try await bob.page(page).contains("Link created"))
            let list = try await bob.page("/library/shared")
            #expect(
                list.contains("<bdi>Summer</bdi>") && list.contains("2 items · 0 views · Expires ")
                    && !list.contains("No downloads"))
            let id = try #require(page.firstMatch(of: /link=([0-9a-f]{32})/)?.1)
            let wrong = try await bob.post("/library/shared/link", "link=\(id)&title=&expires=never")
            #expect(wrong.status == .badRequest && String(buffer: wrong.body).contains("Enter a title"))
            let saved = try await bob.post("/library/shared/link", "link=\(id)&title=Winter&expires=never")
            #expect(saved.headers[.location] == "/library/shared/link?link=\(id)&saved=1")
            #expect(try await ann.page(link).contains("<bdi>Winter</bdi>"))
            let question = try await bob.post("/library/shared/delete", "link=\(id)")
            #expect(String(buffer: question.body).contains("Delete the link “Winter”?"))
            #expect(try await ann.send(.get, link).status == .ok)
            let deleted = try await bob.post("/library/shared/delete", "link=\(id)&confirmed=1")
            #expect(deleted.headers[.location] == "/library/shared?deleted=1")
            let gone = try await ann.send(.get, link)
            #expect(gone.status == .notFound && String(buffer: gone.body).contains("This link isn’t available"))
        }
    }

    @Test("the page that shares an album shows its link, and another one is created from there")
    func album() async throws {
        try await with { bob, _, _ in
            let filled = try await bob.post("/library/albums/add", "target=new&name=Rome&\(Self.md5(0))=1")
            let album = try #require(filled.headers[.location]?.firstMatch(of: /target=([0-9a-f]{16})/)?.1)
            let path = "/library/shared/new?album=\(album)"
            #expect(try await bob.page(path).contains("Create link"))
            let created = try await bob.post("/library/shared/new", "album=\(album)&share=album&title=Rome&expires=30")
            let link = try await bob.page(try #require(created.headers[.location]))
            let address = try #require(link.firstMatch(of: /id="address" readonly value="([^"]+)"/)?.1)
            let again = try await bob.page(path)
            #expect(again.contains(#"id="address" readonly value="\#(address)""#))
            #expect(again.contains("Delete link") && again.contains(#"href="/library?album=\#(album)" data-close>"#))
            #expect(again.contains(#"href="\#(path)&amp;another=1" data-dialog>Create another link</a>"#))
            let another = try await bob.page("\(path)&another=1")
            #expect(another.contains("Create link") && !another.contains(#"id="address""#))
            let id = try #require(created.headers[.location]?.firstMatch(of: /link=([0-9a-f]{32})/)?.1)
            _ = try await bob.post("/library/shared/delete", "link=\(id)&confirmed=1")
            #expect(try await bob.page(path).contains("Create link"))
        }
    }

    @Test("visitors see dates and pictures, and neither names nor other photos")
    func visitors() async throws {
        try await with { bob, ann, _ in
            let (link, _) = try await share(&bob)
            let grid = try await ann.page(link)
            #expect(PortalVisitor.shown(grid) == [3, 1] && grid.contains("May 2012"))
            let photo = try await ann.page("\(link)/photo?id=\(Self.md5(2))")
            #expect(photo.contains(#"rel="next" href="\#(link)/photo?id=\#(Self.md5(0))"#) && photo.contains("JPG"))
            let name = try #require(grid.firstMatch(of: /data-name="([0-9a-f]{16})"/)?.1)
            let blocks = try await ann.page("\(link)/blocks?name=\(name)&from=0&list=photos")
            #expect(PortalVisitor.shown(blocks) == [3, 1])
            for html in [grid, photo, blocks] {
                #expect(!html.contains("secret") && !html.contains("name0") && !html.contains("name2"))
                #expect(!html.contains("bob") && !html.contains(Self.md5(1)))
            }
            for path in ["photo", "file", "file?download=1&"] {
                let path = path.contains("?") ? "\(path)id=" : "\(path)?id="
                #expect(try await ann.send(.get, "\(link)/\(path)\(Self.md5(1))").status == .notFound)
            }
            let policy = try #require(HTTPField.Name("X-Robots-Tag"))
            let referrer = try #require(HTTPField.Name("Referrer-Policy"))
            let head = try await ann.send(.get, link).headers
            #expect(head[policy] == "noindex" && head[referrer] == "no-referrer")
            #expect(head[.cacheControl] == "no-store")
        }
    }

    @Test("a browser counts once, and a HEAD request not at all")
    func views() async throws {
        try await with { bob, ann, service in
            let (link, page) = try await share(&bob)
            _ = try await ann.send(.head, link)
            _ = try await bob.page(link)
            #expect(try await bob.page(page).contains("0 views"))
            let first = try await ann.send(.get, link)
            let cookie = try #require(first.headers[values: .setCookie].first)
            #expect(cookie.contains("Path=\(link)") && cookie.contains("Secure") && cookie.contains("HttpOnly"))
            _ = try await ann.page(link)
            #expect(try await bob.page(page).contains("1 view"))
            var eve = PortalVisitor(ann.http)
            _ = try await eve.page(link)
            #expect(try await bob.page(page).contains("2 views"))
        }
    }

    @Test("a password is asked for on every page of the link")
    func password() async throws {
        try await with { bob, ann, _ in
            let (link, page) = try await share(&bob, "title=Summer&expires=never&password=correct+horse")
            #expect(try await bob.page(page).contains("With password"))
            let asked = try await ann.page(link)
            #expect(asked.contains("This link is protected by a password") && !asked.contains("Summer"))
            for path in ["photo?id=\(Self.md5(2))", "blocks?from=0&name=x", "file?id=\(Self.md5(2))"] {
                #expect(try await ann.send(.get, "\(link)/\(path)").status == .notFound, "\(path)")
            }
            let wrong = try await ann.send(.post, link, json: "password=wrong+horse", headers: Self.form)
            #expect(wrong.status == .forbidden && String(buffer: wrong.body).contains("Wrong password"))
            let right = try await ann.send(.post, link, json: "password=correct+horse", headers: Self.form)
            #expect(right.status == .seeOther && right.headers[.location] == link)
            #expect(try await ann.page(link).contains("<bdi>Summer</bdi>"))
            #expect(try await ann.send(.get, "\(link)/photo?id=\(Self.md5(2))").status == .ok)
        }
    }

    @Test("without downloads nothing offers them")
    func downloads() async throws {
        try await with { bob, ann, _ in
            let (link, _) = try await share(&bob, "title=Summer&expires=never")
            let grid = try await ann.page(link)
            let photo = try await ann.page("\(link)/photo?id=\(Self.md5(2))")
            #expect(grid.contains("data-viewonly") && !grid.contains(#"id="download""#))
            #expect(!photo.contains("download=1"))
            let files = try await ann.send(.post, "\(link)/links", json: "\(Self.md5(2))=1", headers: Self.form)
            #expect(files.status == .notFound)
            let file = try await ann.send(.get, "\(link)/file?id=\(Self.md5(2))&download=1")
            #expect(file.status == .notFound)
        }
    }

    @Test("the files of a download have addresses of the link and names without meaning")
    func files() async throws {
        try await with { bob, ann, _ in
            let (link, _) = try await share(&bob)
            let wanted = "\(Self.md5(2))=1&\(Self.md5(1))=1"
            let files = try await ann.send(.post, "\(link)/links", json: wanted, headers: Self.form)
            let text = String(buffer: files.body)
            #expect(text.contains(#""name":"photo-1.jpg""#) && !text.contains(Self.md5(1)) && !text.contains("secret"))
        }
    }

    @Test("malformed tokens and other methods open nothing", arguments: ["", "x", "..%2f", "AAAA", "%00"])
    func malformed(_ token: String) async throws {
        try await with { _, ann, _ in
            let response = try await ann.send(.get, "/s/\(token)")
            #expect(response.status == .notFound || response.status == .badRequest)
        }
    }
}
