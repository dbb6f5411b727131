import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@Suite("The library of a session") struct LibraryTests {
    /// Returns bytes that start like a JPEG file.
    private static func photo(_ name: String) -> Data { Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(name.utf8) }

    /// Records the purposes for which the store was opened.
    private final class Uses: Sendable {
        let all = Mutex<[StoreUse]>([])
    }

    private static func withLibrary(
        uses: Uses = Uses(), _ test: (ClientFixture, PhotolalaLibrary, URL) async throws -> Void
    ) async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            let clock = fixture.clock
            let store = MemoryObjectStore { clock.now }
            let photos = fixture.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(
                at: photos.appendingPathComponent("2024"), withIntermediateDirectories: true
            )
            try photo("one").write(to: photos.appendingPathComponent("one.jpg"))
            try photo("two").write(to: photos.appendingPathComponent("2024/two.jpg"))
            try Data("no photo".utf8).write(to: photos.appendingPathComponent("notes.txt"))
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now },
                sendReserved: noReservedUploads
            ) { _, use throws(PhotolalaError) in
                uses.all.withLock { $0.append(use) }
                return store
            }
            try await test(fixture, library, photos)
        }
    }

    @Test("a backup, its repetition, the list, the status and a restore agree")
    func journey() async throws {
        try await Self.withLibrary { fixture, library, photos in
            var progress = TransferProgress()
            let backup = library.backUp(photos)
            for await newest in backup { progress = newest }
            let first = try await backup.report
            #expect(first.isComplete)
            #expect([first.foundFiles, first.uploadedFiles, first.libraryFiles].elementsEqual([2, 2, 2]))
            #expect(first.leftOut.map { "\($0.path): \($0.reason)" } == ["notes.txt: not a photo or video"])
            #expect(progress.finishedFiles == 2)
            #expect(progress.finishedBytes == progress.totalBytes)
            #expect(progress.movedBytes == first.uploadedBytes)

            let again = try await library.backUp(photos).report
            #expect([again.uploadedFiles, again.alreadyStoredFiles].elementsEqual([0, 2]))
            #expect(try await library.photos().map(\.path) == ["2024/two.jpg", "one.jpg"])

            try Self.photo("three").write(to: photos.appendingPathComponent("three.jpg"))
            let status = try await library.status(of: photos).report
            #expect([status.storedFiles, status.localFiles].elementsEqual([2, 3]))
            #expect([status.backedUpFiles, status.waitingFiles].elementsEqual([2, 1]))

            let target = fixture.folder.appendingPathComponent("restored")
            let restored = try await library.restore(to: target).report
            #expect([restored.wantedFiles, restored.restoredFiles, restored.failures.count].elementsEqual([2, 2, 0]))
            #expect(try Data(contentsOf: target.appendingPathComponent("2024/two.jpg")) == Self.photo("two"))
        }
    }

    @Test("without a tool, photos without a thumbnail are counted once, and unchanged ones if all are wanted")
    func withoutTool() async throws {
        try await Self.withLibrary { _, library, photos in
            let choices: [(ThumbnailChoice, Int?)] = [
                (.ofNewPhotos, 2), (.ofNewPhotos, nil), (.ofAllPhotos, 2), (.none, nil),
            ]
            for (choice, expected) in choices {
                let report = try await library.backUp(photos, thumbnails: choice).report
                #expect(report.isComplete && report.photosWithoutTool == expected)
            }
        }
    }

    @Test("photos and status are read offline as of the last list, and never before it")
    func offline() async throws {
        let uses = Uses()
        try await Self.withLibrary(uses: uses) { _, library, photos in
            let before = await #expect(throws: PhotolalaError.self) { _ = try await library.photos(offline: true) }
            #expect(before?.code == .noCatalogCopy)
            let noDate = try await library.catalogCopyDate()
            #expect(noDate == nil)
            _ = try await library.backUp(photos).report
            let online = try await library.photos()
            let opened = uses.all.withLock(\.count)
            let offline = try await library.photos(offline: true)
            #expect(offline.map(\.path) == online.map(\.path))
            let status = try await library.status(of: photos, offline: true).report
            #expect(status.storedFiles == 2 && status.backedUpFiles == 2)
            #expect(uses.all.withLock(\.count) == opened, "no store was opened")
            let date = try await library.catalogCopyDate()
            #expect(date != nil)
        }
    }

    @Test("only a backup opens the store for backing up")
    func uses() async throws {
        let uses = Uses()
        try await Self.withLibrary(uses: uses) { fixture, library, photos in
            _ = try await library.backUp(photos).report
            #expect(uses.all.withLock { $0 } == [.backingUp])
            _ = try await library.status(of: photos).report
            _ = try await library.photos()
            _ = try await library.restore(to: fixture.folder.appendingPathComponent("restored")).report
            _ = try await library.repairCatalog()
            #expect(uses.all.withLock { $0.dropFirst() } == [.reading, .reading, .reading, .reading])
        }
    }

    @Test("dates without a time zone get the given one once, and filters use the local time")
    func dates() async throws {
        try await Self.withLibrary { _, library, photos in
            // A TIFF structure that contains only DateTime.
            let tiff: [UInt8] =
                Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x32, 0, 2, 0, 0, 0, 20, 0, 0, 0, 26, 0, 0, 0, 0]
                + Array("2019:12:31 23:30:00\0".utf8)
            let exif = Array("Exif\0\0".utf8) + tiff
            try Data([0xff, 0xd8, 0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif + [0xff, 0xda, 0, 2, 0xff, 0xd9])
                .write(to: photos.appendingPathComponent("dated.jpg"))
            _ = try await library.backUp(photos).report
            var filter = PhotoFilter()
            filter.paths = ["dated.jpg"]
            // The library in these tests has no time zone.
            #expect(try await library.photos(where: filter).map(\.taken) == ["2019-12-31T23:30:00Z"])
            let zone = try #require(TimeZone(secondsFromGMT: -10 * 3600))
            let dry = try await library.refreshDates(where: filter, timeZone: zone, isDryRun: true).report
            #expect(dry.isDryRun && dry.wantedFiles == 1 && dry.datedFiles == 1)
            let report = try await library.refreshDates(readingCopiesIn: [photos], timeZone: zone).report
            #expect(report.wantedFiles == 3 && report.datedFiles == 1 && report.undatedFiles == 2)
            #expect(report.failures.isEmpty && report.stopped == nil)
            #expect(try await library.photos(where: filter).map(\.taken) == ["2019-12-31T23:30:00-10:00"])
            // In UTC this is in 2020, but not in local time.
            filter.before = try Date("2020-01-01T00:00:00Z", strategy: .iso8601)
            #expect(try await library.photos(where: filter).count == 1)
            filter.from = filter.before
            filter.before = nil
            #expect(try await library.photos(where: filter).isEmpty)
            #expect(try await library.refreshDates(where: filter, timeZone: zone).report.wantedFiles == 0)
            await expect(.folderUnusable) {
                _ = try await library.refreshDates(readingCopiesIn: [photos.appendingPathComponent("nowhere")]).report
            }
        }
    }

    @Test("a missing folder and a missing sign-in are errors")
    func refused() async throws {
        try await Self.withLibrary { fixture, library, photos in
            await expect(.folderUnusable) {
                _ = try await library.backUp(photos.appendingPathComponent("nowhere")).report
            }
        }
        try await ClientFixture.with { fixture in
            let clock = fixture.clock
            let library = PhotolalaLibrary(
                session: try fixture.session(), stateFolder: fixture.folder.path, now: { clock.now },
                sendReserved: noReservedUploads
            ) { _, _ throws(PhotolalaError) in MemoryObjectStore { clock.now } }
            await expect(.notSignedIn) { _ = try await library.photos() }
        }
    }
}
