import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct BackupJournalTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.subpath("state/a.journal")
    }

    private func file(_ name: String, size: Int64 = 5) throws -> ScannedFile {
        let stamp = FileFingerprint(
            size: size, modified: Timestamp(seconds: 1, nanoseconds: 2), changed: Timestamp(seconds: 3, nanoseconds: 4),
            inode: 6
        )
        return ScannedFile(path: try #require(LibraryPath(name)), fingerprint: stamp, type: .heic)
    }

    private func inspection(_ file: ScannedFile) -> FileInspection {
        let facts = MediaFacts(
            taken: CaptureDate(Timestamp(seconds: 7, nanoseconds: 8), offset: 540), width: 9, height: 10,
            orientation: 6,
            location: GeoLocation("-1.5 2"), color: PictureColor("0a1b2c"),
            duration: MediaDuration(milliseconds: .max), camera: CameraName("Ca\\non \\tR5"))
        let md5 = ContentDigest(of: ByteBuffer(string: file.path.description))
        return FileInspection(fingerprint: file.fingerprint, md5: md5, facts: facts)
    }

    /// Opens the journal, records files, and releases it as a killed process would.
    private func record(_ names: [String]) throws {
        let journal = BackupJournal.open(path)
        for name in names {
            let file = try file(name)
            journal.record(file, inspection(file))
        }
    }

    @Test("recorded files are known without an explicit save, including files with unusual names")
    func known() throws {
        let names = ["a.heic", "tab\there/new\nline \\n.heic", "caf\u{e9}.heic", "cafe\u{301}.heic"]
        try record(names)
        let journal = BackupJournal.load(path)
        #expect(journal.entries.count == 4)
        for name in names {
            let file = try file(name)
            let entry = try #require(journal.unchanged(file.path, file.fingerprint))
            #expect(entry.md5 == inspection(file).md5 && entry.facts == inspection(file).facts && entry.type == .heic)
            #expect(journal.unchanged(file.path, try self.file(name, size: 6).fingerprint) == nil)
        }
    }

    @Test("a row of an earlier version has no location, color, duration and camera")
    func earlierRow() throws {
        let file = try file("a.heic")
        let entry = BackupJournal.Entry(
            fingerprint: file.fingerprint, md5: inspection(file).md5, type: .heic, facts: inspection(file).facts,
            committed: inspection(file).md5)
        let fields = try #require(JournalRow.fields(of: JournalRow.file(file.path, entry).line.dropLast()))
        guard case .file(_, let earlier) = JournalRow(line: JournalRow.line(of: fields.dropLast(4)).dropLast()) else {
            Issue.record("the row is not read")
            return
        }
        #expect(fields[fields.count - 4] == "-1.5 2" && earlier.facts.location == nil && earlier.facts.color == nil)
        #expect(earlier.facts.width == 9 && earlier.facts.duration == nil && earlier.facts.camera == nil)
        guard case .file(_, let colored) = JournalRow(line: JournalRow.line(of: fields.dropLast(2)).dropLast()) else {
            Issue.record("the row with a color is not read")
            return
        }
        #expect(colored.facts.color != nil && colored.facts.duration == nil && colored.facts.camera == nil)
    }

    @Test("commits and files outside the backup are recorded")
    func marks() throws {
        try record(["a.heic"])
        let (photo, text) = (try file("a.heic"), try file("a.txt"))
        do {
            let journal = BackupJournal.open(path)
            journal.markCommitted(photo.path, inspection(photo).md5, isOwnAddition: false)
            journal.recordNonMedia([(text.path, text.fingerprint)])
            journal.recordChecked(day: 20_000)
        }
        let journal = BackupJournal.load(path)
        #expect(journal.committed(photo.path) == inspection(photo).md5)
        #expect(journal.isNonMedia(text.path, text.fingerprint))
        #expect(journal.checkedDay == 20_000)
        #expect(try !journal.isNonMedia(text.path, file("a.txt", size: 6).fingerprint))
    }

    @Test("the content uploaded by this device is recorded until another one replaces it, and is absent in older rows")
    func brought() throws {
        try record(["a.heic"])
        let photo = try file("a.heic")
        let (md5, other) = (inspection(photo).md5, ContentDigest(of: ByteBuffer(string: "other")))
        do {
            let journal = BackupJournal.open(path)
            journal.markCommitted(photo.path, md5, isOwnAddition: true)
            journal.markCommitted(photo.path, md5, isOwnAddition: false)
            journal.record(photo, inspection(photo))
        }
        #expect(BackupJournal.load(path).ownAddition(photo.path) == md5)
        do { BackupJournal.open(path).markCommitted(photo.path, other, isOwnAddition: false) }
        let journal = BackupJournal.load(path)
        #expect(journal.ownAddition(photo.path) == nil && journal.committed(photo.path) == other)
        let entry = try #require(journal.entries[photo.path])
        let line = JournalRow.file(photo.path, entry).line
        let fields = try #require(JournalRow.fields(of: line.dropLast()))
        // Without the last five fields: whether the content was deleted, the location, the color, the duration and the
        // camera.
        guard case .file(let path, let read)? = JournalRow(line: JournalRow.line(of: fields.dropLast(5)).dropLast())
        else {
            Issue.record("a row of an older version is not read")
            return
        }
        #expect(read.isOwnAddition == entry.isOwnAddition && read.committed == other && read.facts.location == nil)
        #expect(
            JournalRow.fields(of: JournalRow.file(path, read).line.dropLast()) == fields.dropLast(4) + ["", "", "", ""])
    }

    @Test("a removed file is forgotten until a file of that name exists again")
    func gone() throws {
        let name = "tab\there.heic"
        try record([name, "b.heic"])
        let (photo, text) = (try file(name), try file("a.txt"))
        do {
            let journal = BackupJournal.open(path)
            journal.markCommitted(photo.path, inspection(photo).md5, isOwnAddition: true)
            journal.recordNonMedia([(text.path, text.fingerprint)])
            journal.retainOnly([try file("b.heic").path], unseen: [])
        }
        let journal = BackupJournal.load(path)
        #expect(try Set(journal.entries.keys) == [file("b.heic").path])
        #expect(journal.ownAddition(photo.path) == nil && !journal.isNonMedia(text.path, text.fingerprint))
        try record([name])
        let again = BackupJournal.load(path)
        #expect(again.entries.count == 2 && again.committed(photo.path) == nil)
    }

    @Test("a truncated journal loses only the truncated row and can still be appended to")
    func torn() throws {
        try record(["a.heic", "b.heic", "c.heic"])
        let whole = try folder.read("state/a.journal")
        let lines = whole.split(separator: 10).count
        #expect(lines == 3)
        for length in stride(from: 0, to: whole.count, by: 7) {
            try folder.write("state/a.journal", Array(whole.prefix(length)))
            let left = BackupJournal.load(path).entries.count
            // A row that lacks only its line end is complete.
            #expect(left == whole.prefix(length + 1).count { $0 == 10 })
            try record(["d.heic"])
            #expect(BackupJournal.load(path).entries.count == left + 1)
        }
    }

    @Test("a damaged row is skipped")
    func damaged() throws {
        try record(["a.heic", "b.heic", "c.heic"])
        var bytes = try folder.read("state/a.journal")
        let middle = bytes.count / 2
        bytes[middle] ^= 1
        try folder.write("state/a.journal", bytes)
        #expect(BackupJournal.load(path).entries.count == 2)
    }

    @Test("a journal read in several blocks has all its rows, and an overlong row is ignored")
    func pieces() throws {
        let names = (0..<300).map { "\($0)" + String(repeating: "/\(String(repeating: "n", count: 250))", count: 15) }
        try record(names)
        let rows = try folder.read("state/a.journal")
        #expect(rows.count > 1 << 20)
        let junk = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20) + [10]
        try folder.write("state/a.journal", rows + junk + rows)
        #expect(JournalRows.read(path).count == 601)
        #expect(BackupJournal.load(path).entries.count == 300)
    }

    @Test("only one process writes the journal at a time")
    func lock() throws {
        let first = BackupJournal.open(path)
        let second = BackupJournal.open(path)
        let (one, two) = (try file("1.heic"), try file("2.heic"))
        second.record(two, inspection(two))
        first.record(one, inspection(one))
        #expect(second.unchanged(two.path, two.fingerprint) != nil, "the unlocked journal keeps its row in memory")
        #expect(Set(BackupJournal.load(path).entries.keys) == [one.path])
    }

    @Test("a journal with mostly obsolete rows is compacted and stays locked and complete")
    func compaction() throws {
        let journal = BackupJournal.open(path)
        let (one, two) = (try file("1.heic"), try file("2.heic"))
        for _ in 0..<1100 { journal.record(one, inspection(one)) }
        journal.record(two, inspection(two))
        journal.retainOnly([one.path], unseen: [])
        try journal.compact()
        #expect(JournalRows.read(path).count == 1)
        journal.record(two, inspection(two))
        try journal.compact()
        #expect(Set(BackupJournal.load(path).entries.keys) == [one.path, two.path])
        let other = BackupJournal.open(path)
        let three = try file("3.heic")
        other.record(three, inspection(three))
        #expect(BackupJournal.load(path).entries.count == 2, "the first journal still has the lock")
    }
}
