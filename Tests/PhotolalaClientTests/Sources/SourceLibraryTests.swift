import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

@Suite("Sources of a session's library") struct SourceLibraryTests {
    private static func withLibrary(_ test: (PhotolalaLibrary, ClientFixture) async throws -> Void) async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let (session, clock) = (try await fixture.signedIn(), fixture.clock)
            let store = MemoryObjectStore { clock.now }
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now }, sendReserved: noReservedUploads
            ) { _, _ throws(PhotolalaError) in store }
            try await test(library, fixture)
        }
    }

    @Test("the example of the article backs up its photo")
    func example() async throws {
        try await Self.withLibrary { library, _ in
            let (report, waiting) = try await SourceExample().backUp(
                Data(PhotoBytes.jpeg(1)), taken: SourceFixture.taken, to: library
            ) { _ in }
            #expect(report.isComplete && report.uploadedFiles == 1 && report.folder == "camera" && waiting == 0)
            let paths = try await library.photos().map(\.path)
            #expect(paths == ["2024/05/IMG_0001 (c4ca4238a0b9).JPG"])
        }
    }

    @Test("all lines of the article's code are in the example, in order")
    func article() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = (1...3).reduce(tests) { folder, _ in folder.deletingLastPathComponent() }
        let article = root.appendingPathComponent(
            "Sources/PhotolalaClient/Documentation.docc/Articles/BackingUpSources.md")
        let blocks = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.flatMap { lines($0.element.dropFirst("swift".count)) }
        var rest = lines(try String(contentsOf: tests.appendingPathComponent("SourceExample.swift"), encoding: .utf8))[
            ...]
        #expect(blocks.count > 10)
        for line in blocks {
            let place = try #require(rest.firstIndex(of: line), "\(line)")
            rest = rest[(place + 1)...]
        }
    }

    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("a failure has a reason for people, and its photo waits")
    func report() async throws {
        try await Self.withLibrary { library, _ in
            let source = FakePhotoSource()
            for seed in 1...3 { source.add("\(seed)", PhotoBytes.jpeg(seed, length: 5_000)) }
            source.fail("2", with: .notDownloaded)
            let report = try await library.backUp(source).report
            #expect(report.failures.map(\.code) == [.assetNotDownloaded])
            let status = try await library.status(of: source).report
            #expect(status.waitingFiles == 1)
        }
    }

    @Test("progress never decreases, and ends with all resources, also those that are no photos")
    func progress() async throws {
        try await Self.withLibrary { library, _ in
            let source = FakePhotoSource()
            for seed in 1...3 { source.add("\(seed)", PhotoBytes.jpeg(seed, length: 5_000)) }
            source.add("text", Array("text".utf8))
            let backup = library.backUp(source)
            var last = TransferProgress()
            for await progress in backup {
                #expect(!progress.isSuperseded(by: last))
                last = progress
            }
            #expect(last.totalFiles == 4 && last.finishedFiles == 4 && last.totalBytes == 15_006)
            #expect(last.finishedBytes == last.totalBytes && last.downloading.isEmpty)
            let report = try await backup.report
            #expect(report.foundFiles == 3)
        }
    }

    @Test("a sync moves removed assets to the trash if the app wants it, and not those of a folder")
    func removals() async throws {
        try await Self.withLibrary { library, fixture in
            let source = FakePhotoSource()
            for seed in 1...3 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
            var report = try await library.syncUp(source, removals: .moveToTrash).report
            #expect(report.isComplete && report.backup.uploadedFiles == 3 && report.trashed.isEmpty)
            source.remove("2")
            report = try await library.syncUp(source, removals: .moveToTrash).report
            #expect(report.isComplete && report.trashed.count == 1)
            let inTrash = try await library.photosInTrash().map(\.path)
            #expect(inTrash == report.trashed)
            for seed in [1, 3] { source.remove("\(seed)") }
            var asked = 0
            report = try await SourceExample().sync(source, to: library) { asked = $0 }
            #expect(!report.isComplete && report.heldAssets == 2 && asked == 2)
            await #expect(throws: PhotolalaError.self) {
                try await library.syncUp(FolderSource(fixture.folder), removals: .moveToTrash).report
            }
        }
    }

    @Test("a photo has its location")
    func location() async throws {
        try await Self.withLibrary { library, _ in
            let source = FakePhotoSource()
            let exif = PhotoBytes.positioned(north: [(1, 1), (30, 1), (0, 1)], east: [(2, 1), (0, 1), (0, 1)], "SE")
            source.add("1", PhotoBytes.jpeg(1, exif: exif))
            source.add("2", PhotoBytes.jpeg(2))
            _ = try await library.backUp(source).report
            let photos = try await library.photos()
            #expect(photos.map(\.location) == [PhotoLocation(latitude: -1.5, longitude: 2), nil])
            let read = try JSONDecoder().decode(LibraryPhoto.self, from: try JSONEncoder().encode(photos[0]))
            #expect(read == photos[0])
        }
    }

    @Test("favorites are set, listed and filtered, and a damaged list of them does not hide the photos")
    func favorites() async throws {
        try await Self.withLibrary { library, _ in
            let source = FakePhotoSource()
            for seed in 1...3 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
            _ = try await library.backUp(source).report
            let photos = try await library.photos()
            #expect(photos.allSatisfy { !$0.isFavorite })
            try await library.setFavorite(true, of: [photos[0], photos[2]])
            try await library.setFavorite(false, of: [photos[0]])
            let ordered = try await library.photos().ordered(by: .path, reversed: true)
            #expect(ordered.map(\.isFavorite) == [true, false, false])
            var filter = PhotoFilter()
            filter.isFavorite = true
            let favorites = try await library.photos(where: filter)
            #expect(favorites.map(\.path) == [photos[2].path] && favorites[0].isFavorite)
            await #expect(throws: PhotolalaError.self) {
                try await library.assessMigration(of: source, where: filter).report
            }
            let (user, store) = try await library.open(for: .reading)
            let key = ObjectKey(known: StorageLayout.favorites(user))
            _ = try await store.put(key, ByteBuffer(string: "{"), if: .always)
            #expect(try await library.photos().count == 3)
            let error = PhotolalaError(
                code: .catalogUnusable, detail: "Cannot use the favorites: damaged list of favorites favorites.json.",
                cause: FailureCause(.catalogFileDamaged, ["file": "favorites.json"]))
            await #expect(throws: error) { try await library.photos(where: filter) }
            await #expect(throws: error) { try await library.setFavorite(true, of: [photos[1]]) }
        }
    }

    @Test("photos are hidden, listed and filtered, and a damaged list of them does not hide others")
    func hidden() async throws {
        try await Self.withLibrary { library, _ in
            let source = FakePhotoSource()
            for seed in 1...3 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
            _ = try await library.backUp(source).report
            let photos = try await library.photos()
            #expect(try await library.setHidden(true, of: [photos[0], photos[2]]) == 2)
            #expect(try await library.setHidden(false, of: [photos[0]]) == 1)
            let all = try await library.photos()
            #expect(all.map(\.isHidden) == [false, false, true] && all.allSatisfy { !$0.isFavorite })
            let read = try JSONDecoder().decode(LibraryPhoto.self, from: try JSONEncoder().encode(all[2]))
            #expect(read.isHidden)
            var filter = PhotoFilter()
            filter.isHidden = false
            #expect(try await library.photos(where: filter).map(\.path) == [photos[0].path, photos[1].path])
            await #expect(throws: PhotolalaError.self) {
                try await library.assessMigration(of: source, where: filter).report
            }
            let (user, store) = try await library.open(for: .reading)
            _ = try await store.put(
                ObjectKey(known: StorageLayout.hidden(user)), ByteBuffer(string: "{"), if: .always)
            #expect(try await library.photos().count == 3)
            let error = PhotolalaError(
                code: .catalogUnusable,
                detail: "Cannot use the hidden photos: damaged list of hidden photos hidden.json.",
                cause: FailureCause(.catalogFileDamaged, ["file": "hidden.json"]))
            await #expect(throws: error) { try await library.photos(where: filter) }
            await #expect(throws: error) { try await library.setHidden(true, of: [photos[1]]) }
        }
    }

    @Test("a folder as a source is the folder")
    func folder() async throws {
        try await Self.withLibrary { library, fixture in
            let folder = fixture.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(PhotoBytes.jpeg(1)).write(to: folder.appendingPathComponent("a.jpg"))
            let report = try await library.backUp(FolderSource(folder)).report
            #expect(report.folder == folder.path && report.uploadedFiles == 1)
            let again = try await library.backUp(folder).report
            let status = try await library.status(of: FolderSource(folder)).report
            #expect(again.alreadyStoredFiles == 1 && status.backedUpFiles == 1)
        }
    }
}
