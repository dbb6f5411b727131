import Foundation
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Sync in one direction") struct SyncDirectionTests {
    private let fixture: SyncFixture
    private var laptop: SyncDevice { fixture.laptop }
    private var phone: SyncDevice { fixture.phone }

    init() throws { fixture = try SyncFixture() }

    /// The phone has all kinds of changes to pass on: 1.jpg was removed there and 0.jpg elsewhere; own.jpg is new there and
    /// new.jpg elsewhere.
    private func diverge() async throws {
        try await fixture.addPhotos(4)
        try laptop.remove("0.jpg")
        try laptop.folder.write("new.jpg", PhotoBytes.jpeg(10))
        _ = try await laptop.sync()
        try phone.remove("1.jpg")
        try phone.folder.write("own.jpg", PhotoBytes.jpeg(11))
    }

    @Test("a sync to the library changes nothing in the folder, and the next one in both directions does")
    func toLibrary() async throws {
        try await diverge()
        let before = try phone.photos()
        let plan = try await phone.sync(.only(.toLibrary, isDryRun: true))
        #expect(actions(plan) == ["upload own.jpg", "trashInLibrary 1.jpg"])
        let summary = try await phone.sync(.only(.toLibrary))
        #expect(summary.addedEntries == 1 && summary.trashedEntries.map(\.description) == ["1.jpg"])
        for each in [plan, summary] {
            #expect(each.omissions.downloads == 1 && each.omissions.removals == 1 && each.omissions.uploads == 0)
            #expect(each.isComplete && !each.isEqual && each.waitingFiles == 0)
        }
        #expect(try phone.photos() == before)
        #expect(Set(try await fixture.library.photos().keys) == ["2.jpg", "3.jpg", "new.jpg", "own.jpg"])
        let next = try await phone.sync()
        #expect(next.toFolder.progress.restoredFiles == 1 && next.trashedFiles.map(\.description) == ["0.jpg"])
        #expect(next.isEqual)
    }

    @Test("a sync to the folder changes nothing in the library, and the next one in both directions does")
    func toFolder() async throws {
        try await diverge()
        let before = try await fixture.library.photos()
        let plan = try await phone.sync(.only(.toFolder, isDryRun: true))
        #expect(actions(plan) == ["download new.jpg", "trashHere 0.jpg"])
        for _ in 0..<2 {
            let summary = try await phone.sync(.only(.toFolder))
            for each in [plan, summary] {
                #expect(each.omissions.uploads == 1 && each.omissions.removals == 1 && each.omissions.downloads == 0)
                #expect(each.isComplete && !each.isEqual && each.waitingFiles == 0)
            }
            #expect(Set(try phone.photos().keys) == ["2.jpg", "3.jpg", "new.jpg", "own.jpg"])
        }
        #expect(try await fixture.library.photos() == before)
        let next = try await phone.sync()
        #expect(next.addedEntries == 1 && next.trashedEntries.map(\.description) == ["1.jpg"])
        #expect(next.isEqual)
    }

    @Test("a file that was written just now, as by a sync to the folder, is deferred and not said to be missing")
    func written() async throws {
        try await fixture.addPhotos()
        let disk = try SyncDevice(3, store: phone.store)
        try disk.folder.write("0.jpg", PhotoBytes.jpeg(0))
        let written = try OpenFile("\(disk.folder.path)/0.jpg").fingerprint().changed
        let early = try await disk.sync(.only(.toFolder), now: Date(timeIntervalSince1970: Double(written.seconds)))
        #expect(early.waitingFiles == 1 && early.omissions == SyncOmissions())
        #expect(try await disk.sync(.only(.toFolder)).isEqual)
    }

    @Test("a sync to the folder finds what is there, and keeps other files with the names of the library's")
    func obstructed() async throws {
        try await fixture.addPhotos()
        let disk = try SyncDevice(3, store: phone.store)
        try disk.folder.write("0.jpg", PhotoBytes.jpeg(0))
        try disk.folder.write("1.jpg", PhotoBytes.jpeg(20))
        let summary = try await disk.sync(.only(.toFolder))
        #expect(summary.toFolder.progress.restoredFiles == 1)
        #expect(summary.omissions == SyncOmissions(downloads: 1, uploads: 1, removals: 0))
        #expect(try disk.photos()["1.jpg"] == PhotoBytes.jpeg(20))
        let journal = BackupJournal.load(
            BackupJournal.path(in: disk.state.path, user: .bob, root: try LocalFolder.resolve(disk.folder.path)))
        #expect(journal.entries.keys.contains { $0.description == "0.jpg" })
        _ = try await disk.sync()
        #expect(try disk.photos().count == 4)
    }

    private func actions(_ summary: SyncSummary) -> [String] {
        summary.planned.map { "\($0.action.rawValue) \($0.path)" }
    }
}

@Suite("Confirmation of a folder's first download") struct FirstDownloadTests {
    private let fixture: SyncFixture
    private let questions = Questions()

    init() throws { fixture = try SyncFixture() }

    private final class Questions: Sendable {
        let asked = Mutex<[SyncDownload]>([])
        var count: Int { asked.withLock(\.count) }
    }

    private func sync(
        _ device: SyncDevice, _ settings: SyncSettings = SyncSettings(), answer: Bool
    ) async throws -> SyncSummary {
        var sync = device.makeSync(settings)
        sync.confirmsDownload = { [questions] download in
            questions.asked.withLock { $0.append(download) }
            return answer
        }
        return try await sync.run(folder: device.folder.path, report: { _ in })
    }

    private func newDevice() async throws -> SyncDevice {
        try await fixture.addPhotos()
        let device = try SyncDevice(3, store: fixture.phone.store)
        try device.folder.write("own.jpg", PhotoBytes.jpeg(20))
        return device
    }

    @Test("is requested once, before anything changes")
    func once() async throws {
        let device = try await newDevice()
        let before = try await fixture.library.photos()
        await #expect(throws: SyncError.notConfirmed) { _ = try await sync(device, answer: false) }
        let bytes = before.values.reduce(0) { $0 + Int64($1.count) }
        #expect(
            questions.asked.withLock { $0.map(\.files) } == [3] && questions.asked.withLock { $0[0].bytes } == bytes)
        #expect(try device.folder.files() == ["own.jpg"])
        #expect(try await fixture.library.photos() == before)
        #expect(try await sync(device, answer: true).isEqual)
        try fixture.laptop.folder.write("later.jpg", PhotoBytes.jpeg(21))
        _ = try await fixture.laptop.sync()
        #expect(try await sync(device, answer: false).toFolder.progress.restoredFiles == 1)
        #expect(questions.count == 2)
    }

    @Test("is still due after syncs to the library, and after the record was rewritten")
    func afterUploads() async throws {
        let device = try await newDevice()
        #expect(try await sync(device, .only(.toLibrary), answer: false).addedEntries == 1)
        #expect(questions.count == 0)
        await #expect(throws: SyncError.notConfirmed) { _ = try await sync(device, answer: false) }
        let locked = try device.lockFolder()
        var state = locked.syncState
        try state.rewrite()
        state.close()
        locked.release()
        await #expect(throws: SyncError.notConfirmed) { _ = try await sync(device, .only(.toFolder), answer: false) }
        #expect(try await sync(device, .only(.toFolder), answer: true).toFolder.progress.restoredFiles == 3)
        #expect(questions.asked.withLock { $0.map(\.files) } == [3, 3, 3])
    }

    @Test("is not requested for a folder that already has the library's photos, nor in a dry run")
    func nothingToDownload() async throws {
        let device = try await newDevice()
        #expect(try await sync(device, .dryRun, answer: false).toFolder.progress.restoredFiles == 3)
        let empty = try SyncDevice(4, store: SyncLibrary(clock: TestClock()).store)
        try empty.folder.write("own.jpg", PhotoBytes.jpeg(20))
        #expect(try await sync(empty, answer: false).isEqual)
        #expect(questions.count == 0)
    }
}

extension SyncSettings {
    fileprivate static func only(_ directions: SyncDirections, isDryRun: Bool = false) -> SyncSettings {
        var settings = SyncSettings()
        (settings.directions, settings.isDryRun) = (directions, isDryRun)
        return settings
    }
}
