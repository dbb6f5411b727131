import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Dry runs") struct BackupPredictionTests {
    private let fixture: BackupFixture

    init() throws { fixture = try BackupFixture() }

    private func predict(
        only names: [String]? = nil, into destination: String? = nil
    ) async throws -> BackupSummary {
        var settings = fixture.settings
        settings.destination = destination.flatMap { LibraryPath($0) }
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, settings: settings, pause: .none,
            now: { Date(timeIntervalSince1970: Double(BackupFixture.firstDay) * 86_400) })
        let wanted = try names.map { Set(try $0.map { try #require(LibraryPath($0)) }) }
        return try await backup.predict(folder: fixture.folder.path, only: wanted) { _ in }
    }

    private func plan(_ summary: BackupSummary) -> [String] {
        summary.planned.map { "\($0.action.rawValue) \($0.path)" }
    }

    @Test("a dry run predicts what the backup then does, and changes nothing")
    func predicted() async throws {
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("in/b.jpg", PhotoBytes.jpeg(2))
        _ = try await fixture.backUp()
        try fixture.folder.write("copy.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("in/b.jpg", PhotoBytes.jpeg(3))
        try fixture.folder.write("in/c.jpg", PhotoBytes.jpeg(4, length: 5000))
        try fixture.folder.write("notes.txt", Array("text".utf8))
        let keys = try await fixture.store.memory.list(prefix: "", after: nil, limit: 1000).objects.count
        // The catalog's copy on this device is no state of a backup.
        let stateFiles = {
            try FileManager.default.subpathsOfDirectory(atPath: fixture.state.path).filter { !$0.contains("catalog-") }
        }
        let files = try stateFiles()
        for _ in 0..<2 {
            let summary = try await predict()
            #expect(plan(summary) == ["add copy.jpg", "upload in/b.jpg", "upload in/c.jpg"])
            #expect(summary.planned.map(\.size).last == 5002)
            #expect(summary.progress.uploadedFiles == 2 && summary.progress.alreadyStoredFiles == 2)
            #expect(summary.addedFiles == 1)
            #expect(summary.leftOut.map(\.path.description) == ["notes.txt"] && summary.isComplete)
        }
        #expect(try await fixture.store.memory.list(prefix: "", after: nil, limit: 1000).objects.count == keys)
        #expect(try stateFiles() == files)
        let done = try await fixture.backUp()
        #expect(done.progress.uploadedFiles == 2 && done.addedFiles == 1)
        #expect(plan(try await predict()).isEmpty)
        #expect(try await fixture.backUp().addedFiles == 0)
    }

    @Test("of several new files with one content, one is uploaded")
    func copies() async throws {
        for name in ["a.jpg", "b.jpg", "in/c.jpg"] { try fixture.folder.write(name, PhotoBytes.jpeg(1)) }
        try fixture.folder.write("d.jpg", PhotoBytes.jpeg(2))
        let summary = try await predict()
        #expect(plan(summary) == ["upload a.jpg", "add b.jpg", "upload d.jpg", "add in/c.jpg"])
        #expect(try await fixture.backUp().progress.uploadedFiles == summary.progress.uploadedFiles)
        let sync = try SyncFixture()
        for name in ["a.jpg", "b.jpg"] { try sync.laptop.folder.write(name, PhotoBytes.jpeg(1)) }
        let planned = try await sync.laptop.sync(.dryRun).planned
        #expect(planned.map { "\($0.action.rawValue) \($0.path)" } == ["upload a.jpg", "add b.jpg"])
    }

    @Test("trashed photos stay where they are, and a destination and wanted files are heeded")
    func choices() async throws {
        for (seed, name) in ["a.jpg", "in/b.jpg", "c.jpg"].enumerated() {
            try fixture.folder.write(name, PhotoBytes.jpeg(seed))
        }
        _ = try await fixture.backUp()
        let entry = try #require(try await fixture.catalog().entries.first)
        let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
        _ = try await catalogs.commit([.trash(entry.path, entry.md5)], onto: try await catalogs.load())
        let summary = try await predict()
        #expect(plan(summary).isEmpty && summary.filesInTrash == [entry.path])
        // The content is stored, although it is only in the trash.
        try fixture.folder.write("x/copy.jpg", try fixture.folder.read(entry.path.description))
        #expect(plan(try await predict()) == ["add x/copy.jpg"])
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("x"))
        let moved = try await predict(only: ["x/in/b.jpg", "x/gone.jpg"], into: "x")
        #expect(plan(moved) == ["add x/in/b.jpg"])
        #expect(moved.failures.map(\.path.description) == ["x/gone.jpg"] && moved.filesInTrash == [])
    }

    @Test("the plan of a sync names each file")
    func sync() async throws {
        let sync = try SyncFixture()
        try await sync.addPhotos(4)
        try sync.laptop.remove("0.jpg")
        _ = try await sync.laptop.sync(.confirmingRemovals)
        try sync.laptop.folder.write("new.jpg", PhotoBytes.jpeg(10))
        _ = try await sync.laptop.sync()
        try sync.phone.remove("1.jpg")
        try sync.phone.folder.write("own.jpg", PhotoBytes.jpeg(11))
        try sync.phone.folder.write("copy.jpg", PhotoBytes.jpeg(2))
        var settings = SyncSettings()
        (settings.isDryRun, settings.trashesAllMissing) = (true, true)
        let summary = try await sync.phone.sync(settings)
        #expect(
            Set(summary.planned.map { "\($0.action.rawValue) \($0.path)" })
                == ["upload own.jpg", "add copy.jpg", "trashInLibrary 1.jpg", "download new.jpg", "trashHere 0.jpg"])
        #expect(try sync.phone.photos().count == 5)
    }
}
