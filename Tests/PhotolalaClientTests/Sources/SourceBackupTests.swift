import Foundation
import NIOCore
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Backups of a source") struct SourceBackupTests {
    private let fixture: SourceFixture
    private let source = FakePhotoSource()

    init() throws { fixture = try SourceFixture() }

    @Test("all resources are stored once, and the next backup reads none of them")
    func journey() async throws {
        for seed in 1...5 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
        let first = try await fixture.backUp(source)
        #expect(first.isComplete && first.progress.uploadedFiles == 5)
        #expect(first.progress.totalBytes == first.progress.finishedBytes)
        #expect(first.progress.uploadedBytes == first.progress.totalBytes && first.progress.totalBytes > 3_000)
        #expect(source.reads.sorted() == (1...5).map { "\($0)/photo" })
        source.clearLog()
        let again = try await fixture.backUp(source)
        #expect(again.isComplete && again.progress.alreadyStoredFiles == 5 && again.progress.uploadedFiles == 0)
        #expect(source.reads.isEmpty)
        #expect(try await fixture.catalog().count == 5)
    }

    @Test("a resource that is too large to hold is streamed, with the date at its end")
    func large() async throws {
        var fixture = fixture
        fixture.settings.bufferedFileLimit = 0
        let movie = MovieBytes.movie(
            MovieBytes.mvhd(3_000_000_000) + MovieBytes.creationDate("2024-05-14T12:02:31+0200"), mediaLength: 6_000_000
        )
        let resource = PhotoResource(id: "video", kind: .video, name: "IMG_1.MOV", modified: SourceFixture.taken)
        source.put(PhotoAsset(id: "1", resources: [resource]), ["video": movie])
        #expect(try await fixture.backUp(source).isComplete)
        #expect(try await fixture.content(at: "IMG_1") == movie)
        #expect(try await fixture.catalog().map(\.taken?.description) == ["2024-05-14T12:02:31+02:00"])
        #expect(source.reads == ["1/video", "1/video"])
    }

    @Test("the date of the asset is used only if its file has none")
    func dates() async throws {
        let exif = PhotoBytes.exif([(0x9003, "2019:12:31 23:30:00"), (0x9011, "-10:00")])
        source.add("1", PhotoBytes.jpeg(1, exif: exif))
        source.add("2", PhotoBytes.jpeg(2))
        source.add("3", PhotoBytes.jpeg(3), created: nil)
        _ = try await fixture.backUp(source)
        let taken = try await fixture.catalog().map { $0.taken?.description }
        #expect(taken == ["2019-12-31T23:30:00-10:00", "2024-05-14T10:02:31Z", nil])
    }

    @Test("the location of the asset is used only if its file has none")
    func locations() async throws {
        let exif = PhotoBytes.positioned(north: [(1, 1), (30, 1), (0, 1)], east: [(2, 1), (0, 1), (0, 1)], "SE")
        for (id, exif) in [("1", exif), ("2", nil)] {
            let resource = PhotoResource(id: "photo", kind: .photo, name: "a.jpg", modified: SourceFixture.taken)
            var asset = PhotoAsset(id: id, created: SourceFixture.taken, resources: [resource])
            asset.location = PhotoLocation(latitude: 35.6895, longitude: 139.6917)
            source.put(asset, ["photo": PhotoBytes.jpeg(Int(id) ?? 0, exif: exif)])
        }
        source.add("3", PhotoBytes.jpeg(3))
        _ = try await fixture.backUp(source)
        let entries = try await fixture.catalog()
        let expected = [PhotoBytes.jpeg(1, exif: exif): "-1.5 2", PhotoBytes.jpeg(2): "35.6895 139.6917"]
        #expect(entries.count == 3)
        for entry in entries {
            let text = expected.first { ContentDigest(of: ByteBuffer(bytes: $0.key)) == entry.md5 }?.value
            #expect(entry.media.location?.text == text)
        }
    }

    @Test("resources that are not photos are left out, and not read again")
    func leftOut() async throws {
        source.add("1", Array("text".utf8), name: "1.txt")
        source.add("2", Array("text".utf8), name: "2.jpg")
        source.add("3", [], name: "3.jpg")
        source.add("4", PhotoBytes.jpeg(4))
        for reads in [4, 0] {
            let summary = try await fixture.backUp(source)
            #expect(summary.isComplete && summary.progress.totalFiles == 1)
            #expect(Set(summary.leftOut.map(\.reason)) == [.noPhotoOrVideo, .unknownFormat, .empty])
            #expect(source.reads.count == reads)
            source.clearLog()
        }
    }

    @Test("an edited photo is stored with its original, as one group")
    func edited() async throws {
        source.edit("1", PhotoBytes.jpeg(1), PhotoBytes.jpeg(2), modified: SourceFixture.taken + 60)
        _ = try await fixture.backUp(source)
        let files = try await fixture.catalog().map { (path: $0.path, type: $0.type) }
        let group = try #require(MediaGroup.groups(of: files).groups.first)
        #expect(files.count == 2 && group.companions.count == 1)
        #expect(!group.primary.description.contains("edited") && group.companions[0].description.contains("edited"))
    }

    @Test("a source without assets that had some is reported")
    func emptied() async throws {
        source.add("1", PhotoBytes.jpeg(1))
        _ = try await fixture.backUp(source)
        source.remove("1")
        let summary = try await fixture.backUp(source)
        #expect(summary.problems == [.withoutAssets])
        #expect(try await fixture.catalog().count == 1)
    }
}
