import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("The files of a backup and their place in the library") struct BackupSelectionTests {
    private var fixture: BackupFixture

    init() throws { fixture = try BackupFixture() }

    private func backUp(
        only names: [String]? = nil, into destination: String? = nil, on fixture: BackupFixture? = nil
    ) async throws -> BackupSummary {
        let fixture = fixture ?? self.fixture
        var settings = fixture.settings
        settings.destination = destination.flatMap { LibraryPath($0) }
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, settings: settings, pause: .none,
            now: { Date(timeIntervalSince1970: Double(BackupFixture.firstDay) * 86_400) })
        let wanted = try names.map { Set(try $0.map { try #require(LibraryPath($0)) }) }
        return try await backup.run(folder: fixture.folder.path, only: wanted) { _ in }
    }

    private func status(into destination: String?) async throws -> LibraryStatus {
        try await LibraryStatus.read(
            store: fixture.store, user: .bob,
            of: .folder(fixture.folder.path, FolderFilter(), into: destination.flatMap { LibraryPath($0) }),
            stateFolder: fixture.state.path, pause: .none
        ) { _ in }
    }

    private func paths() async throws -> [String] {
        try await fixture.catalog().entries.map(\.path.description).sorted()
    }

    @Test("two folders with the same names are two folders of the library, each with its own state")
    func destinations() async throws {
        let other = BackupFixture(like: fixture, folder: try TemporaryFolder())
        for (seed, folder) in [fixture.folder, other.folder].enumerated() {
            try folder.write("DCIM/IMG_1.JPG", PhotoBytes.jpeg(seed))
            try folder.write("DCIM/IMG_1.xmp", Array("<x:xmpmeta/>".utf8))
        }
        #expect(try await backUp(into: "Phones/A").progress.uploadedFiles == 2)
        #expect(try await backUp(into: "Phones/B", on: other).progress.uploadedFiles == 1, "equal sidecars")
        let expected = ["A", "B"].flatMap { ["Phones/\($0)/DCIM/IMG_1.JPG", "Phones/\($0)/DCIM/IMG_1.xmp"] }
        #expect(try await paths() == expected)
        let again = try await backUp(into: "Phones/A")
        #expect(again.conflicts.isEmpty && again.progress.alreadyStoredFiles == 2)
        #expect(try await status(into: "Phones/A").waitingFiles == 0)
        #expect(try await backUp().progress.uploadedFiles == 0)
        #expect(try await paths() == ["DCIM/IMG_1.JPG", "DCIM/IMG_1.xmp"] + expected)
    }

    @Test("unchanged files of a folder with a destination are not read again, and edits replace them there")
    func unchanged() async throws {
        var fixture = fixture
        fixture.settings.checkedContents = 0
        try fixture.folder.write("in/a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("notes.txt", Array("text".utf8))
        #expect(try await backUp(into: "x", on: fixture).leftOut.map(\.path.description) == ["x/notes.txt"])
        let root = FolderRoot(path: fixture.folder.path, destination: LibraryPath("x"))
        let journal = BackupJournal.path(in: fixture.state.path, user: .bob, root: root.stateName)
        let rows = JournalRows.read(journal).count
        #expect(rows > 0)
        #expect(try await backUp(into: "x", on: fixture).progress.alreadyStoredFiles == 1)
        #expect(JournalRows.read(journal).count == rows, "no row was added")
        try fixture.folder.write("in/a.jpg", PhotoBytes.jpeg(2))
        #expect(try await backUp(into: "x", on: fixture).progress.uploadedFiles == 1)
        #expect(try await paths() == ["x/in/a.jpg"])
    }

    @Test("the trash counts at the path in the library")
    func trash() async throws {
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await backUp(into: "x")
        let entry = try #require(try await fixture.catalog().entries.first)
        let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
        _ = try await catalogs.commit([.trash(entry.path, entry.md5)], onto: try await catalogs.load())
        #expect(try await status(into: "x").trashedFiles == 1)
        #expect(try await status(into: nil).trashedFiles == 0)
        let again = try await backUp(into: "x", on: fixture)
        #expect(again.isComplete && again.progress.uploadedFiles == 0 && again.filesInTrash == [entry.path])
        let others = try await backUp(only: ["x/in/b.jpg"], into: "x", on: fixture)
        #expect(others.filesInTrash == [])
        // The library has the content at another path.
        try fixture.folder.write("copy.jpg", PhotoBytes.jpeg(1))
        #expect(try await backUp(into: "x", on: fixture).filesInTrash == [])
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("copy.jpg"))
        // An edit is another photo, and takes the place of the trashed one.
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(9))
        #expect(try await backUp(into: "x", on: fixture).filesInTrash == [])
    }

    @Test("a path that is too long in the library is a problem, and the others are backed up")
    func tooLong() async throws {
        let name = String(repeating: "n", count: 250)
        let destination = Array(repeating: name, count: 16).joined(separator: "/")
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("\(name)/b.jpg", PhotoBytes.jpeg(2))
        try fixture.folder.write("c/\(name).jpg", PhotoBytes.jpeg(3))
        let summary = try await backUp(into: destination)
        #expect(try await paths() == ["\(destination)/a.jpg"])
        #expect(summary.problems.map(\.reason) == [.unusableName, .unusableName] && !summary.isComplete)
    }

    @Test("only wanted files are uploaded, and only their folders are listed")
    func wanted() async throws {
        for name in ["a/b/1.jpg", "a/b/2.jpg", "a/3.jpg", "c/4.jpg"] {
            try fixture.folder.write(name, PhotoBytes.jpeg(name.utf8.count))
        }
        for folder in ["a/b", "c"] { try fixture.folder.write("\(folder)/notes.txt", Array("text".utf8)) }
        let journal = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        let summary = try await backUp(only: ["a/b/1.jpg"])
        #expect(summary.isComplete && summary.progress.totalFiles == 1)
        #expect(try await paths() == ["a/b/1.jpg"])
        let listed = try ["a/b/notes.txt", "c/notes.txt"].map {
            BackupJournal.load(journal).nonMediaFingerprint(try #require(LibraryPath($0))) != nil
        }
        #expect(listed == [true, false])
        #expect(try await backUp().isComplete)
        #expect(try await backUp(only: ["a/3.jpg"]).isComplete)
        #expect(BackupJournal.load(journal).entries.count == 4, "the state of the others is kept")
    }

    @Test("a wanted file that is missing, a folder or no photo is a failure with its reason, and others do not count")
    func refused() async throws {
        for name in ["a.jpg", "in/b.jpg", "@eaDir/c.jpg", "d.tmp.jpg"] {
            try fixture.folder.write(name, PhotoBytes.jpeg(name.utf8.count))
        }
        try fixture.folder.write("notes.txt", Array("text".utf8))
        try fixture.folder.write("other.txt", Array("text".utf8))
        try fixture.folder.write(FolderIgnores.fileName, Array("*.tmp.jpg".utf8))
        let names = ["a.jpg", "in", "gone.jpg", "notes.txt", "@eaDir/c.jpg", "d.tmp.jpg"]
        let summary = try await backUp(only: names)
        let failures = Dictionary(summary.failures.map { ($0.path.description, $0.failure) }) { $1 }
        #expect(
            failures == [
                "in": .file(.wrongKind), "gone.jpg": .file(.missing), "notes.txt": .leftOut(.noPhotoOrVideo),
                "@eaDir/c.jpg": .leftOut(.ignored), "d.tmp.jpg": .leftOut(.ignored),
            ])
        #expect(summary.leftOut.isEmpty && summary.progress.uploadedFiles == 1 && !summary.isComplete)
    }
}
