import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Facts that all paths of a content share.
@Suite struct ContentFactTests {
    private static let color = PictureColor(red: 1, green: 2, blue: 3)

    /// Returns a photo whose digest has the low bits of others.
    private func photo(_ number: UInt64, copy: Int = 0, _ facts: MediaFacts = MediaFacts()) throws -> CatalogEntry {
        CatalogEntry(
            path: try #require(LibraryPath("\(number)-\(copy).jpg")),
            md5: ContentDigest(high: number, low: number % 7), size: 1,
            modified: Timestamp(seconds: 0, nanoseconds: 0), type: .jpeg, media: facts)
    }

    @Test(arguments: [1, 3, 40, 500] as [UInt64])
    func `contents whose digests are similar keep their own facts`(wanted: UInt64) throws {
        let entries = try (0..<1000).flatMap { (number: UInt64) in
            [try photo(number), try photo(number, copy: 1)]
        }
        let catalog = Catalog(entries.map { .add($0, replacing: nil) }, after: 0, by: .none, trashed: 0)
        var facts: [ContentDigest: MediaFacts] = [:]
        for number in stride(from: 0, to: 1000, by: Int(1000 / wanted)) {
            facts[try photo(UInt64(number)).md5] = MediaFacts(color: Self.color)
        }
        let described = catalog.descriptions(facts).compactMap(\.describedEntry)
        let expected = entries.filter { facts[$0.md5] != nil }.map(\.path).sorted()
        #expect(described.map(\.path).sorted() == expected)
        #expect(described.allSatisfy { $0.media.color == Self.color })
    }

    @Test func `a new path and the paths of the library give each other what one of them lacks`() throws {
        let known = MediaFacts(color: Self.color)
        let catalog = Catalog([.add(try photo(1, known), replacing: nil)], after: 0, by: .none, trashed: 0)
        let camera = MediaFacts(camera: CameraName("A"))
        var facts: [ContentDigest: MediaFacts] = [:]
        let changes = catalog.sharingContentFacts(
            [.add(try photo(1, copy: 1, camera), replacing: nil), .add(try photo(2), replacing: nil)], &facts)
        let described = changes.compactMap(\.describedEntry)
        #expect(described.map(\.path.description) == ["1-1.jpg", "2-0.jpg", "1-0.jpg"])
        #expect(described.map(\.media.color) == [Self.color, nil, nil])
        #expect(described.map(\.media.camera) == [CameraName("A"), nil, CameraName("A")])
        #expect(facts[try photo(1).md5]?.color == Self.color)
    }
}
