import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct BackupWalkTests {
    @Test("files are uploaded before the walk ends, and the walk waits for uploads")
    func streaming() async throws {
        var fixture = try BackupFixture()
        fixture.settings.filesAhead = 2
        for index in 0..<60 { try fixture.folder.write("\(index)/a.jpg", PhotoBytes.jpeg(index)) }
        let sent = Mutex<(whenOver: Int?, now: Int)>((nil, 0))
        let summary = try await fixture.backUp { event in
            sent.withLock { sent in
                switch event {
                case .finished: sent.now += 1
                case .foundFiles(_, isOver: true): sent.whenOver = sent.whenOver ?? sent.now
                default: break
                }
            }
        }
        #expect(summary.isComplete && summary.progress.uploadedFiles == 60 && summary.progress.totalFiles == 60)
        // Files found ahead, files in progress, and folders being scanned.
        #expect(try #require(sent.withLock { $0.whenOver }) >= 60 - 2 - 16 - 4)
        #expect(try await fixture.catalog().count == 60)
    }

    @Test("folders are walked even if all files found so far are unchanged")
    func remembered() async throws {
        var fixture = try BackupFixture()
        (fixture.settings.filesAhead, fixture.settings.checkedContents, fixture.settings.recheckedContents) = (2, 0, 0)
        for index in 0..<3 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        try fixture.folder.write("a/b/3.jpg", PhotoBytes.jpeg(3))
        #expect(try await fixture.backUp().progress.uploadedFiles == 4)
        try fixture.folder.write("a/b/4.jpg", PhotoBytes.jpeg(4))
        let again = try await fixture.backUp()
        #expect(again.isComplete && again.progress.totalFiles == 5 && again.progress.uploadedFiles == 1)
        let journal = BackupJournal.load(
            BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path))
        #expect(journal.entries.count == 5)
        #expect(try await fixture.catalog().count == 5)
    }

    @Test("sidecars are backed up with their photos, and an unchanged folder adds no journal rows")
    func unchanged() async throws {
        var fixture = try BackupFixture()
        fixture.settings.checkedContents = 0
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("a.jpg.xmp", Array("<x:xmpmeta/>".utf8))
        try fixture.folder.write("b.jpg.xmp", Array("<x:xmpmeta/>".utf8))
        try fixture.folder.write("notes.txt", Array("text".utf8))
        let first = try await fixture.backUp()
        #expect(first.progress.uploadedFiles == 2)
        #expect(try await fixture.catalog().entries.map(\.type) == [.jpeg, .xmp])
        // Changed bytes with an unchanged fingerprint can only be found by reading.
        let journal = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        let before = JournalRows.read(journal).count
        let again = try await fixture.backUp()
        #expect(again.progress.alreadyStoredFiles == 2 && again.leftOut.count == 2)
        #expect(JournalRows.read(journal).count == before, "no row was added")
    }

    @Test("files outside the backup stay recorded when the journal is compacted")
    func foreign() async throws {
        let fixture = try BackupFixture()
        for name in ["b.xmp", "notes.txt"] { try fixture.folder.write(name, Array("<x:xmpmeta/>".utf8)) }
        let foreign = try await FolderScan(root: fixture.folder.path).descend(into: nil).nonMedia
        let place = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        do {
            let journal = BackupJournal.open(place)
            for _ in 0..<600 { journal.recordNonMedia(foreign) }
        }
        _ = try await fixture.backUp()
        #expect(JournalRows.read(place).count < 10)
        let journal = BackupJournal.load(place)
        #expect(foreign.count == 2 && foreign.allSatisfy { journal.isNonMedia($0.path, $0.fingerprint) })
    }

    @Test("a file changed just before it was read is read again, and its upload stays recorded")
    func justChanged() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try fixture.folder.write("notes.txt", Array("text".utf8))
        let file = try #require(try await FolderScan(root: fixture.folder.path).run().files.first)
        let place = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        // The file system's clock may be up to a second behind.
        let moment = Date(timeIntervalSince1970: Double(file.fingerprint.changed.seconds) + 1)
        #expect(try await fixture.backUp(at: moment).progress.uploadedFiles == 1)
        var journal = BackupJournal.load(place)
        #expect(journal.unchanged(file.path, file.fingerprint) == nil)
        #expect(journal.committed(file.path) == ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1))))
        #expect(journal.entries.count == 1)
        let foreign = try await FolderScan(root: fixture.folder.path).descend(into: nil).nonMedia
        #expect(foreign.count == 1 && foreign.allSatisfy { !journal.isNonMedia($0.path, $0.fingerprint) })

        #expect(try await fixture.backUp().progress.alreadyStoredFiles == 1)
        journal = BackupJournal.load(place)
        #expect(journal.unchanged(file.path, file.fingerprint) != nil)
        #expect(foreign.allSatisfy { journal.isNonMedia($0.path, $0.fingerprint) })
        let edited = Date(timeIntervalSince1970: Double(file.fingerprint.changed.seconds) - 100)
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(2))
        #expect(try await fixture.backUp(at: edited).conflicts.isEmpty)
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(3))
        #expect(try await fixture.backUp().conflicts.isEmpty)
        #expect(try await fixture.catalog().count == 1)
    }

    @Test("a file is at rest unless it was modified within two seconds of now")
    func atRest() {
        let time = Timestamp(seconds: 1_700_000_000, nanoseconds: 900_000_000)
        let stamp = FileFingerprint(size: 1, modified: time, changed: time, inode: 1)
        let atRest = [-3600, -3, -2, 0, 2, 3, 3600].map {
            stamp.isAtRest(at: Date(timeIntervalSince1970: 1_700_000_000 + $0))
        }
        #expect(atRest == [true, true, false, false, false, true, true])
    }

    @Test("a killed backup loses only the files in progress from the journal")
    func killed() async throws {
        let fixture = try BackupFixture()
        for index in 0..<30 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        let journal = BackupJournal.path(in: fixture.state.path, user: .bob, root: fixture.folder.path)
        let rows = Mutex<[Int]>([])
        _ = try await fixture.backUp { event in
            // The journal's content at this moment is what a kill would leave.
            if case .finished = event { rows.withLock { $0.append(JournalRows.read(journal).count) } }
        }
        let seen = rows.withLock { $0 }
        #expect(seen.count == 30)
        #expect(seen.enumerated().allSatisfy { $0.element >= $0.offset + 1 })
    }

    @Test("two concurrent backups of one folder are both complete and correct")
    func twice() async throws {
        let fixture = try BackupFixture()
        for index in 0..<60 { try fixture.folder.write("\(index % 6)/\(index).jpg", PhotoBytes.jpeg(index)) }
        async let first = fixture.backUp()
        async let second = fixture.backUp()
        let (one, two) = try await (first, second)
        #expect(one.isComplete && two.isComplete)
        #expect(one.progress.finishedFiles == 60 && two.progress.finishedFiles == 60)
        #expect(try await fixture.catalog().count == 60)
        #expect(one.conflicts.isEmpty && two.conflicts.isEmpty)
        let third = try await fixture.backUp()
        #expect(third.progress.alreadyStoredFiles == 60)
    }

    @Test("a wrong or jumping clock does not prevent a backup from completing")
    func clock() async throws {
        let fixture = try BackupFixture()
        for index in 0..<30 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        let ticks = Mutex(0)
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, settings: fixture.settings, pause: .none,
            now: {
                let tick = ticks.withLock {
                    $0 += 1; return $0
                }
                return Date(timeIntervalSince1970: Double([86_400, 0, 1_000_000, -86_400][tick % 4]))
            }
        )
        let summary = try await backup.run(folder: fixture.folder.path) { _ in }
        #expect(summary.isComplete && summary.progress.uploadedFiles == 30)
    }

    @Test("the first backup of a day checks its share of the stored contents, and later ones check a few")
    func checks() async throws {
        var fixture = try BackupFixture()
        fixture.settings.recheckedContents = 5
        for index in 0..<40 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp(onDay: 100)
        fixture.store.clearLog()
        _ = try await fixture.backUp(onDay: 100)
        #expect(fixture.store.count("head", "photos/") < 20)
        fixture.store.clearLog()
        _ = try await fixture.backUp(onDay: 101)
        #expect(fixture.store.count("head", "photos/") == 40)
    }

    @Test("a backup that a store throttles uploads everything eventually")
    func pressure() async throws {
        let refusals = Mutex(20)
        var fixture = try BackupFixture { verb, key in
            guard verb == "write", key.hasPrefix("photos/") else { return nil }
            return refusals.withLock { left in
                left -= 1
                return left >= 0 && left % 4 != 0 ? .unavailable("SlowDown (HTTP 503)") : nil
            }
        }
        fixture.settings.attempts = 30
        for index in 0..<80 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        let summary = try await fixture.backUp()
        #expect(summary.isComplete, "\(summary.failures)")
        #expect(summary.progress.uploadedFiles == 80)
    }
}
