import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Two-way sync") struct SyncTests {
    private let fixture: SyncFixture
    private var library: SyncLibrary { fixture.library }
    private var laptop: SyncDevice { fixture.laptop }
    private var phone: SyncDevice { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    @Test("new photos of either side are synced to the other with their dates")
    func both() async throws {
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        try laptop.folder.write("2020/a.jpg", PhotoBytes.jpeg(1), modified: date)
        try phone.folder.write("b.jpg", PhotoBytes.jpeg(2))
        let first = try await laptop.sync()
        #expect(first.addedEntries == 1 && first.toLibrary.progress.uploadedFiles == 1)
        let second = try await phone.sync()
        #expect(second.addedEntries == 1 && second.toFolder.progress.restoredFiles == 1)
        let third = try await laptop.sync()
        #expect(third.toFolder.progress.restoredFiles == 1)
        try await fixture.expectEqualPhotos()
        #expect(try phone.folder.modified("2020/a.jpg") == date)
    }

    @Test("a removed copy is reported although its content remains, and a moved file is not")
    func copies() async throws {
        try laptop.folder.write("copy.jpg", PhotoBytes.jpeg(0))
        try await fixture.addPhotos(2)
        try laptop.remove("copy.jpg")
        try laptop.move("1.jpg", to: "moved.jpg")
        let plan = try await laptop.sync(.dryRun)
        let summary = try await laptop.sync()
        for each in [plan, summary] { #expect(each.trashedEntries.map(\.description) == ["copy.jpg"]) }
        #expect(
            plan.planned.map { "\($0.action.rawValue) \($0.path)" } == [
                "moveInLibrary moved.jpg", "trashInLibrary copy.jpg",
            ])
        try await fixture.syncBoth()
        try await fixture.expectEqualPhotos()
    }

    @Test("a file replaced by a folder of the same name, and back, is synced to the other device")
    func fileToFolder() async throws {
        try await fixture.addPhotos()
        try laptop.remove("0.jpg")
        try laptop.folder.write("0.jpg/in.jpg", PhotoBytes.jpeg(10))
        #expect(try await laptop.sync().trashedEntries.map(\.description) == ["0.jpg"])
        let there = try await phone.sync()
        #expect(there.isEqual && there.toFolder.failures.isEmpty)
        try await fixture.expectEqualPhotos()
        #expect(try phone.photos()["0.jpg/in.jpg"] == PhotoBytes.jpeg(10))
        #expect(try phone.trash() == [PhotoBytes.jpeg(0)])

        try phone.remove("0.jpg")
        try phone.folder.write("0.jpg", PhotoBytes.jpeg(11))
        #expect(try await phone.sync().trashedEntries.map(\.description) == ["0.jpg/in.jpg"])
        #expect(try await laptop.sync().isEqual)
        try await fixture.expectEqualPhotos()
        #expect(try laptop.photos()["0.jpg"] == PhotoBytes.jpeg(11))
    }

    @Test("a folder replaced by a file of the same name is not reported as a conflict")
    func folderToFile() async throws {
        try laptop.folder.write("swap/x.jpg/in.jpg", PhotoBytes.jpeg(10))
        try await fixture.addPhotos()
        try laptop.remove("swap/x.jpg")
        try laptop.folder.write("swap/x.jpg", PhotoBytes.jpeg(11))
        let summary = try await laptop.sync()
        #expect(summary.trashedEntries.map(\.description) == ["swap/x.jpg/in.jpg"])
        #expect(summary.toLibrary.conflicts.isEmpty)
    }

    @Test("a file and a folder of one name from two backups are both kept on all devices")
    func fileAndFolder() async throws {
        try laptop.folder.write("0.jpg", PhotoBytes.jpeg(0))
        _ = try await laptop.backUp()
        try phone.folder.write("0.jpg/in.jpg", PhotoBytes.jpeg(10))
        _ = try await phone.backUp()
        for device in [laptop, phone, laptop, phone] { _ = try await device.sync() }
        #expect(try await laptop.sync().isEqual)
        try await fixture.expectEqualPhotos()
        let shown = try await library.photos()
        #expect(shown.count == 2 && shown["0.jpg/in.jpg"] == PhotoBytes.jpeg(10))
        #expect(shown.contains { $0.key.hasPrefix("0 (conflict ") && $0.value == PhotoBytes.jpeg(0) })
        #expect(try await library.catalog().trash.isEmpty)
    }

    @Test("a file regains its name when the folder that had it is removed")
    func folderGoes() async throws {
        try laptop.folder.write("0.jpg", PhotoBytes.jpeg(0))
        _ = try await laptop.backUp()
        try phone.folder.write("0.jpg/in.jpg", PhotoBytes.jpeg(10))
        _ = try await phone.backUp()
        for device in [laptop, phone, laptop] { _ = try await device.sync() }
        _ = try await library.trash.moveToTrash(inFolder)
        for device in [laptop, phone] {
            #expect(try await device.sync().isEqual)
            #expect(try device.photos() == ["0.jpg": PhotoBytes.jpeg(0)])
        }
        try await fixture.expectEqualPhotos()
    }

    @Test("a restored folder is deferred while the file with its name was written just now")
    func folderReturns() async throws {
        try laptop.folder.write("0.jpg", PhotoBytes.jpeg(0))
        _ = try await laptop.backUp()
        try phone.folder.write("0.jpg/in.jpg", PhotoBytes.jpeg(10))
        _ = try await phone.backUp()
        for device in [laptop, phone, laptop] { _ = try await device.sync() }
        let trash = library.trash
        _ = try await trash.moveToTrash(inFolder)
        #expect(try await phone.sync().movedFiles == 1)
        _ = try await trash.restore(inFolder)
        // Written again, the file is unknown; the sync takes place at that moment, however long it runs.
        try phone.folder.write("0.jpg", PhotoBytes.jpeg(0))
        let written = try OpenFile("\(phone.folder.path)/0.jpg").fingerprint().changed
        let early = try await phone.sync(now: Date(timeIntervalSince1970: Double(written.seconds)))
        #expect(early.toFolder.failures.isEmpty && early.isComplete)
        #expect(early.waitingFiles == 1)
        #expect(try phone.photos() == ["0.jpg": PhotoBytes.jpeg(0)])
        for device in [phone, laptop] { #expect(try await device.sync().isEqual) }
        try await fixture.expectEqualPhotos()
        #expect(try phone.photos()["0.jpg/in.jpg"] == PhotoBytes.jpeg(10))
    }

    private var inFolder: PhotoSelection {
        var selection = PhotoSelection()
        selection.paths = ["0.jpg/in.jpg"]
        return selection
    }

    @Test("a sync without changes only reads the pointer")
    func quiet() async throws {
        try await fixture.addPhotos()
        let counting = CountingObjectStore(now: { Date(timeIntervalSince1970: 0) })
        for page in try await library.store.list(prefix: "", after: nil, limit: 100).objects {
            let object = try #require(try await library.store.get(page.key, limit: 1 << 20))
            _ = try await counting.memory.put(page.key, object.bytes, if: .absent)
        }
        for device in [laptop, phone] {
            _ = try await device.sync()
            let summary = try await device.sync(through: counting)
            #expect(!summary.didSomething && summary.isEqual && summary.localFiles == 3)
            #expect(counting.drain().requests == 1)
        }
    }

    @Test("a removed file goes to the library's trash, and to the folder's trash on other devices")
    func removed() async throws {
        try await fixture.addPhotos()
        try laptop.remove("1.jpg")
        #expect(try await laptop.sync().trashedEntries.map(\.description) == ["1.jpg"])
        #expect(try await phone.sync().trashedFiles.map(\.description) == ["1.jpg"])
        try await fixture.expectEqualPhotos()
        #expect(try phone.folder.read(".photolala-trash/2079-07-08/1.jpg") == PhotoBytes.jpeg(1))
        #expect(try await library.everything().count == 3)
        #expect(try await !laptop.sync().didSomething)
    }

    @Test("a file changed after its removal elsewhere is kept and added as new")
    func changedMeanwhile() async throws {
        try await fixture.addPhotos()
        try laptop.remove("1.jpg")
        _ = try await laptop.sync()
        try phone.folder.write("1.jpg", PhotoBytes.jpeg(11, length: 700))
        _ = try await phone.sync()
        _ = try await laptop.sync()
        try await fixture.expectEqualPhotos()
        #expect(try laptop.folder.read("1.jpg") == PhotoBytes.jpeg(11, length: 700))
    }

    @Test("a changed photo replaces the old one elsewhere, which goes to the folder's trash")
    func replaced() async throws {
        try await fixture.addPhotos()
        try laptop.folder.write("1.jpg", PhotoBytes.jpeg(11, length: 700))
        _ = try await laptop.sync()
        let summary = try await phone.sync()
        #expect(summary.trashedFiles.map(\.description) == ["1.jpg"] && summary.toFolder.progress.restoredFiles == 1)
        try await fixture.expectEqualPhotos()
        #expect(try phone.trash() == [PhotoBytes.jpeg(1)])
    }

    @Test("photos changed on both sides are both kept under the same names everywhere")
    func conflict() async throws {
        try await fixture.addPhotos()
        try laptop.folder.write("1.jpg", PhotoBytes.jpeg(11, length: 700), modified: .init(timeIntervalSince1970: 900))
        try phone.folder.write("1.jpg", PhotoBytes.jpeg(12, length: 800), modified: .init(timeIntervalSince1970: 800))
        _ = try await laptop.sync()
        let summary = try await phone.sync()
        #expect(summary.toLibrary.conflicts.count == 1 && summary.movedFiles == 1)
        _ = try await laptop.sync()
        try await fixture.expectEqualPhotos()
        #expect(try laptop.photos().count == 4)
        for device in [phone, laptop] { #expect(try await !device.sync().didSomething) }
        try phone.remove("1.jpg")
        _ = try await phone.sync()
        _ = try await laptop.sync()
        try await fixture.expectEqualPhotos()
        #expect(try laptop.photos()["1.jpg"] == PhotoBytes.jpeg(12, length: 800), "it has the name now")
    }

    @Test("a moved file is not uploaded again and is moved on other devices")
    func moved() async throws {
        try await fixture.addPhotos()
        try laptop.move("1.jpg", to: "summer/one.jpg")
        let here = try await laptop.sync()
        #expect(here.toLibrary.progress.uploadedFiles == 0 && here.trashedEntries.isEmpty && here.addedEntries == 1)
        let there = try await phone.sync()
        #expect(there.movedFiles == 1 && there.toFolder.progress.restoredFiles == 0)
        try await fixture.expectEqualPhotos()
        #expect(try phone.trash().isEmpty)
    }

    @Test("a file moved just before a sync does not go to any trash")
    func movedJustNow() async throws {
        try await fixture.addPhotos()
        try laptop.move("1.jpg", to: "summer/one.jpg")
        let early = try await laptop.sync(now: Date())
        #expect(early.trashedEntries.isEmpty && early.waitingFiles == 1)
        #expect(try await library.catalog().trash.isEmpty)
        let later = try await laptop.sync()
        #expect(later.addedEntries == 1 && later.trashedEntries.isEmpty && later.isEqual)
        #expect(try await phone.sync().movedFiles == 1)
        try await fixture.expectEqualPhotos()
    }

    @Test("a photo replaced by a backup and a sync is kept for a device that only backs up")
    func backedUpBetween() async throws {
        let camera = try SyncDevice(3, store: library.store)
        try camera.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await camera.backUp()
        _ = try await laptop.sync()
        try laptop.folder.write("a.jpg", PhotoBytes.jpeg(2, length: 700))
        _ = try await laptop.backUp()
        _ = try await laptop.sync()
        #expect(Set(try await library.photos().values) == [PhotoBytes.jpeg(2, length: 700)])
        _ = try await camera.backUp()
        let both: Set = [PhotoBytes.jpeg(1), PhotoBytes.jpeg(2, length: 700)]
        #expect(Set(try await library.photos().values) == both)
        _ = try await laptop.sync()
        #expect(Set(try laptop.photos().values) == both)
    }

    @Test("a photo without facts in a repaired catalog is added again and kept in the folder")
    func factsLost() async throws {
        try await fixture.addPhotos()
        let mended = SyncLibrary()
        for object in try await library.store.list(prefix: "photos/", after: nil, limit: 100).objects {
            let bytes = try #require(try await library.store.get(object.key, limit: 1 << 20)).bytes
            _ = try await mended.store.put(object.key, bytes, if: .absent)
        }
        let catalogs = CatalogStore(store: mended.store, user: .bob, device: DeviceTag(value: 9), pause: .none)
        var changes: [CatalogChange] = []
        for entry in try await library.catalog().entries {
            changes +=
                entry.path.name == "1.jpg" ? [.restoreFromTrash(entry.path, entry.md5)] : [.add(entry, replacing: nil)]
        }
        _ = try await catalogs.commit(changes, onto: try await catalogs.load())
        let summary = try await laptop.sync(through: mended.store)
        #expect(summary.trashedFiles.isEmpty && summary.addedEntries == 1)
        #expect(try laptop.photos().count == 3)
        #expect(try await mended.photos() == laptop.photos())
    }

    @Test("a device that lost its state only adds files on both sides")
    func forgotten() async throws {
        try await fixture.addPhotos()
        try phone.remove("0.jpg")
        _ = try await phone.sync()
        try laptop.forgetEverything()
        try laptop.remove("2.jpg")
        let summary = try await laptop.sync()
        #expect(summary.restoredEntries == 1 && summary.trashedEntries.isEmpty && summary.trashedFiles.isEmpty)
        _ = try await phone.sync()
        try await fixture.expectEqualPhotos()
        #expect(try phone.photos().count == 3)
    }

    @Test("a permanently deleted photo that the first sync uploads again is added, not taken out of the trash")
    func purged() async throws {
        try await fixture.addPhotos()
        try phone.remove("0.jpg")
        _ = try await phone.sync()
        let library = fixture.library
        let purge = try await TrashPurge(library.catalogs, store: library.store, includesRecent: true).run { _ in true }
        #expect(purge.deleted == 1)
        try laptop.forgetEverything()
        let summary = try await laptop.sync()
        #expect(summary.addedEntries == 1 && summary.restoredEntries == 0)
        #expect(try await library.photos().count == 3)
    }

    @Test("a dry run reports the changes of a sync and makes none")
    func dryRun() async throws {
        try await fixture.addPhotos(5)
        try laptop.remove("1.jpg")
        try laptop.move("2.jpg", to: "two.jpg")
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(30, length: 900))
        try phone.folder.write("other.jpg", PhotoBytes.jpeg(31, length: 901))
        try phone.remove("3.jpg")
        _ = try await phone.sync()
        let before = (try laptop.photos(), try await library.catalog())
        let predicted = try await laptop.sync(.dryRun)
        let after = (try laptop.photos(), try await library.catalog())
        #expect(before.0 == after.0 && before.1 == after.1)
        let done = try await laptop.sync()
        #expect(predicted.addedEntries == done.addedEntries && done.addedEntries == 2)
        #expect(predicted.trashedEntries == done.trashedEntries && predicted.trashedFiles == done.trashedFiles)
        #expect(predicted.toFolder.progress.restoredFiles == done.toFolder.progress.restoredFiles)
        #expect(predicted.toLibrary.progress.uploadedBytes == done.toLibrary.progress.uploadedBytes)
    }
}
