import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Plan of a migration to an account") struct LibraryMigrationPlanTests {
    private static let later = Date(timeIntervalSince1970: Double(BackupFixture.firstDay) * 86_400)

    private func scan(_ fixture: BackupFixture) async throws -> LocalScan {
        try await LocalLibrary(stateFolder: fixture.state.path) { Self.later }.scan(fixture.folder.path) { _ in }
    }

    @Test("each content counts once, and contents in the library count as stored")
    func counts() async throws {
        let fixture = try BackupFixture()
        for index in 0..<3 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        try fixture.folder.write("new.jpg", PhotoBytes.jpeg(9))
        try fixture.folder.write("new, too.jpg", PhotoBytes.jpeg(9))
        let plan = try LibraryMigrationPlan([try await scan(fixture)], into: try await fixture.catalog())
        #expect([plan.files, plan.waitingFiles, plan.waitingContents].elementsEqual([5, 2, 1]))
        #expect(plan.waitingBytes == Int64(PhotoBytes.jpeg(9).count))
        #expect(plan.storedBytes == (0..<3).reduce(0) { $0 + Int64(PhotoBytes.jpeg($1).count) })
    }

    @Test("a selected photo includes its companions, and only these are uploaded")
    func picked() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write(
            "IMG_1.HEIC", PhotoBytes.heic(exif: PhotoBytes.exif([(0x9003, "2020:02:02 02:02:02")])))
        try fixture.folder.write("IMG_1.MOV", MovieBytes.movie(MovieBytes.mvhd(0)))
        try fixture.folder.write("IMG_2.jpg", PhotoBytes.jpeg(2))
        var selection = PhotoSelection()
        selection.paths = ["IMG_1.HEIC"]
        let plan = try LibraryMigrationPlan([try await scan(fixture)], into: Catalog(), selection: selection)
        let wanted = try #require(plan.folders.first?.wanted)
        #expect(wanted.map(\.description).sorted() == ["IMG_1.HEIC", "IMG_1.MOV"])
        let backup = Backup(store: fixture.store, user: .bob, stateFolder: fixture.state.path, pause: .none) {
            Self.later
        }
        let summary = try await backup.run(folder: fixture.folder.path, only: wanted) { _ in }
        #expect(summary.isComplete && summary.progress.totalFiles == 2 && summary.progress.uploadedFiles == 2)
        // Unselected files are recorded as well, and a full backup uploads them.
        let rest = try await fixture.backUp()
        #expect(rest.progress.uploadedFiles == 1 && rest.progress.alreadyStoredFiles == 2)
    }

    @Test("a missing selected file is a failure, and unselected files are ignored")
    func gone() async throws {
        let fixture = try BackupFixture()
        for index in 0..<3 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        let wanted = try Set(["0.jpg", "1.jpg"].map { try #require(LibraryPath($0)) })
        try FileManager.default.removeItem(atPath: fixture.folder.subpath("1.jpg"))
        let backup = Backup(store: fixture.store, user: .bob, stateFolder: fixture.state.path, pause: .none) {
            Self.later
        }
        let summary = try await backup.run(folder: fixture.folder.path, only: wanted) { _ in }
        #expect(!summary.isComplete && summary.ending == .completed)
        #expect(summary.failures.map(\.path.description) == ["1.jpg"])
        #expect(summary.failures.map(\.failure) == [.file(.missing)])
        #expect(summary.progress.uploadedFiles == 1)
    }

    @Test("a problem outside the selection does not count, one above it does")
    func problems() throws {
        let wanted = try Set(["a/1.jpg"].map { try #require(LibraryPath($0)) })
        let zero = Timestamp(seconds: 0, nanoseconds: 0)
        let fingerprint = FileFingerprint(size: 5, modified: zero, changed: zero, inode: 6)
        let found = FolderContent(files: wanted.map { ScannedFile(path: $0, fingerprint: fingerprint, type: .jpeg) })
        for (path, counts) in [("a", true), ("a/1.jpg", true), ("a/2.jpg", false), ("b", false), ("a/1", false)] {
            var summary = BackupSummary()
            summary.problems = [ScanProblem(path: path, reason: .file(.denied))]
            var files = WantedFiles(wanted)
            _ = files.select(from: found)
            summary.restrict(to: files)
            #expect(summary.isComplete == !counts, "\(path)")
        }
    }

    @Test("a rate covers only transfer time and is available only for the same server, recently and after enough bytes")
    func rate() async throws {
        let state = try TemporaryFolder()
        let clock = Mutex(Self.later)
        let meter = RateMeter { clock.withLock { $0 } }
        func pass(_ seconds: Double) { clock.withLock { $0 += seconds } }
        #expect(meter.rate(to: "a") == nil)
        // Half a minute of scanning, then 1 MiB each half second, with a pause of 30,000 s after the second.
        meter.record(0)
        pass(30)
        for megabyte in 1...8 as ClosedRange<Int64> {
            meter.record(megabyte << 20)
            if megabyte == 4 { #expect(meter.rate(to: "a") == nil) }
            pass(megabyte == 2 ? 30_000 : 0.5)
        }
        let rate = try #require(meter.rate(to: "a"))
        #expect(rate.bytesPerSecond == 2_097_152)
        try await rate.save(in: state.path)
        let now = rate.measuredAt
        #expect(MeasuredRate.load(in: state.path, server: "a", now: now + 60) == rate)
        #expect(MeasuredRate.load(in: state.path, server: "b", now: now + 60) == nil)
        #expect(MeasuredRate.load(in: state.path, server: "a", now: now - 60) == nil)
        #expect(MeasuredRate.load(in: state.path, server: "a", now: now + 30 * 86_400) == nil)
    }
}
