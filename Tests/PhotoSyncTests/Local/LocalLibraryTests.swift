import Foundation
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Local photos without an account") struct LocalLibraryTests {
    private static let later = Date(timeIntervalSince1970: Double(BackupFixture.firstDay) * 86_400)

    private func library(_ fixture: BackupFixture, at moment: Date = later) -> LocalLibrary {
        LocalLibrary(stateFolder: fixture.state.path) { moment }
    }

    @Test("a scan reports photos, date range and duplicates, and a second scan reads only new files")
    func scan() async throws {
        let fixture = try BackupFixture()
        let exif = PhotoBytes.exif([(0x9003, "2020:02:02 02:02:02")])
        try fixture.folder.write("2020/a.jpg", PhotoBytes.jpeg(1, exif: exif))
        try fixture.folder.write("b.jpg", PhotoBytes.jpeg(2), modified: Date(timeIntervalSince1970: 1_700_000_000))
        try fixture.folder.write(
            "copy of b.jpg", PhotoBytes.jpeg(2), modified: Date(timeIntervalSince1970: 1_700_000_000))
        try fixture.folder.write("notes.txt", Array("text".utf8))
        let first = try await library(fixture).scan(fixture.folder.path) { _ in }
        #expect(first.photos.map(\.path.description) == ["2020/a.jpg", "b.jpg", "copy of b.jpg"])
        #expect(first.readFiles == 3)
        #expect(first.duplicates.map { $0.map(\.path.description) } == [["b.jpg", "copy of b.jpg"]])
        #expect(first.firstAndLastTaken?.first.dateText == "2020-02-02T02:02:02Z")
        #expect(first.firstAndLastTaken?.last.dateText == "2023-11-14T22:13:20Z")
        #expect(first.leftOut.map(\.path.description) == ["notes.txt"])

        try fixture.folder.write("new.jpg", PhotoBytes.jpeg(3))
        let second = try await library(fixture).scan(fixture.folder.path) { _ in }
        #expect(second.readFiles == 1)
        #expect(second.photos.count == 4)
        #expect(library(fixture).photos(of: second.folder) == second.photos)
    }

    @Test("a removed file is no longer reported")
    func removed() async throws {
        let fixture = try BackupFixture()
        for index in 0..<3 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await library(fixture).scan(fixture.folder.path) { _ in }
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("1.jpg"))
        let scan = try await library(fixture).scan(fixture.folder.path) { _ in }
        #expect(scan.photos.map(\.path.description) == ["0.jpg", "2.jpg"])
        #expect(library(fixture).photos(of: scan.folder) == scan.photos)
    }

    @Test("an emptied folder is reported as a problem and stays known until it is forgotten")
    func emptied() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        let first = try await library(fixture).scan(fixture.folder.path) { _ in }
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("a.jpg"))
        let second = try await library(fixture).scan(fixture.folder.path) { _ in }
        #expect(second.photos.isEmpty && second.problems == [.emptied])
        #expect(library(fixture).photos(of: first.folder) == first.photos)
        #expect(try library(fixture).forget(first.folder))
        let third = try await library(fixture).scan(fixture.folder.path) { _ in }
        #expect(third.problems.isEmpty)
    }

    @Test("a file changed just before it was read is read again")
    func justChanged() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        let now = Date()
        let first = try await library(fixture, at: now).scan(fixture.folder.path) { _ in }
        #expect(library(fixture).photos(of: first.folder) == first.photos)
        let again = try await library(fixture).scan(fixture.folder.path) { _ in }
        #expect(again.readFiles == 1)
    }

    @Test("scanned folders are known by their real paths until they are forgotten")
    func folders() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a/a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("b\nb/b.jpg", PhotoBytes.jpeg(2))
        try fixture.folder.link("to a", to: fixture.folder.subpath("a"))
        let library = library(fixture)
        #expect(try library.folders() == [])
        for name in ["a", "b\nb", "to a"] { _ = try await library.scan(fixture.folder.subpath(name)) { _ in } }
        #expect(try library.folders() == [fixture.folder.subpath("a"), fixture.folder.subpath("b\nb")])
        #expect(try library.forget(fixture.folder.subpath("to a")))
        #expect(try !library.forget(fixture.folder.subpath("a")))
        #expect(try library.folders() == [fixture.folder.subpath("b\nb")])
        #expect(library.photos(of: fixture.folder.subpath("a")) == [])
        #expect(try fixture.folder.read("a/a.jpg") == PhotoBytes.jpeg(1))
    }

    @Test("state of this device that cannot be written is no error of the scanned folder")
    func state() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        let state = fixture.folder.subpath("a.jpg/state")
        let library = LocalLibrary(stateFolder: state) { Date() }
        await #expect(throws: BackupError.state(.wrongKind, path: state)) {
            _ = try await library.scan(fixture.folder.path) { _ in }
        }
        await #expect(throws: BackupError.folder(.missing)) {
            _ = try await library.scan(fixture.folder.subpath("none")) { _ in }
        }
        #expect(throws: BackupError.state(.wrongKind, path: state)) { try library.folders() }
    }

    @Test("a backup reuses the results of a scan and uploads all photos")
    func backup() async throws {
        let fixture = try BackupFixture()
        for index in 0..<5 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await library(fixture).scan(fixture.folder.path) { _ in }
        let user = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        let summary = try await fixture.backUp()
        #expect(summary.isComplete && summary.progress.uploadedFiles == 5)
        let journal = BackupJournal.load(user)
        #expect(journal.entries.count == 5 && journal.entries.values.allSatisfy { $0.committed == $0.md5 })
        let again = try await fixture.backUp()
        #expect(again.progress.uploadedFiles == 0 && again.progress.alreadyStoredFiles == 5)
    }

    @Test("a changed file is uploaded despite an older scan result")
    func outdated() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        _ = try await library(fixture).scan(fixture.folder.path) { _ in }
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(2, length: 700))
        let summary = try await fixture.backUp()
        #expect(summary.progress.uploadedFiles == 1)
        let stored = try await fixture.stored(PhotoBytes.jpeg(2, length: 700))
        #expect(stored != nil)
        let old = try await fixture.stored(PhotoBytes.jpeg(1))
        #expect(old == nil)
    }
}
