import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Undo of a change to the trash") struct UndoTests {
    @Test("moving photos to the trash is undone once, and the library is as before")
    func put() async throws {
        let fixture = try await UndoFixture()
        let before = try await fixture.laptop.catalog()
        let put = try await fixture.trash().moveToTrash(fixture.at("a.jpg", "b.jpg")).summary
        #expect(put.isUndoable)
        let asked = try await fixture.undo { summary in
            #expect(summary.restored == 2 && summary.trashed == 0 && summary.bytes == put.bytes)
            return false
        }
        #expect(!asked.isDone)
        #expect(try await fixture.trashed() == ["a.jpg", "b.jpg"])
        #expect(try await fixture.undo().isDone)
        let after = try await fixture.laptop.catalog()
        #expect(Array(after.entries) == Array(before.entries) && after.trash.isEmpty)
        let again = try await fixture.undo { _ in
            Issue.record("a confirmation was requested")
            return true
        }
        #expect(!again.isDone && again.restored + again.trashed == 0 && again.changed == 2)
    }

    @Test("restoring photos is undone by moving them back; photos that were restored before stay")
    func restore() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg", "b.jpg"))
        _ = try await fixture.trash().restore(fixture.at("a.jpg"))
        _ = try await fixture.trash().restore(fixture.at("b.jpg"))
        #expect(try #require(try await fixture.file().read().first).change.command == .restore)
        let undone = try await fixture.undo()
        #expect(undone.isDone && undone.trashed == 1 && undone.restored == 0)
        #expect(try await fixture.trashed() == ["b.jpg"])
    }

    @Test("a photo that another device restored, and one that it restored and trashed again, keep their state")
    func changedElsewhere() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg", "b.jpg", "c.jpg"))
        _ = try await fixture.trash(2).restore(fixture.at("a.jpg", "b.jpg"))
        _ = try await fixture.trash(2).moveToTrash(fixture.at("b.jpg"))
        let undone = try await fixture.undo()
        #expect(undone.restored == 1 && undone.changed == 2)
        #expect(try await fixture.trashed() == ["b.jpg"])
    }

    @Test("a change of another device between reading and writing is not lost")
    func concurrentChange() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
        let undone = try await fixture.undo { _ in
            _ = try? await fixture.trash(2).moveToTrash(fixture.at("b.jpg"))
            return true
        }
        #expect(undone.isDone)
        #expect(try await fixture.trashed() == ["b.jpg"])
    }

    @Test("photos that the same device trashed at the same time by another command are not touched")
    func sameTimestamps() async throws {
        let fixture = try await UndoFixture()
        let other = PhotoTrash(
            CatalogStore(store: fixture.laptop.store, user: .bob, device: DeviceTag(value: 1), pause: .none))
        // Both commands read the same catalog, so that their changes get the same timestamps.
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg")) { _ in
            _ = try? await other.moveToTrash(fixture.at("b.jpg"))
            return true
        }
        #expect(try await fixture.trashed() == ["a.jpg", "b.jpg"])
        #expect(try await fixture.undo().restored == 1)
        #expect(try await fixture.trashed() == ["b.jpg"])
    }

    @Test("purged photos cannot be undone, and a purge under way postpones the undo")
    func purged() async throws {
        let fixture = try await PurgeFixture()
        let state = try TemporaryFolder()
        let file = UndoFile(stateFolder: state.path, user: .bob) { UndoFixture.moment }
        let trash = PhotoTrash(
            CatalogStore(store: fixture.store, user: .bob, device: DeviceTag(value: 9), recorder: file, pause: .none))
        _ = try await trash.restore(PhotoSelection())
        _ = try await trash.moveToTrash(PhotoSelection())
        let change = try #require(try await file.read().first).change
        let purge = TrashPurge(fixture.catalogs(), store: fixture.store, includesRecent: true)
        let expired = ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))
        let version = try await fixture.catalogs().load()
        let begun = try #require(try await purge.begin([expired], after: version))
        await #expect(throws: SelectionError.catalog(.purging)) { _ = try await trash.undo([change]) }
        _ = await purge.deleteAndEnd(begun)
        let undone = try await trash.undo([change])
        #expect(undone.isDone && undone.restored == 3 && undone.purged == 1)
        #expect(try await fixture.missing().isEmpty)
    }

    @Test("photos that the store lost stay in the trash and are named")
    func missing() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg", "b.jpg"))
        let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(97))).description
        try await fixture.laptop.store.memory.delete(ObjectKey(known: StorageLayout.photo(.bob, md5: md5)), if: .always)
        let undone = try await fixture.undo()
        #expect(undone.restored == 1 && undone.missing.map(\.description) == ["a.jpg"])
        #expect(try await fixture.trashed() == ["a.jpg"])
    }

    @Test("a photo is restored beside one that took its path in the meantime")
    func beside() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
        try fixture.laptop.folder.write("a.jpg", PhotoBytes.jpeg(5))
        _ = try await fixture.laptop.backUp(onDay: 1)
        let undone = try await fixture.undo()
        #expect(undone.conflicts.map(\.path.description) == ["a.jpg"])
        #expect(try await fixture.laptop.catalog().entries.count == 4)
    }

    @Test("the removals of a sync are undone, and the next sync downloads the photos again")
    func sync() async throws {
        let fixture = try SyncFixture()
        try await fixture.addPhotos(3)
        let before = try await fixture.library.photos()
        try fixture.laptop.remove("0.jpg")
        try fixture.laptop.remove("1.jpg")
        #expect(try await fixture.laptop.sync().trashedEntries.count == 2)
        let file = UndoFile(stateFolder: fixture.laptop.state.path, user: .bob) { SyncDevice.now }
        let recorded = try #require(try await file.read().first)
        #expect(recorded.change.command == .sync && recorded.date == SyncDevice.now)
        #expect(try await fixture.library.trash.undo([recorded.change]).restored == 2)
        try await fixture.syncBoth()
        #expect(try await fixture.library.photos() == before)
        try await fixture.expectEqualPhotos()
    }

    @Test("a sync without removals and a declined command leave the record of the last change")
    func unrecorded() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
        _ = try await fixture.trash().moveToTrash(fixture.at("b.jpg")) { _ in false }
        try fixture.laptop.folder.write("b.jpg", PhotoBytes.jpeg(5))
        _ = try await fixture.laptop.backUp(onDay: 1)
        #expect(try await fixture.undo().restored == 1)
        #expect(try await fixture.trashed() == ["b.jpg"])
    }

    @Test("a change whose commit did not happen is recognized after the crash")
    func interrupted() async throws {
        let fixture = try await UndoFixture()
        try await fixture.recordUncommitted("a.jpg")
        let undone = try await fixture.undo()
        #expect(!undone.isDone && undone.changed == 1)
    }
}
