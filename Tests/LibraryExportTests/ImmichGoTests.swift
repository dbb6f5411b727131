import Foundation
import LibraryExport
import PhotolalaTesting
import Testing

/// An export as immich-go imports it as a Google Takeout.
@Suite struct ImmichGoTests {
    /// A JSON file as immich-go reads it (`adapters/googlePhotos/json.go`).
    private struct Description: Decodable {
        struct Moment: Decodable { let timestamp: String }

        let title: String
        let photoTakenTime: Moment
        let trashed: Bool?
        /// Only albums have it.
        let date: Moment?
    }

    @Test("the rules find the descriptions that Google Takeout writes")
    func rules() {
        let original = "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_"
        let long = "Screenshot_20210622_a_long_name_of_an_application.jpg"
        let cases: [(files: [String], expected: [String: String])] = [
            (["a.jpg", "a.jpg.json"], ["a.jpg": "a.jpg.json"]),
            (
                ["a.JPG", "a(2).JPG", "a.JPG.json", "a.JPG(2).json"],
                ["a.JPG": "a.JPG.json", "a(2).JPG": "a.JPG(2).json"]
            ),
            (["a.JPG.json", "a(1).JPG"], [:]),
            (
                ["a.PORTRAIT.jpg.json", "a.PORTRAIT.jpg", "a.PORTRAIT-modifié.jpg"],
                ["a.PORTRAIT.jpg": "a.PORTRAIT.jpg.json", "a.PORTRAIT-modifié.jpg": "a.PORTRAIT.jpg.json"]
            ),
            (
                ["\(original).json", "\(original)P.jpg", "\(original)P(1).jpg"],
                ["\(original)P.jpg": "\(original).json", "\(original)P(1).jpg": "\(original).json"]
            ),
            ([long, "\(long.prefix(46)).json"], [long: "\(long.prefix(46)).json"]),
            (["a.jpg", "b.jpg.json"], [:]),
        ]
        for (files, expected) in cases {
            #expect(ImmichGoRules.descriptions(ofFilesNamed: files) == expected, "\(files)")
        }
    }

    @Test("immich-go gives each photo of an export its own description, whatever the names beside it")
    func export() async throws {
        var fixture = try ExportFixture()
        let long = "a name of more than forty-six characters, as cameras do not write it, but people do"
        let names = [
            "2024/IMG_1.jpg", "2024/IMG_1.HEIC", "2024/IMG_1.MOV", "2024/IMG_1(1).jpg", "2024/IMG_1(1).jpg(2).jpg",
            "2024/IMG_12.jpg", "2024/IMG_1-edited.jpg", "2024/IMG_1.PORTRAIT.jpg", "2024/IMG_1.jpg.png",
            "2024/Zürich (12).mov", "2024/.hidden.jpg", "2024/no ending", "\(long).jpg", "\(long)2.jpg",
            "\(long)(1).jpg",
            "original_1d4caa6f_P.jpg", "original_1d4caa6f_P(1).jpg", "json.jpg", "back\\slash.jpg",
        ]
        for name in names { try await fixture.add(name, Data(name.utf8)) }
        try await fixture.add("IMG_1.jpg", Data("trash".utf8), isInTrash: true)
        try await fixture.add("IMG_1(1).jpg", Data("trash 1".utf8), isInTrash: true)
        let items = try await fixture.plan().items
        var folders: [String: [String]] = [:]
        for item in (0..<items.count).map({ items[$0] }) {
            let sidecar = try #require(item.sidecar)
            for path in [item.name, sidecar.path] {
                let (folder, name) = Self.split(path)
                folders[folder, default: []].append(name)
            }
            let read = try JSONDecoder().decode(Description.self, from: Data(sidecar.bytes.readableBytesView))
            #expect(read.title == item.entry.path.name && read.date == nil && (read.trashed ?? false) == item.isInTrash)
            #expect(read.photoTakenTime.timestamp == "1714972089")
        }
        #expect(items.count == names.count + 2 && folders.count >= 4)
        let found = folders.mapValues { ImmichGoRules.descriptions(ofFilesNamed: $0) }
        for item in (0..<items.count).map({ items[$0] }) {
            let (folder, name) = Self.split(item.name)
            #expect(found[folder]?[name] == "\(name).json", "\(item.name)")
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let parts = path.split(separator: "/")
        return (parts.dropLast().joined(separator: "/"), String(parts.last ?? ""))
    }
}
