import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Dry runs of a sync") struct SyncDryRunTests {
    private let fixture: SyncFixture
    private let (laptop, phone): (SyncDevice, SyncDevice)

    init() throws {
        fixture = try SyncFixture()
        (laptop, phone) = (fixture.laptop, fixture.phone)
    }

    /// The contents of all files, and the names of all folders, below a folder.
    private func tree(_ folder: TemporaryFolder) throws -> [String: [UInt8]] {
        var tree: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            tree[name] = FileManager.default.contents(atPath: folder.subpath(name)).map { Array($0) } ?? []
        }
        return tree
    }

    private func expectNothingWritten(
        _ device: SyncDevice, _ work: () async throws -> Void, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let before = (try tree(device.folder), try tree(device.state))
        try await work()
        #expect(try tree(device.folder) == before.0, sourceLocation: location)
        #expect(try tree(device.state).keys.sorted() == before.1.keys.sorted(), sourceLocation: location)
        #expect(try tree(device.state) == before.1, sourceLocation: location)
    }

    @Test("the first dry run of a folder writes nothing, neither in the folder nor in the state folder")
    func first() async throws {
        for number in 0..<3 { try phone.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        _ = try await phone.sync()
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(30))
        try await expectNothingWritten(laptop) {
            let predicted = try await laptop.sync(.dryRun)
            #expect(predicted.addedEntries == 1 && predicted.toFolder.progress.restoredFiles == 3)
        }
        try FileManager.default.removeItem(atPath: laptop.state.path)
        _ = try await laptop.sync(.dryRun)
        #expect(!FileManager.default.fileExists(atPath: laptop.state.path))
    }

    @Test("a dry run of a synced folder writes nothing, also where it discards the state of another folder")
    func later() async throws {
        try await fixture.addPhotos(3)
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(30))
        try phone.folder.write("other.jpg", PhotoBytes.jpeg(31))
        _ = try await phone.sync()
        try await expectNothingWritten(laptop) { _ = try await laptop.sync(.dryRun) }
        try laptop.folder.write(FolderMarker.name, Array("\(String(repeating: "0", count: 32))\n".utf8))
        try await expectNothingWritten(laptop) {
            let predicted = try await laptop.sync(.dryRun)
            #expect(predicted.addedEntries == 1)
        }
    }

    @Test("a dry run predicts the names under which files are kept beside others", arguments: [false, true])
    func keptBeside(isLaptopNewer: Bool) async throws {
        try await fixture.addPhotos(2)
        let (older, newer) = (Date(timeIntervalSince1970: 1_500_000_000), Date(timeIntervalSince1970: 1_600_000_000))
        for (device, number) in [(laptop, 30), (phone, 31)] {
            let date = (device === laptop) == isLaptopNewer ? newer : older
            try device.folder.write("1.jpg", PhotoBytes.jpeg(number), modified: date)
        }
        _ = try await phone.sync()
        let predicted = try await laptop.sync(.dryRun)
        let done = try await laptop.sync()
        #expect(done.toLibrary.conflicts.count == 1)
        #expect(predicted.toLibrary.conflicts == done.toLibrary.conflicts)
        #expect(predicted.movedFiles == done.movedFiles)
        #expect(predicted.toFolder.progress.restoredFiles == done.toFolder.progress.restoredFiles)
    }

    @Test("a renamed file is a move, and a copy of another one an addition")
    func renamed() async throws {
        try await fixture.addPhotos(4)
        try laptop.move("1.jpg", to: "in/renamed.jpg")
        try laptop.folder.write("copy.jpg", PhotoBytes.jpeg(2))
        let predicted = try await laptop.sync(.dryRun)
        #expect(
            predicted.planned.map { "\($0.action.rawValue) \($0.path)" }.sorted()
                == ["add copy.jpg", "moveInLibrary in/renamed.jpg"])
        #expect(predicted.addedEntries == 2 && predicted.renamedEntries == 1 && predicted.trashedEntries.isEmpty)
        let done = try await laptop.sync()
        #expect(done.addedEntries == 2 && done.renamedEntries == 1 && done.trashedEntries.isEmpty)
    }

    @Test("a dry run predicts that an edit of a dated photo replaces it, and that another photo of its name does not")
    func edited() async throws {
        func dated(_ number: Int, _ date: String) -> [UInt8] {
            PhotoBytes.jpeg(number, exif: PhotoBytes.exif([(0x9003, date)]))
        }
        for name in ["edited.jpg", "reused.jpg"] {
            try laptop.folder.write(name, dated(name.utf8.count, "2024:05:06 07:08:09"))
        }
        try await fixture.syncBoth()
        try laptop.folder.write("edited.jpg", dated(41, "2024:05:06 07:08:09"))
        try laptop.folder.write("reused.jpg", dated(42, "2025:05:06 07:08:09"))
        let predicted = try await laptop.sync(.dryRun)
        let done = try await laptop.sync()
        #expect(done.toLibrary.conflicts.map(\.path.description) == ["reused.jpg"])
        #expect(predicted.toLibrary.conflicts == done.toLibrary.conflicts)
    }
}
