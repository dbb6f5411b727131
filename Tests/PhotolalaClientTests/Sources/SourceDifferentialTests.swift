import Foundation
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// One library as a folder and as a source. Both must end in the same catalog, with the same objects and reports.
@Suite("A library as a folder and as a source") struct SourceDifferentialTests {
    private struct File {
        let path: String
        let bytes: [UInt8]
    }

    /// Photos with and without dates, offsets of neighbours, sidecars, Live Photos, equal contents and other files.
    private static let files: [File] = {
        let camera: [(tag: Int, text: String)] = [(0x010f, "Canon"), (0x0110, "R5")]
        let exif = { (fields: [(Int, String)]) in
            PhotoBytes.exif(fields.map { (tag: $0.0, text: $0.1) }, first: camera)
        }
        let movie = MovieBytes.movie(
            MovieBytes.mvhd(3_000_000_000) + MovieBytes.creationDate("2024-05-14T12:02:31+0200"))
        let xmp =
            "<x:xmpmeta xmlns:x='adobe:ns:meta/' xmlns:exif='http://ns.adobe.com/exif/1.0/' "
            + "exif:DateTimeOriginal='2020-01-02T03:04:05+01:00'/>"
        return [
            File(path: "2024/a.jpg", bytes: PhotoBytes.jpeg(1, exif: exif([(0x9003, "2024:05:14 12:02:31")]))),
            File(
                path: "2024/b.jpg",
                bytes: PhotoBytes.jpeg(2, exif: exif([(0x9003, "2024:05:14 12:02:33"), (0x9011, "+02:00")]))),
            File(path: "2024/c.jpg", bytes: PhotoBytes.jpeg(3)), File(path: "2024/c.xmp", bytes: Array(xmp.utf8)),
            File(path: "live/IMG_1.JPG", bytes: PhotoBytes.jpeg(4)), File(path: "live/IMG_1.MOV", bytes: movie),
            File(path: "live/IMG_E1.JPG", bytes: PhotoBytes.jpeg(5)),
            File(path: "live/IMG_1.AAE", bytes: Array("<plist/>".utf8)),
            File(path: "live/stray.aae", bytes: Array("<plist/>".utf8)),
            File(path: "live/text.json", bytes: Array("text".utf8)),
            File(path: "top.jpg", bytes: PhotoBytes.jpeg(6)), File(path: "copy/top.jpg", bytes: PhotoBytes.jpeg(6)),
            File(path: "copy/TOP.jpg", bytes: PhotoBytes.jpeg(7)), File(path: "note.txt", bytes: Array("text".utf8)),
            File(path: "broken.jpg", bytes: Array("text".utf8)), File(path: "empty.jpg", bytes: []),
            File(path: "large.jpg", bytes: PhotoBytes.jpeg(8, length: 40_000)),
        ]
    }()

    private static func source(withSizes: Bool) -> FakePhotoSource {
        let source = FakePhotoSource()
        for file in files {
            let resource = PhotoResource(
                id: "file", kind: .photo, name: "other name", modified: SourceFixture.taken,
                size: withSizes ? Int64(file.bytes.count) : nil, path: file.path)
            source.put(PhotoAsset(id: "asset \(file.path)", resources: [resource]), ["file": file.bytes])
        }
        return source
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for file in files { try folder.write(file.path, file.bytes, modified: SourceFixture.taken) }
        return folder
    }

    @Test("both end in the same catalog, at the first backup and the next one", arguments: [true, false], [0, 10_000])
    func sameCatalog(withSizes: Bool, bufferedFileLimit: Int) async throws {
        var (one, other) = (try SourceFixture(), try SourceFixture())
        one.settings.bufferedFileLimit = bufferedFileLimit
        other.settings.bufferedFileLimit = bufferedFileLimit
        let (folder, source) = (try Self.folder(), Self.source(withSizes: withSizes))
        for _ in 1...2 {
            let (expected, found) = (try await one.backUp(folder: folder), try await other.backUp(source))
            #expect(expected.isComplete && found.isComplete)
            #expect(found.progress == expected.progress)
            #expect(found.clashes == expected.clashes && found.leftOut == expected.leftOut)
            let catalog = try await one.catalog()
            #expect(catalog.count == 12)
            #expect(try await other.catalog() == catalog)
            #expect(try await other.photoKeys() == one.photoKeys())
        }
    }

    @Test("a folder as a source ends in the same catalog as the folder")
    func folderSource() async throws {
        let (one, other) = (try SourceFixture(), try SourceFixture())
        let folder = try Self.folder()
        let expected = try await one.backUp(folder: folder)
        let found = try await other.backUp(FolderSource(URL(fileURLWithPath: folder.path)))
        #expect(found.progress == expected.progress)
        #expect(try await other.catalog() == one.catalog())
    }
}

extension SourceFixture {
    fileprivate func photoKeys() async throws -> [String] {
        try await store.memory.list(prefix: "photos/", after: nil, limit: 100).objects.map(\.key.description)
    }
}
