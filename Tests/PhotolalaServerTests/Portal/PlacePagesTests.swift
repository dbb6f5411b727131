import HummingbirdTesting
import PhotolalaTesting
import Testing

/// Places of photos in the portal.
@Suite struct PlacePagesTests {
    private static let columns =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude"
    private static let rows = [("a.jpg", "48.15,11.58"), ("b.jpg", "0.5,-30"), ("c.jpg", ",")]

    private static func md5(_ index: Int) -> String { String(repeating: "\(index + 1)", count: 32) }

    /// - Parameter size: The width and height of the photos.
    private func with(
        size: String = ",", _ test: @Sendable (inout PortalVisitor) async throws -> Void
    ) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let rows = Self.rows.enumerated().map {
                "\($1.0),\(Self.md5($0)),5,2024-01-02T03:04:05Z,,image/jpeg,\(size),,1@0000000a,,,\($1.1)\n"
            }
            try await LibraryPagesTests.putCatalog(
                "\(Self.columns)\n\(rows.joined())",
                try await LibraryPagesTests.user(service), service)
            try await test(&bob)
        }
    }

    @Test("the tile of a panorama has the address of a larger picture, and that of another photo has none")
    func tiles() async throws {
        for (size, isPanorama) in [("4000,400", true), ("400,4000", true), ("4000,3000", false), (",", false)] {
            try await with(size: size) { bob in
                let page = try await bob.page("/library/places")
                #expect(page.contains(/<img src="[^"]+" data-sharper="[^"]+\/photos\//) == isPanorama, "\(size)")
            }
        }
    }

    @Test(
        "a search finds the photos of a place",
        arguments: [("munich", [1]), ("M%C3%BCnchen+2024", [1]), ("Alemania+mp4", []), ("Tokyo", [])])
    func searches(_ words: String, _ expected: [Int]) async throws {
        try await with { bob in
            let page = try await bob.page("/library?q=\(words)")
            #expect(PortalVisitor.shown(page) == expected)
        }
    }

    @Test(
        "the page of a photo names its place above the coordinates",
        arguments: [
            (0, "><bdi>Munich, Bavaria, Germany</bdi></a><br><bdi>", "48.15000, 11.58000"),
            (1, #"data-longitude="-30.0"><bdi>"#, "0.50000, -30.00000"),
        ])
    func names(_ index: Int, _ place: String, _ coordinates: String) async throws {
        try await with { bob in
            let page = try await bob.page("/library/photo?id=\(Self.md5(index))")
            #expect(page.contains("\(place)\(coordinates)</bdi><br><a href="))
        }
    }

    @Test("the page of places links to the photos of each, in the language of the page")
    func places() async throws {
        try await with { bob in
            let page = try await bob.page("/library/places")
            #expect(page.contains("<bdi>Munich</bdi> <small>Bavaria, Germany</small> <small>1 item</small>"))
            let dot =
                #/<a href="(\/library\?place=[0-9_]+)" aria-label="Munich, Bavaria, Germany: 1" tabindex="0" data-total="1">/#
            let path = String(try #require(page.firstMatch(of: dot)).1)
            let found = try await bob.page(path)
            #expect(PortalVisitor.shown(found) == [1] && found.contains("<bdi>Munich, Bavaria, Germany</bdi>"))
            #expect(found.contains(#"href="/library/places" title="Places" aria-current="page""#))
            let photo = try await bob.page("/library/photo?id=\(Self.md5(0))")
            #expect(photo.contains(#"<a href="\#(path)"><bdi>Munich, Bavaria, Germany</bdi></a>"#))
            // The kinds and the photos of the list stay at the place.
            let place = path.dropFirst("/library?".count)
            #expect(found.contains("kind=photo&amp;\(place)") && found.contains("list=photos&amp;\(place)"))
            #expect(PortalVisitor.shown(try await bob.page("\(path)&kind=video")) == [])
        }
    }

    @Test(
        "photos without a location, and those far from any city, are linked by their number",
        arguments: [
            ("none", "1 item without a location", "No location", 3),
            ("remote", "1 item far from any city", "Far from any city", 2),
        ])
    func elsewhere(_ place: String, _ text: String, _ title: String, _ photo: Int) async throws {
        try await with { bob in
            let page = try await bob.page("/library/places")
            #expect(page.contains(#"<a href="/library?place=\#(place)">\#(text)</a>"#))
            let found = try await bob.page("/library?place=\(place)")
            #expect(PortalVisitor.shown(found) == [photo] && found.contains("<h1><bdi>\(title)</bdi></h1>"))
            #expect(found.contains(#"href="/library/places" title="Places" aria-current="page""#))
            #expect(found.contains("kind=photo&amp;place=\(place)"))
        }
    }

    @Test("a malformed place is not found, and one without a city has no photos")
    func unknownPlaces() async throws {
        try await with { bob in
            #expect(try await bob.send(.get, "/library?place=munich").status == .notFound)
            let sea = try await bob.page("/library?place=500_-30000")
            #expect(PortalVisitor.shown(sea) == [] && sea.contains("<bdi>Places</bdi>"))
        }
    }

    @Test("without photos at a place, the page says so")
    func noPlaces() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page("/library/places")
            #expect(page.contains("No places yet") && !page.contains("<svg id=") && !page.contains("location:"))
        }
    }

    @Test("the page of a photo without a location names no place")
    func unknown() async throws {
        try await with { bob in
            let page = try await bob.page("/library/photo?id=\(Self.md5(2))")
            #expect(!page.contains("data-latitude") && !page.contains("openstreetmap"))
        }
    }
}
