import PhotolalaAPI
import Testing

@testable import PhotoCatalog

@Suite("The versions of a photo") struct PathVersionsTests {
    private static let (laptop, phone) = (DeviceTag(value: 1), DeviceTag(value: 2))

    private func path(_ text: String) throws -> LibraryPath { try #require(LibraryPath(text)) }

    private func entry(_ text: String, _ content: UInt64, modified: Int64 = 0) throws -> CatalogEntry {
        CatalogEntry(
            path: try path(text), md5: ContentDigest(high: content, low: 0), size: Int64(content),
            modified: Timestamp(seconds: modified, nanoseconds: 0), type: try #require(MediaType("image/jpeg")),
            media: MediaFacts())
    }

    private func sizes(_ entries: CatalogEntries) -> [Int64] { entries.map(\.size) }

    /// Three edits of one photo on the laptop; the phone trashed another photo.
    private func catalog() throws -> Catalog {
        var catalog = Catalog()
        let changes: [[CatalogChange]] = [
            [.add(try entry("2024/a.jpg", 3), replacing: nil), .add(try entry("2024/b.jpg", 9), replacing: nil)],
            [.add(try entry("2024/a.jpg", 1), replacing: ContentDigest(high: 3, low: 0))],
            [.add(try entry("2024/a.jpg", 2), replacing: ContentDigest(high: 1, low: 0))],
        ]
        for change in changes {
            catalog.join(Catalog(change, after: catalog.highestCounter, by: Self.laptop, trashed: 1000))
        }
        let trash = CatalogChange.trash(try path("2024/b.jpg"), ContentDigest(high: 9, low: 0))
        catalog.join(Catalog([trash], after: catalog.highestCounter, by: Self.phone, trashed: 1000))
        return catalog
    }

    @Test("the current version is followed by replaced ones, the last replaced first, with the devices")
    func newestFirst() throws {
        let catalog = try catalog()
        for spelling in ["2024/a.jpg", "./2024/a.jpg", "2024/a.jpg/"] {
            #expect(try sizes(catalog.versions(of: spelling)) == [2, 1, 3])
        }
        let versions = try catalog.versions(of: "2024/a.jpg")
        #expect(versions.indices.map { versions.isReplaced($0) } == [false, true, true])
        #expect(versions.indices.map { versions.trashedBy($0) } == [nil, Self.laptop, Self.laptop])
        let removed = try catalog.versions(of: "2024/b.jpg")
        #expect(removed.trashedBy(0) == Self.phone && removed.addedBy(0) == Self.laptop && !removed.isReplaced(0))
    }

    @Test("a photo that is shown beside another one is a version of the same path, found under both names")
    func conflict() throws {
        var catalog = try catalog()
        let other = CatalogChange.add(try entry("2024/a.jpg", 7, modified: -5), replacing: nil)
        catalog.join(Catalog([other], after: catalog.highestCounter, by: Self.phone, trashed: 0))
        #expect(try sizes(catalog.versions(of: "2024/a.jpg")) == [2, 7, 1, 3])
        let beside = try #require(catalog.entries.first { $0.size == 7 }).path
        #expect(beside.description != "2024/a.jpg")
        let versions = try catalog.versions(of: beside.description)
        #expect(sizes(versions) == [2, 7, 1, 3])
        #expect(versions.map(\.path)[1] == beside)
    }

    @Test("a folder, the root and an unknown path are errors, and purged contents are no versions")
    func refused() throws {
        let catalog = try catalog()
        for folder in ["2024", "2024/", "."] {
            #expect(throws: SelectionError.folderPath(folder)) { try catalog.versions(of: folder) }
        }
        for unknown in ["2024/c.jpg", "", "a.jpg"] {
            #expect(throws: SelectionError.unknownPaths([unknown])) { try catalog.versions(of: unknown) }
        }
        var purged = catalog
        purged.join(catalog.purged([ContentDigest(high: 1, low: 0), ContentDigest(high: 9, low: 0)]))
        #expect(try sizes(purged.versions(of: "2024/a.jpg")) == [2, 3])
        #expect(throws: SelectionError.unknownPaths(["2024/b.jpg"])) { try purged.versions(of: "2024/b.jpg") }
    }

    @Test("the entries of library and trash together are sorted by path")
    func together() throws {
        let catalog = try catalog()
        #expect(
            catalog.entriesWithTrash.map(\.path.description) == [
                "2024/a.jpg", "2024/a.jpg", "2024/a.jpg", "2024/b.jpg",
            ])
        #expect(Set(sizes(catalog.entriesWithTrash)) == [1, 2, 3, 9])
    }
}
