import ForeignExports
import Foundation
import ImmichAPI
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

@testable import PhotoCatalog
@testable import PhotoSync

@Suite struct ImmichImporterTests {
    private static func photos() -> [FakeImmich.Asset] {
        var photos = (10..<14).map {
            FakeImmich.Asset($0, "IMG_\($0).jpg", bytes: PhotoBytes.jpeg($0, length: $0 * 100))
        }
        (photos[0].latitude, photos[0].longitude, photos[0].caption) = (48.5, 11.5, "Lake")
        (photos[0].isFavorite, photos[1].visibility) = (true, "archive")
        photos[3].name = "IMG_10.jpg"
        photos[3].added = "2025-01-01T00:00:00.000Z"
        return photos
    }

    @Test("photos get date, place, favorite and archive of Immich; contents of albums are stored once")
    func photos() async throws {
        let device = try ImmichDevice(Self.photos(), albums: [FakeImmich.Album(50, "Rome", [10, 11])])
        let summary = try await device.run()
        #expect(summary.backup.isComplete, "\(summary.backup.failures)")
        let entries = try await device.entries()
        #expect(
            entries.keys.sorted() == [
                "I/2023/IMG_10 (00000000000d).jpg", "I/2023/IMG_10.jpg", "I/2023/IMG_10.jpg.xmp", "I/2023/IMG_11.jpg",
                "I/2023/IMG_12.jpg", "I/Albums/Rome/IMG_10.jpg", "I/Albums/Rome/IMG_11.jpg",
            ])
        let first = try #require(entries["I/2023/IMG_10.jpg"])
        #expect(first.md5 == entries["I/Albums/Rome/IMG_10.jpg"]?.md5)
        #expect(first.taken?.description == "2023-07-01T10:00:00Z")
        #expect(first.media.location == GeoLocation(latitude: 48.5, longitude: 11.5))
        #expect(first.md5 == ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(10, length: 1000))))
        #expect(entries["I/2023/IMG_10.jpg.xmp"]?.type == .xmp)
        #expect(summary.backup.progress.uploadedFiles == 5)
        #expect(device.downloads == 4, "the photos of the album are not downloaded again")
        #expect(try await device.catalogs.favorites().contents == [first.md5])
        let archived = try #require(entries["I/2023/IMG_11.jpg"])
        #expect(try await device.catalogs.hidden().contents == [archived.md5])
    }

    @Test("a dry run changes nothing and downloads no photo of a length of its own")
    func dryRun() async throws {
        let device = try ImmichDevice(Self.photos(), albums: [FakeImmich.Album(50, "Rome", [10, 11])])
        let planned = try await device.run(isDryRun: true)
        #expect(planned.backup.progress.uploadedFiles == 5)
        #expect(planned.findings.albums == ["I/Albums/Rome": 2])
        #expect(try await device.entries().isEmpty && device.downloads == 0)
        #expect(!FileManager.default.fileExists(atPath: device.folder.subpath("state")))
    }

    @Test("a second run downloads only new and changed photos, and keeps names and the photos that Immich lost")
    func again() async throws {
        let device = try ImmichDevice(Self.photos())
        _ = try await device.run()
        let (before, downloads) = (try await device.entries(), device.downloads)
        #expect(try await device.run().backup.progress.uploadedFiles == 0 && device.downloads == downloads)
        device.immich.state.withLock { state in
            state.assets.remove(at: 0)
            state.assets.append(FakeImmich.Asset(14, "IMG_11.jpg"))
            // The same length and date, with other bytes.
            state.assets[1].bytes = PhotoBytes.jpeg(99, length: 1200)
        }
        let summary = try await device.run()
        #expect(summary.backup.progress.uploadedFiles == 2, "\(summary.backup.failures)")
        let after = try await device.entries()
        #expect(after["I/2023/IMG_10.jpg"]?.md5 == before["I/2023/IMG_10.jpg"]?.md5)
        #expect(after["I/2023/IMG_11.jpg"]?.md5 == before["I/2023/IMG_11.jpg"]?.md5)
        #expect(after["I/2023/IMG_11 (00000000000e).jpg"] != nil)
        #expect(try await device.run(state: "other").backup.progress.uploadedFiles == 0)
    }

    @Test("a photo whose namesake is deleted in Immich does not replace it, even if the names are forgotten")
    func namesake() async throws {
        let device = try ImmichDevice(Self.photos())
        _ = try await device.run()
        let before = try await device.entries()
        device.immich.state.withLock { state in state.assets.removeAll { $0.name == "IMG_10.jpg" && $0.caption != "" } }
        let summary = try await device.run()
        #expect(summary.backup.isComplete && summary.backup.progress.uploadedFiles == 0)
        #expect(try await device.entries().mapValues(\.md5) == before.mapValues(\.md5))
        let names = try FileManager.default.contentsOfDirectory(atPath: device.folder.subpath("state"))
        let places = try #require(names.first { $0.hasSuffix(".places") })
        try device.folder.write("state/\(places)", Array("{".utf8))
        _ = try await device.run()
        let after = try await device.entries()
        for (path, entry) in before { #expect(after[path]?.md5 == entry.md5, "\(path)") }
        #expect(try await device.catalogs.load().catalog.trash.isEmpty)
    }

    @Test("an import that was cut off uploads only what is missing")
    func resume() async throws {
        let device = try ImmichDevice((10..<30).map { FakeImmich.Asset($0, "\($0).jpg") })
        let task = Task {
            try await device.run { event in
                if case .finished(_, _, let progress) = event, progress.finishedFiles == 5 {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        let first = try await task.value.backup
        #expect(first.ending == .cancelled)
        let second = try await device.run().backup
        #expect(second.isComplete)
        #expect(first.progress.uploadedFiles + second.progress.uploadedFiles == 20)
        #expect(try await device.entries().count == 20)
    }

    @Test("a photo that differs from Immich's checksum, is missing or may not be read fails alone")
    func failures() async throws {
        var photos = (10..<14).map { FakeImmich.Asset($0, "\($0).jpg") }
        photos[1].replaced = ["checksum": "AAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        let device = try ImmichDevice(photos)
        let denied = TransportResponse.text("{}", status: 403, type: "application/json")
        let missing = TransportResponse.text("{}", status: 404, type: "application/json")
        device.immich.state.withLock { state in
            state.next["/assets/\(photos[2].id)/original"] = [.success(missing)]
            state.next["/assets/\(photos[3].id)/original"] = [.success(denied)]
        }
        let summary = try await device.run()
        #expect(try await device.entries().keys.sorted() == ["I/2023/10.jpg"])
        let failures = summary.backup.failures.map { "\($0.path): \($0.failure)" }.sorted()
        #expect(failures.count == 3, "\(failures)")
        #expect(failures.contains { $0.hasSuffix("\(BackupFailure.source(.server(.damaged)))") }, "\(failures)")
        #expect(try await device.run().backup.failures.count == 1)
    }

    @Test("an empty file of unknown length is left out only until Immich knows its length")
    func unknownLength() async throws {
        var photo = FakeImmich.Asset(10, "a.jpg")
        (photo.libraryID, photo.hasMetadata) = (FakeImmich.id(99), false)
        let device = try ImmichDevice([photo])
        device.immich.state.withLock { $0.next["/assets/\(photo.id)/original"] = [.success(.pieces([]))] }
        #expect(try await device.run().backup.leftOut.map(\.reason) == [.empty])
        device.immich.state.withLock { $0.assets[0].hasMetadata = true }
        for _ in 1...2 {
            let summary = try await device.run().backup
            #expect(summary.isComplete && summary.leftOut.isEmpty)
        }
        #expect(try await device.entries().keys.sorted() == ["I/2023/a.jpg"])
    }
}
