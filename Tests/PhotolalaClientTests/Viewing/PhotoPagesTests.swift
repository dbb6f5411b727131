import PhotoCatalog
import PhotolalaClient
import PhotolalaTesting
import Testing

@Suite("Photos in pages") struct PhotoPagesTests {
    @Test("pages have all photos once, newest first, without sidecars and duplicates")
    func pages() async throws {
        try await ViewingFixture.with { fixture in
            for seed in 1...5 { try await fixture.add("\(seed).jpg", seed: seed) }
            try await fixture.add("copy/3.jpg", seed: 3)
            try await fixture.add("2.xmp", seed: 6, type: .xmp)
            var pages: [PhotoPage] = []
            for try await page in fixture.library.photos(pageSize: 2) { pages.append(page) }
            #expect(pages.map { $0.photos.map(\.path) } == [["5.jpg", "4.jpg"], ["3.jpg", "2.jpg"], ["1.jpg"]])
            #expect(pages.map(\.offset) == [0, 2, 4] && pages.allSatisfy { $0.totalCount == 5 })

            let files = fixture.library.photos(listing: .files, order: .path, reversed: false, pageSize: 100)
            var paths: [[String]] = []
            for try await page in files { paths.append(page.photos.map(\.path)) }
            #expect(paths == [["1.jpg", "2.jpg", "2.xmp", "3.jpg", "4.jpg", "5.jpg", "copy/3.jpg"]])
        }
    }

    @Test("a catalog that changes during an iteration neither repeats nor skips photos")
    func changed() async throws {
        try await ViewingFixture.with { fixture in
            for seed in 1...4 { try await fixture.add("\(seed).jpg", seed: seed) }
            let pages = fixture.library.photos(pageSize: 2)
            var iterator = pages.makeAsyncIterator()
            var paths = try await iterator.next()?.photos.map(\.path) ?? []
            // One photo that sorts before the next page, and one that the next page contains.
            try await fixture.add("9.jpg", seed: 9)
            let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
            let catalog = try await catalogs.load()
            let removed = try #require(catalog.catalog.entries.first { $0.path.description == "2.jpg" })
            _ = try await catalogs.commit([.trash(removed.path, removed.md5)], onto: catalog)
            while let page = try await iterator.next() { paths += page.photos.map(\.path) }
            #expect(paths == ["4.jpg", "3.jpg", "2.jpg", "1.jpg"])

            paths = []
            for try await page in pages { paths += page.photos.map(\.path) }
            #expect(paths == ["9.jpg", "4.jpg", "3.jpg", "1.jpg"])
        }
    }

    @Test("an empty library has no page; a page size of 0, an unknown path and a cancellation are errors")
    func refused() async throws {
        try await ViewingFixture.with { fixture in
            var iterator = fixture.library.photos(pageSize: 10).makeAsyncIterator()
            let none = try await iterator.next()
            #expect(none == nil)
            await expect(.invalidRequest) {
                for try await _ in fixture.library.photos(pageSize: 0) {}
            }
            var filter = PhotoFilter()
            filter.paths = ["nowhere"]
            await expect(.notFound) {
                for try await _ in fixture.library.photos(where: filter, pageSize: 10) {}
            }
            let stopped = Task {
                await Gate().wait()
                for try await _ in fixture.library.photos(pageSize: 10) {}
            }
            stopped.cancel()
            await expect(.cancelled) { try await stopped.value }
        }
    }
}
