import NIOCore
import Testing

@testable import PhotoCatalog

/// Searches for the cameras of photos.
@Suite struct CameraSearchTests {
    private static let vocabulary = SearchVocabulary(months: ["may": 5], kinds: [:], connectives: [])

    /// Photos of three cameras and of none; one path has the name of a camera.
    private static func entries() throws -> CatalogEntries {
        let photos = [
            ("a.jpg", "Apple iPhone 15 Pro"), ("b.jpg", "CANON EOS R5"), ("c.jpg", "Apple iPhone 15"),
            ("d.jpg", "Apple iPhone 15"), ("iphone/e.jpg", ""),
        ]
        let rows = photos.enumerated().map { index, photo in
            let md5 = String(repeating: "\(index)", count: 32)
            return "\(photo.0),\(md5),5,2024-01-02T03:04:05Z,,image/jpeg,,,,1@0000000a,,,,,,,\(photo.1)\n"
        }
        let header = (CatalogCSV.columns + CatalogCSV.allOptionalColumns.flatMap(\.self)).joined(separator: ",")
        return try CatalogCSV.decode(ByteBuffer(string: "\(header)\n\(rows.joined())")).rows.entries
    }

    private static func paths(_ selection: PhotoSelection) throws -> [String] {
        try entries().selected(selection).map(\.path.description)
    }

    @Test(
        "a word finds photos by a part of their camera's name, in any case",
        arguments: [
            ("iphone", ["a.jpg", "c.jpg", "d.jpg", "iphone/e.jpg"]), ("canon", ["b.jpg"]), ("Canon eos", ["b.jpg"]),
            ("apple 15 pro", ["a.jpg"]), ("iPhone r5", []), ("nikon", []), ("canon 2024-01", ["b.jpg"]),
        ])
    func words(_ text: String, _ paths: [String]) throws {
        var selection = PhotoSelection()
        selection.words = SearchWord.words(of: text, Self.vocabulary)
        #expect(try Self.paths(selection) == paths)
        selection.words = text.split(separator: " ").map { SearchWord(path: String($0)) }
        #expect(try Self.paths(selection) == (text.contains("2024") ? [] : paths))
    }

    @Test("a pattern with wildcards finds no cameras")
    func patterns() throws {
        var selection = PhotoSelection()
        selection.words = [SearchWord(path: "*iphone*")]
        #expect(try Self.paths(selection) == ["iphone/e.jpg"])
    }

    @Test(
        "a camera selects the photos with exactly its name",
        arguments: [
            ("Apple iPhone 15", ["c.jpg", "d.jpg"]), ("Apple iPhone 15 Pro", ["a.jpg"]), ("Apple", []),
            ("canon eos r5", []), ("Nikon D850", []),
        ])
    func camera(_ name: String, _ paths: [String]) throws {
        let camera = try #require(CameraName(name))
        let timeline = Timeline(try Self.entries())
        let photos = timeline.limited(to: camera)
        #expect(photos.photos.map(\.path.description).sorted() == paths)
        #expect(photos.months.map(\.photos.count) == (paths.isEmpty ? [] : [paths.count]))
    }

    @Test("the most used cameras come first, those with as many photos by name")
    func mostUsed() throws {
        let all = ["Apple iPhone 15", "Apple iPhone 15 Pro", "CANON EOS R5"]
        #expect(try Self.entries().mostUsedCameras(8).map(\.description) == all)
        #expect(try Self.entries().mostUsedCameras(1).map(\.description) == ["Apple iPhone 15"])
        var others = PhotoSelection()
        others.words = [SearchWord(path: "e.jpg")]
        #expect(try Self.entries().selected(others).mostUsedCameras(8) == [])
    }
}
