import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import PhotoLibrary

@Suite("Uncommitted catalog changes of a backup") struct BackupBookTests {
    private let folder: TemporaryFolder
    private let store = FakeStore()
    private var place: String { folder.place("state/a.journal") }
    private var catalogs: CatalogStore { CatalogStore(store: store, user: .bob, pause: .none) }

    init() throws { folder = try TemporaryFolder() }

    private func book(_ journal: BackupJournal) async throws -> BackupBook {
        try await BackupBook(
            catalogs: catalogs, journal: journal, journalFile: place, now: { Date(timeIntervalSince1970: 0) })
    }

    private func add(_ name: String, to book: inout BackupBook) throws {
        let zero = Timestamp(seconds: 0, nanoseconds: 0)
        let file = ScannedFile(
            path: try #require(LibraryPath(name)), stamp: FileStamp(size: 5, modified: zero, changed: zero, inode: 6),
            type: .jpeg)
        let inspection = FileInspection(
            stamp: file.stamp, md5: ContentDigest(of: ByteBuffer(string: name)), facts: MediaFacts(), held: nil)
        book.remember(file, inspection)
        book.add(file, inspection, isSent: true)
    }

    @Test("a content lost by the store is recorded at once, even if another process still assumes it exists")
    func lost() async throws {
        do {
            var first = try await book(BackupJournal.open(place))
            try add("a.jpg", to: &first)
            try await first.commit()
        }
        let origin = CatalogOrigin(journalFile: place)
        #expect(await origin.known() != nil)
        var one = try await book(BackupJournal.open(place))
        var other = try await book(BackupJournal.open(place))
        try add("a.jpg", to: &one)
        #expect(await origin.known() == nil)
        try add("b.jpg", to: &other)
        try await other.commit()
        #expect(await origin.known() == nil)
    }

    @Test("after an incomplete scan, files missing from the catalog are not treated as committed")
    func incomplete() async throws {
        let journal = BackupJournal.open(place)
        var book = try await book(journal)
        for name in ["a.jpg", "b.jpg"] { try add(name, to: &book) }
        try await book.commit()
        let (path, other) = (try #require(LibraryPath("a.jpg")), try #require(LibraryPath("b.jpg")))
        journal.markCommitted(path, ContentDigest(of: ByteBuffer(string: "lost")), isBrought: true)
        book.sawEverything(isComplete: false)
        #expect(journal.committed(path) == nil && journal.committed(other) != nil)
    }

    @Test("after a repair during a backup nothing is added until the backup scans again")
    func mendedMeanwhile() async throws {
        _ = try await catalogs.commit([try .photo("before.jpg", seed: 1)], onto: try await catalogs.head())
        var book = try await book(BackupJournal.open(place))
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        try await store.put(pointer, ByteBuffer(string: "junk"), if: .always)
        #expect(try await catalogs.repair().isRepaired)
        try add("a.jpg", to: &book)
        do throws(CatalogError) {
            try await book.commit()
            Issue.record("it was added")
        } catch {
            #expect(error == .purging)
        }
        #expect(await CatalogOrigin(journalFile: place).known() == nil)
        var again = try await self.book(BackupJournal.open(place))
        try add("a.jpg", to: &again)
        try await again.commit()
        again.sawEverything(isComplete: true)
        try await again.commit()
        #expect(await CatalogOrigin(journalFile: place).known() != nil)
        #expect(try await catalogs.load().catalog.count == 2)
    }
}
