import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Uncommitted catalog changes of a backup") struct CommitBufferTests {
    private let folder: TemporaryFolder
    private let store = FakeObjectStore()
    private var path: String { folder.subpath("state/a.journal") }
    private var catalogs: CatalogStore { CatalogStore(store: store, user: .bob, pause: .none) }

    init() throws { folder = try TemporaryFolder() }

    private func buffer(_ journal: BackupJournal) async throws -> CommitBuffer {
        try await CommitBuffer(
            catalogs: catalogs, journal: journal, journalFile: path, now: { Date(timeIntervalSince1970: 0) })
    }

    private func add(_ name: String, to book: inout CommitBuffer) throws {
        let zero = Timestamp(seconds: 0, nanoseconds: 0)
        let file = ScannedFile(
            path: try #require(LibraryPath(name)),
            fingerprint: FileFingerprint(size: 5, modified: zero, changed: zero, inode: 6),
            type: .jpeg)
        let inspection = FileInspection(
            fingerprint: file.fingerprint, md5: ContentDigest(of: ByteBuffer(string: name)), facts: MediaFacts())
        book.recordInspection(file, inspection)
        _ = book.add(file, inspection, isNew: true)
    }

    @Test("a content lost by the store is recorded at once, even if another process still assumes it exists")
    func lost() async throws {
        do {
            var first = try await buffer(BackupJournal.open(path))
            try add("a.jpg", to: &first)
            try await first.commit()
        }
        let origin = JournalBaseline(journalFile: path)
        #expect(await origin.load() != nil)
        var one = try await buffer(BackupJournal.open(path))
        var other = try await buffer(BackupJournal.open(path))
        try add("a.jpg", to: &one)
        #expect(await origin.load() == nil)
        try add("b.jpg", to: &other)
        try await other.commit()
        #expect(await origin.load() == nil)
    }

    @Test("after an incomplete scan, files missing from the catalog are not treated as committed")
    func incomplete() async throws {
        let journal = BackupJournal.open(path)
        var book = try await buffer(journal)
        for name in ["a.jpg", "b.jpg"] { try add(name, to: &book) }
        try await book.commit()
        let (path, other) = (try #require(LibraryPath("a.jpg")), try #require(LibraryPath("b.jpg")))
        journal.markCommitted(path, ContentDigest(of: ByteBuffer(string: "lost")), isOwnAddition: true)
        book.finishScan(isComplete: false)
        #expect(journal.committed(path) == nil && journal.committed(other) != nil)
    }

    @Test("after a repair during a backup nothing is added until the backup scans again")
    func mendedMeanwhile() async throws {
        _ = try await catalogs.commit([try .photo("before.jpg", seed: 1)], onto: try await catalogs.head())
        var book = try await buffer(BackupJournal.open(path))
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        try await store.put(pointer, ByteBuffer(string: "junk"), if: .always)
        #expect(try await catalogs.repair().isRepaired)
        try add("a.jpg", to: &book)
        do throws(CatalogError) {
            try await book.commit()
            Issue.record("the commit succeeded after a repair")
        } catch {
            #expect(error == .purging)
        }
        #expect(await JournalBaseline(journalFile: path).load() == nil)
        var again = try await self.buffer(BackupJournal.open(path))
        try add("a.jpg", to: &again)
        try await again.commit()
        again.finishScan(isComplete: true)
        try await again.commit()
        #expect(await JournalBaseline(journalFile: path).load() != nil)
        #expect(try await catalogs.load().catalog.count == 2)
    }
}
