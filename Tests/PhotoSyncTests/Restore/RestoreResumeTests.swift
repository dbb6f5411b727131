import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Interrupted downloads of large files.
struct RestoreResumeTests {
    private static let large = PhotoBytes.jpeg(1, length: 10_000_000)

    private func fixture() async throws -> BackupFixture {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", Self.large)
        #expect(try await fixture.backUp().isComplete)
        fixture.store.offsets.withLock { $0 = [] }
        return fixture
    }

    private func restore(
        _ fixture: BackupFixture, to target: TemporaryFolder, attempts: Int = 1, keeping bytes: Int64 = 1 << 20
    ) async throws -> RestoreSummary {
        var settings = RestoreSettings()
        (settings.attempts, settings.resumableBytes) = (attempts, bytes)
        return try await Restore(store: fixture.store, user: .bob, settings: settings, pause: .none).run(
            into: target.path
        ) { _ in }
    }

    private func partial(_ fixture: BackupFixture) async throws -> String {
        RestoreTarget.partialName(for: try #require(try await fixture.catalog().entries.first))
    }

    @Test("the next restore resumes an interrupted file and verifies the whole file")
    func goesOn() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        fixture.store.cut.withLock { $0 = 4_000_000 }
        #expect(try await restore(fixture, to: target).failures.count == 1)
        #expect(try target.files() == [try await partial(fixture)])
        fixture.store.cut.withLock { $0 = nil }
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try target.files() == ["a.jpg"])
        #expect(try target.read("a.jpg") == Self.large)
        let offsets = fixture.store.offsets.withLock { $0 }
        #expect(offsets.count == 2)
        // An incomplete piece is requested again.
        #expect(try #require(offsets.last) > 2_900_000)
    }

    @Test("a file that progresses with each attempt is retried without limit")
    func comesNearer() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        fixture.store.cut.withLock { $0 = 2_500_000 }
        #expect(try await restore(fixture, to: target, attempts: 2).isComplete)
        #expect(try target.read("a.jpg") == Self.large)
        #expect(fixture.store.offsets.withLock { $0.count } == 5)
    }

    @Test("bytes hashed in a run are not read again after an interruption")
    func readsOnce() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        fixture.store.cut.withLock { $0 = 2_500_000 }
        var settings = RestoreSettings()
        (settings.attempts, settings.resumableBytes) = (2, 1 << 20)
        let received = Mutex<[Int64]>([])
        let restore = Restore(store: fixture.store, user: .bob, settings: settings, pause: .none)
        let summary = try await restore.run(into: target.path) { event in
            if case .received(_, let bytes, _) = event { received.withLock { $0.append(bytes) } }
        }
        #expect(summary.isComplete)
        #expect(fixture.store.offsets.withLock { $0.count } == 5)
        let told = received.withLock { $0 }
        // A restarted read would report its first megabyte again.
        #expect(told == told.sorted() && Set(told).count == told.count, "\(told)")
    }

    @Test("cancelling while a partial file is read keeps all of it for the next run")
    func cancelledReading() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        let name = try await partial(fixture)
        try target.write(name, Array(Self.large.prefix(9_000_000)))
        let task = Mutex<Task<RestoreSummary, any Error>?>(nil)
        let running = Task {
            var settings = RestoreSettings()
            settings.resumableBytes = 8 << 20
            // Waits until the task can be cancelled.
            while task.withLock({ $0 == nil }) { await Task.yield() }
            return try await Restore(store: fixture.store, user: .bob, settings: settings, pause: .none).run(
                into: target.path
            ) { event in
                if case .received = event { task.withLock { $0?.cancel() } }
            }
        }
        task.withLock { $0 = running }
        #expect(try await running.value.ending == .cancelled)
        #expect(try target.read(name) == Array(Self.large.prefix(9_000_000)))
        #expect(fixture.store.offsets.withLock { $0 }.isEmpty)
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(fixture.store.offsets.withLock { $0 } == [9_000_000])
    }

    @Test("a file that is received but cannot be renamed is given up after the last attempt")
    func isTakenAway() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        let place = target.subpath(try await partial(fixture))
        var settings = RestoreSettings()
        (settings.attempts, settings.resumableBytes) = (3, 1 << 20)
        let restore = Restore(store: fixture.store, user: .bob, settings: settings, pause: .none)
        let summary = try await restore.run(into: target.path) { event in
            // Another process deletes the partial file.
            if case .received = event { unlink(place) }
        }
        #expect(summary.failures.map(\.failure) == [.file(.missing)])
        #expect(fixture.store.offsets.withLock { $0 } == [0, 0, 0])
    }

    @Test("a damaged partial file is downloaded again")
    func wentBad() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        let name = try await partial(fixture)
        try target.write(name, [UInt8](repeating: 0, count: 3_000_000))
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try target.read("a.jpg") == Self.large)
        #expect(fixture.store.offsets.withLock { $0 } == [3_000_000, 0])
    }

    @Test("a complete partial file is only read locally, and one that is too long starts over")
    func allThere() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        let name = try await partial(fixture)
        try target.write(name, Self.large)
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(fixture.store.offsets.withLock { $0 }.isEmpty)
        try FileManager.default.removeItem(atPath: target.subpath("a.jpg"))
        try target.write(name, Self.large + [1])
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try target.read("a.jpg") == Self.large)
    }

    @Test("a hard link to a finished file is never written to")
    func secondName() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        let name = try await partial(fixture)
        let mine = [UInt8](repeating: 7, count: 3_000_000)
        try target.write("mine.jpg", mine)
        try FileManager.default.linkItem(atPath: target.subpath("mine.jpg"), toPath: target.subpath(name))
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try target.read("mine.jpg") == mine)
        #expect(try target.files() == ["a.jpg", "mine.jpg"])
    }

    @Test("a symbolic link at the partial file's name is removed and not followed")
    func link() async throws {
        let (fixture, target, outside) = (try await fixture(), try TemporaryFolder(), try TemporaryFolder())
        try outside.write("mine", [1, 2, 3])
        try target.link(try await partial(fixture), to: outside.subpath("mine"))
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try outside.read("mine") == [1, 2, 3])
        #expect(try target.files() == ["a.jpg"])
    }

    @Test("while one process downloads a file another one does not write to it")
    func twoAtOnce() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        let name = try await partial(fixture)
        let other = try PartialFile(in: try FolderHandle(target.path), name: name)
        try other.append(ByteBuffer(repeating: 1, count: 5))
        let summary = try await restore(fixture, to: target)
        #expect(summary.failures.map(\.failure) == [.file(.inUse)])
        #expect(try target.read(name) == [1, 1, 1, 1, 1])
        other.remove()
        #expect(try await restore(fixture, to: target).isComplete)
    }

    @Test("a short partial file is not kept")
    func little() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        fixture.store.cut.withLock { $0 = 4_000_000 }
        #expect(try await restore(fixture, to: target, keeping: 8 << 20).failures.count == 1)
        #expect(try target.files().isEmpty)
    }

    @Test("a dry run reports the files to restore and writes nothing")
    func dryRun() async throws {
        let fixture = try BackupFixture()
        for index in 0..<4 { try fixture.folder.write("d\(index)/\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        var settings = RestoreSettings()
        settings.isDryRun = true
        let dry = Restore(store: fixture.store, user: .bob, settings: settings, pause: .none)
        let target = try TemporaryFolder()
        let nowhere = try await dry.run(into: target.subpath("new/folder")) { _ in }
        #expect([nowhere.progress.restoredFiles, nowhere.progress.totalFiles].elementsEqual([4, 4]))
        try target.write("d1/1.jpg", PhotoBytes.jpeg(1))
        try target.write("d2/2.jpg", PhotoBytes.jpeg(9))
        let summary = try await dry.run(into: target.path) { _ in }
        #expect([summary.progress.restoredFiles, summary.progress.alreadyThereFiles].elementsEqual([3, 1]))
        #expect(summary.restoredBeside.map(\.path.description) == ["d2/2.jpg"])
        #expect(try target.files() == ["d1/1.jpg", "d2/2.jpg"])
        #expect(fixture.store.offsets.withLock { $0 }.isEmpty)
    }

    @Test("a target that cannot be written to is reported")
    func unwritable() async throws {
        let (fixture, target) = (try await fixture(), try TemporaryFolder())
        try target.write("file", [1])
        await #expect(throws: RestoreError.folder(.wrongKind)) {
            let restore = Restore(store: fixture.store, user: .bob, pause: .none)
            _ = try await restore.run(into: target.subpath("file/folder")) { _ in }
        }
        #if os(Linux)
            await #expect(throws: RestoreError.folder(.missing)) {
                let restore = Restore(store: fixture.store, user: .bob, pause: .none)
                _ = try await restore.run(into: "/proc/photos") { _ in }
            }
        #endif
    }
}
