import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoSync

@Suite("Identity of the synced folder") struct SyncPlaceTests {
    private let fixture: SyncFixture
    private var library: SyncLibrary { fixture.library }
    private var laptop: SyncDevice { fixture.laptop }
    private var phone: SyncDevice { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    /// Replaces the folder's contents with those of another card.
    private func changeCards(_ count: Int) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: laptop.folder.path) { try laptop.remove(name) }
        for number in 0..<count {
            try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(100 + number, length: 700 + number))
        }
    }

    @Test("a different card with other photos under the same names replaces no photos")
    func otherCard() async throws {
        for number in 0..<30 { try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        try await fixture.syncBoth()
        try changeCards(40)
        let predicted = try await laptop.sync(.dryRun)
        #expect(predicted.trashedEntries.isEmpty && predicted.addedEntries == 40)
        let summary = try await laptop.sync()
        #expect(summary.addedEntries == 40 && summary.trashedEntries.isEmpty && summary.isComplete)
        #expect(try await library.photos().count == 70)
        #expect(try await phone.sync().trashedFiles.isEmpty)
        for device in [laptop, phone] {
            #expect(try await !device.sync().didSomething)
            #expect(try device.photos() == (try await library.photos()))
        }
    }

    @Test("a folder that lost only its mark stays the same folder")
    func markLost() async throws {
        for number in 0..<3 { try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        _ = try await laptop.sync()
        try laptop.remove(".photolala-folder")
        let summary = try await laptop.sync()
        #expect(summary.isComplete && !summary.didSomething)
        try laptop.remove("1.jpg")
        #expect(try await laptop.sync().trashedEntries.count == 1)
    }

    @Test("a new photo with a reused camera number replaces no photo")
    func countsAgain() async throws {
        let (first, second) = ("2019:05:01 12:30:45", "2024:05:01 12:30:45")
        func photo(_ seed: Int, _ date: String) -> [UInt8] {
            PhotoBytes.jpeg(seed, exif: PhotoBytes.exif([(0x9003, date)]), length: 800 + seed)
        }
        for number in 0..<3 { try laptop.folder.write("\(number).jpg", photo(number, first)) }
        _ = try await laptop.sync()
        try laptop.folder.write("0.jpg", photo(10, second))
        try laptop.folder.write("1.jpg", photo(11, first))
        _ = try await laptop.sync()
        let shown = try await library.photos()
        #expect(shown.count == 4 && Set(shown.values).contains(photo(0, first)))
        #expect(!Set(shown.values).contains(photo(1, first)), "an edit has the capture date of the original")
        #expect(try laptop.photos() == shown)
    }

    @Test("a folder inside or around a synced folder is refused")
    func nested() async throws {
        try laptop.folder.write("in/deep/a.jpg", PhotoBytes.jpeg(1))
        let (folder, inner) = (laptop.folder.path, laptop.folder.subpath("in/deep"))
        _ = try await laptop.sync(in: inner)
        await #expect(throws: SyncError.nested(inner)) { _ = try await laptop.sync() }
        #expect(try await library.photos().count == 1)
        try laptop.remove("in/deep/.photolala-folder")
        _ = try await laptop.sync()
        await #expect(throws: SyncError.nested(folder)) { _ = try await laptop.sync(in: inner) }
        for settings in [SyncSettings(), .dryRun] {
            await #expect(throws: SyncError.nested(folder)) {
                _ = try await phone.sync(settings, in: laptop.folder.subpath("in"))
            }
        }
        #expect(try await laptop.sync().isComplete, "a refused sync leaves nothing behind")
    }

    @Test("two devices cannot sync one folder at the same time, not even in a first sync")
    func shared() async throws {
        let other = try SyncDevice(2, store: library.store, folder: laptop.folder)
        try laptop.folder.write("a.jpg", PhotoBytes.jpeg(1))
        for isFirst in [true, false] {
            // A first sync marks the folder before it transfers anything.
            let verb = isFirst ? "put" : "get"
            let interrupting = FakeObjectStore { asked, _ in
                guard asked == verb else { return nil }
                await #expect(throws: SyncError.underWay) { _ = try await other.sync() }
                return nil
            }
            try laptop.folder.write("\(isFirst).jpg", PhotoBytes.jpeg(isFirst ? 2 : 3))
            _ = try await laptop.sync(through: interrupting)
            #expect(interrupting.count(verb) > 0)
        }
        #expect(try await other.sync().isComplete, "the first sync has ended")
    }

    @Test("an empty mark is recreated")
    func damagedMark() async throws {
        try laptop.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await laptop.sync()
        let mark = try laptop.folder.read(".photolala-folder")
        try laptop.folder.write(".photolala-folder", [])
        #expect(try await laptop.sync().isComplete)
        #expect(try laptop.folder.read(".photolala-folder").count == 33)
        #expect(try laptop.folder.read(".photolala-folder") == mark, "the test's randomness is the same")
    }
}
