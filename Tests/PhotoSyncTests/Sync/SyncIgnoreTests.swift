import Foundation
import ObjectStorage
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("A sync leaves ignored files alone") struct SyncIgnoreTests {
    private let fixture: SyncFixture
    private var laptop: SyncDevice { fixture.laptop }
    private var phone: SyncDevice { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    private func ignore(_ text: String, on device: SyncDevice) throws {
        try device.folder.write(FolderIgnores.fileName, Array(text.utf8))
    }

    @Test("what is ignored later stays in the folder and in the library, and is in sync again afterwards")
    func ignoredLater() async throws {
        try await fixture.addPhotos()
        try ignore("1.jpg", on: laptop)
        for _ in 0..<2 {
            let summary = try await laptop.sync()
            #expect(summary.isComplete && !summary.didSomething && summary.blocked.isEmpty)
            #expect(summary.ignoredEntries == 1)
        }
        #expect(try await fixture.library.photos().count == 3 && laptop.photos().count == 3)
        try laptop.remove("1.jpg")
        #expect(try await laptop.sync(.confirmingRemovals).trashedEntries.isEmpty, "a removal does not count")
        try laptop.remove(FolderIgnores.fileName)
        #expect(try await laptop.sync().toFolder.progress.restoredFiles == 1)
        try await fixture.expectEqualPhotos()
    }

    @Test("an ignored folder is not downloaded, and its photos elsewhere are not touched")
    func notDownloaded() async throws {
        try ignore("/private/", on: phone)
        try laptop.folder.write("private/a.jpg", PhotoBytes.jpeg(1))
        try laptop.folder.write("b.jpg", PhotoBytes.jpeg(2))
        try await fixture.syncBoth()
        #expect(try phone.photos() == ["b.jpg": PhotoBytes.jpeg(2)])
        let predicted = try await phone.sync(.dryRun)
        #expect(predicted.ignoredEntries == 1 && !predicted.didSomething)
        try phone.folder.write("private/own.jpg", PhotoBytes.jpeg(3))
        try await fixture.syncBoth()
        #expect(try laptop.photos().count == 2 && phone.photos().count == 2)
        try phone.remove(FolderIgnores.fileName)
        for device in [phone, laptop] { _ = try await device.sync() }
        try await fixture.expectEqualPhotos()
        #expect(try laptop.photos().count == 3)
    }

    @Test("a filter for one sync is not taken for a removal, then or later")
    func filter() async throws {
        try await fixture.addPhotos()
        let filter = FolderFilter(excluded: try IgnoreRules(text: "0.jpg\n1.jpg".utf8))
        #expect(try await laptop.sync(.confirmingRemovals, filter: filter).trashedEntries.isEmpty)
        #expect(try await laptop.sync(.confirmingRemovals).isEqual)
        try await fixture.expectEqualPhotos()
        #expect(try await fixture.library.photos().count == 3)
    }

    @Test("a folder whose files are all excluded does not count as emptied, also after one of them was removed")
    func everything() async throws {
        try await fixture.addPhotos()
        try laptop.remove("0.jpg")
        let filter = FolderFilter(excluded: try IgnoreRules(text: "*.jpg".utf8))
        for settings in [SyncSettings.dryRun, SyncSettings()] {
            let summary = try await laptop.sync(settings, filter: filter)
            #expect(summary.localFiles == 0 && summary.withheldEntries == 0 && summary.ignoredEntries == 3)
            #expect(summary.toLibrary.leftOut.map(\.reason) == [.ignored, .ignored])
        }
        #expect(try await fixture.library.photos().count == 3)
    }

    @Test("an empty folder in place of the synced one is not accepted because a filter excludes all its files")
    func anotherFolder() async throws {
        try await fixture.addPhotos()
        for number in 0..<3 { try laptop.remove("\(number).jpg") }
        try laptop.remove(FolderMarker.name)
        let filter = FolderFilter(excluded: try IgnoreRules(text: "*.jpg".utf8))
        let summary = try await laptop.sync(filter: filter)
        #expect(summary.isAnotherFolder && summary.withheldEntries == 3)
    }
}
