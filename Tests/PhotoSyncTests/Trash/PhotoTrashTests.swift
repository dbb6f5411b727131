import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct PhotoTrashTests {
    private func trash(_ fixture: BackupFixture, device: UInt32 = 7) -> PhotoTrash {
        PhotoTrash(CatalogStore(store: fixture.store, user: .bob, device: DeviceTag(value: device), pause: .none))
    }

    private func at(_ paths: String...) -> PhotoSelection {
        var selection = PhotoSelection()
        selection.paths = paths
        return selection
    }

    private func backedUp() async throws -> BackupFixture {
        let fixture = try BackupFixture()
        for name in ["1/IMG_1.JPG", "1/IMG_2.JPG", "2/IMG_1.JPG"] {
            try fixture.folder.write(
                name, PhotoBytes.jpeg(name.count * 10 + Int(name.utf8.first ?? 0)) + Array(name.utf8))
        }
        try fixture.folder.write("1/IMG_1.xmp", Array("<x:xmpmeta/>".utf8))
        #expect(try await fixture.backUp().isComplete)
        return fixture
    }

    @Test("a photo is trashed and restored unchanged with its sidecar, dated by the store's clock")
    func thereAndBack() async throws {
        let fixture = try await backedUp()
        let before = try await fixture.catalog()
        let (put, isDone) = try await trash(fixture).moveToTrash(at("1/IMG_1.JPG")) { summary in
            summary.files == 2 && summary.companionFiles == 1
        }
        #expect(isDone)
        #expect(put.files == 2)
        let catalog = try await fixture.catalog()
        #expect(catalog.entries.map(\.path.description) == ["1/IMG_2.JPG", "2/IMG_1.JPG"])
        #expect(catalog.trash.map(\.path.description) == ["1/IMG_1.JPG", "1/IMG_1.xmp"])
        // The clock of the test store starts in November 2023.
        #expect(try #require(catalog.trash.trashed(0)).description.hasPrefix("2023-11-1"))
        #expect(catalog.entries.trashed(0) == nil)

        let out = try await trash(fixture).restore(at("1/IMG_1.xmp"))
        #expect([out.files, out.companionFiles, out.conflicts.count].elementsEqual([2, 1, 0]))
        let after = try await fixture.catalog()
        #expect(Array(after.entries) == Array(before.entries))
        #expect(after.trash.isEmpty)
    }

    @Test("a selected content is trashed at every path except where it is only a companion")
    func byContent() async throws {
        let fixture = try BackupFixture()
        let (jpeg, video) = (PhotoBytes.jpeg(1), MovieBytes.movie(MovieBytes.mvhd(1)))
        for name in ["A/IMG_5.JPG", "B/IMG_5.JPG"] { try fixture.folder.write(name, jpeg) }
        for name in ["A/IMG_5.MOV", "films/IMG_5.MOV"] { try fixture.folder.write(name, video) }
        #expect(try await fixture.backUp().isComplete)
        var film = PhotoSelection()
        film.contents = [ContentDigest(of: ByteBuffer(bytes: video))]
        #expect(try await trash(fixture).moveToTrash(film).summary.files == 1)
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["films/IMG_5.MOV"])
        var photo = PhotoSelection()
        photo.contents = [ContentDigest(of: ByteBuffer(bytes: jpeg))]
        #expect(try await trash(fixture).moveToTrash(photo).summary.files == 3)
        #expect(try await fixture.catalog().entries.isEmpty)
        #expect(try await trash(fixture).restore(photo).files == 3)
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["films/IMG_5.MOV"])
    }

    @Test("of several edits of a sidecar the last one is restored with the photo")
    func editedSidecar() async throws {
        let fixture = try await backedUp()
        var last = Array("<x:xmpmeta/>".utf8)
        for edit in 1...3 {
            last = Array("<x:xmpmeta>\(edit)</x:xmpmeta>".utf8)
            try fixture.folder.write("1/IMG_1.xmp", last)
            #expect(try await fixture.backUp(onDay: edit).isComplete)
        }
        let before = try await fixture.catalog()
        #expect(before.trash.count == 3)
        #expect(try await trash(fixture).moveToTrash(at("1/IMG_1.JPG")) { _ in true }.summary.files == 2)
        let out = try await trash(fixture).restore(at("1/IMG_1.JPG"))
        #expect(out.files == 2 && out.conflicts.isEmpty)
        let after = try await fixture.catalog()
        #expect(Array(after.entries) == Array(before.entries) && after.trash.count == 3)
    }

    @Test("a declined confirmation, an empty selection or an unknown path changes nothing")
    func unchanged() async throws {
        let fixture = try await backedUp()
        fixture.store.clearLog()
        let (asked, isDone) = try await trash(fixture).moveToTrash(at("1")) { _ in false }
        #expect(!isDone)
        #expect(asked.files == 3)
        var none = PhotoSelection()
        none.name = NamePattern("nothing")
        #expect(
            try await trash(fixture).moveToTrash(
                none,
                isWanted: { _ in
                    Issue.record("a confirmation was requested"); return true
                }
            ).summary.files == 0)
        await #expect(throws: SelectionError.unknownPaths(["3"])) {
            _ = try await trash(fixture).moveToTrash(at("3")) { _ in true }
        }
        await #expect(throws: SelectionError.unknownPaths(["1"])) { _ = try await trash(fixture).restore(at("1")) }
        #expect(fixture.store.count("put") + fixture.store.count("write") == 0)
    }

    @Test("a backup by a device that still has the file leaves it in the trash and uploads nothing")
    func backup() async throws {
        let fixture = try await backedUp()
        _ = try await trash(fixture).moveToTrash(at("2")) { _ in true }
        let again = try await fixture.backUp(onDay: 1)
        #expect(again.isComplete)
        #expect(again.progress.uploadedFiles == 0)
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["2/IMG_1.JPG"])
    }

    @Test("a photo restored to an occupied path is kept as a conflict")
    func beside() async throws {
        let fixture = try await backedUp()
        _ = try await trash(fixture).moveToTrash(at("2/IMG_1.JPG")) { _ in true }
        try fixture.folder.write("2/IMG_1.JPG", PhotoBytes.jpeg(99))
        #expect(try await fixture.backUp(onDay: 1).isComplete)
        let out = try await trash(fixture).restore(PhotoSelection())
        let conflict = try #require(out.conflicts.first)
        #expect(conflict.path.description == "2/IMG_1.JPG")
        let names = try await fixture.catalog().entries.map(\.path)
        #expect(names.contains(conflict.path) && names.contains(conflict.alternativePath))
    }

    @Test("of several versions the last one or one by its id is restored, and the others stay in the trash")
    func versions() async throws {
        let fixture = try await backedUp()
        var ids: [String] = []
        for edit in 1...4 {
            let bytes = PhotoBytes.jpeg(100 + edit)
            ids.append(ContentDigest(of: ByteBuffer(bytes: bytes)).description)
            try fixture.folder.write("2/IMG_1.JPG", bytes)
            #expect(try await fixture.backUp(onDay: edit).isComplete)
        }
        // The fourth edit is in the library, and the first photo and three edits are in the trash.
        #expect(try await fixture.catalog().trash.count == 4)
        let listed = try await fixture.catalog().trash.newestOfEachPathFirst
        #expect(listed.map(\.md5.description).prefix(3) == [ids[2], ids[1], ids[0]])
        let last = try await trash(fixture).restore(at("2/IMG_1.JPG"), .latest)
        #expect(last.files == 1 && last.otherVersions == 3)
        #expect(try await fixture.catalog().entries.map(\.md5.description).contains(ids[2]))
        let second = try await trash(fixture).restore(at("2/IMG_1.JPG"), .withPrefixes([String(ids[1].prefix(8))]))
        #expect(second.files == 1 && second.otherVersions == 0)
        #expect(try await fixture.catalog().entries.map(\.md5.description).contains(ids[1]))
        await #expect(throws: SelectionError.unknownVersion("00000000ffff")) {
            _ = try await trash(fixture).restore(at("2/IMG_1.JPG"), .withPrefixes(["00000000ffff"]))
        }
        await #expect(throws: SelectionError.ambiguousVersion("")) {
            _ = try await trash(fixture).restore(at("2/IMG_1.JPG"), .withPrefixes([""]))
        }
        #expect(try await trash(fixture).restore(at("2/IMG_1.JPG"), .all).files == 2)
        #expect(try await fixture.catalog().trash.isEmpty)
    }

    @Test("several contents of one path are trashed and restored together")
    func onePath() async throws {
        let fixture = try await backedUp()
        _ = try await trash(fixture).moveToTrash(at("2/IMG_1.JPG")) { _ in true }
        try fixture.folder.write("2/IMG_1.JPG", PhotoBytes.jpeg(99))
        #expect(try await fixture.backUp(onDay: 1).isComplete)
        _ = try await trash(fixture, device: 8).moveToTrash(at("2")) { _ in true }
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["2/IMG_1.JPG", "2/IMG_1.JPG"])
        #expect(try await trash(fixture).restore(at("2/IMG_1.JPG")).files == 2)
    }
}
