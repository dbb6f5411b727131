import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Undo of a sync of renamed files") struct RenameUndoTests {
    private func file(_ fixture: SyncFixture) -> UndoFile {
        UndoFile(stateFolder: fixture.laptop.state.path, user: .bob) { SyncDevice.now }
    }

    private func undo(_ fixture: SyncFixture) async throws -> UndoSummary {
        try await fixture.library.trash.undo(try await file(fixture).read().map(\.change))
    }

    @Test("the original path is left only, and the next syncs rename the files back on all devices")
    func renamed() async throws {
        let fixture = try SyncFixture()
        try await fixture.addPhotos(3)
        let before = try await fixture.library.photos()
        try fixture.laptop.move("0.jpg", to: "renamed.jpg")
        try fixture.laptop.remove("1.jpg")
        try await fixture.syncBoth()
        let undone = try await undo(fixture)
        #expect(undone.isDone && undone.restored == 2 && undone.trashed == 1 && undone.changed == 0)
        #expect(try await fixture.library.photos() == before)
        let back = try await fixture.laptop.sync()
        #expect(back.movedFiles == 1)
        try await fixture.syncBoth()
        #expect(try await fixture.library.photos() == before)
        try await fixture.expectEqualPhotos()
    }

    @Test("a renamed file whose new entry another device changed since keeps both states; the others are undone")
    func changedSince() async throws {
        let fixture = try SyncFixture()
        try await fixture.addPhotos(3)
        try fixture.laptop.move("0.jpg", to: "renamed.jpg")
        try fixture.laptop.move("1.jpg", to: "other.jpg")
        try await fixture.syncBoth()
        try fixture.phone.remove("renamed.jpg")
        _ = try await fixture.phone.sync()
        let undone = try await undo(fixture)
        #expect(undone.isDone && undone.restored == 1 && undone.trashed == 1 && undone.changed == 2)
        #expect(try await fixture.library.photos().keys.sorted() == ["1.jpg", "2.jpg"])
    }

    @Test("an entry that another device added at the new path stays")
    func addedElsewhere() async throws {
        let fixture = try SyncFixture()
        try await fixture.addPhotos(2)
        try fixture.phone.folder.write("copy.jpg", PhotoBytes.jpeg(0))
        _ = try await fixture.phone.sync()
        try fixture.laptop.move("0.jpg", to: "copy.jpg")
        _ = try await fixture.laptop.sync()
        let undone = try await undo(fixture)
        #expect(undone.restored == 1 && undone.trashed == 0)
        #expect(try await fixture.library.photos().keys.sorted() == ["0.jpg", "1.jpg", "copy.jpg"])
    }

    @Test("a copy beside the renamed file stays: as many entries are undone as files were removed")
    func copied() async throws {
        let fixture = try SyncFixture()
        try await fixture.addPhotos(2)
        try fixture.laptop.move("0.jpg", to: "a.jpg")
        try fixture.laptop.folder.write("b.jpg", PhotoBytes.jpeg(0))
        _ = try await fixture.laptop.sync()
        #expect(try await undo(fixture).trashed == 1)
        #expect(try await fixture.library.photos().keys.sorted() == ["0.jpg", "1.jpg", "b.jpg"])
    }

    @Test("a photo of the same content in the library before the sync stays")
    func copyBefore() async throws {
        let fixture = try SyncFixture()
        try fixture.laptop.folder.write("copy.jpg", PhotoBytes.jpeg(0))
        try await fixture.addPhotos(2)
        try fixture.laptop.remove("0.jpg")
        _ = try await fixture.laptop.sync()
        #expect(try await undo(fixture).trashed == 0)
        #expect(try await fixture.library.photos().keys.sorted() == ["0.jpg", "1.jpg", "copy.jpg"])
    }
}
