import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Purges in progress and interrupted purges") struct PurgeUnderWayTests {
    @Test("a lost deletion of a missing content does not delete a later upload")
    func goneBefore() async throws {
        var call = 0
        while try await losesDeletion(at: call) { call += 1 }
        #expect(call > 3)
    }

    private func losesDeletion(at call: Int) async throws -> Bool {
        let fixture = try await PurgeFixture()
        let md5 = ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired)).description
        try await fixture.store.delete(ObjectKey(known: StorageLayout.photo(.bob, md5: md5)), if: .always)
        let faulty = FaultyObjectStore(fixture.store)
        faulty.arm(.lostAndLate, at: call)
        _ = try? await fixture.purge(faulty)
        _ = try? await fixture.phone().backUp()
        await faulty.applyLateChange()
        #expect(try await fixture.missing().isEmpty, "request \(call)")
        return faulty.faultedRequest != .nothing
    }

    @Test("a repair is refused during a purge and later omits and reports deleted contents")
    func repairBeside() async throws {
        var (call, leftOut) = (0, Set<String>())
        while let paths = try await leftOutOfRepair(purgingAt: call) {
            leftOut.formUnion(paths)
            call += 1
        }
        #expect(leftOut == ["new.jpg"])
    }

    /// - Returns: `nil` if the concurrent backup does not reach the request.
    private func leftOutOfRepair(purgingAt call: Int) async throws -> [String]? {
        let fixture = try await PurgeFixture()
        let wanted = Set([ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))])
        let interrupted = InterruptedObjectStore(fixture.store)
        let (catalogs, phone) = (fixture.catalogs(), try fixture.phone(interrupted))
        let began = Mutex<BegunPurge?>(nil)
        interrupted.interrupt(before: call) {
            let purge = try? await catalogs.beginPurge(olderThan: 30 * 86_400, among: wanted)
            began.withLock { $0 = purge }
        }
        _ = try? await phone.backUp()
        guard !interrupted.isWaiting, let purge = began.withLock({ $0 }) else { return nil }
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        try await fixture.store.delete(pointer, if: .always)
        await #expect(throws: CatalogError.purging) { _ = try await catalogs.repair() }
        let salvaged = try await catalogs.load()
        await #expect(throws: CatalogError.purging) {
            _ = try await catalogs.commit([try .photo("z.jpg", seed: 77)], onto: salvaged)
        }
        #expect(try await fixture.store.head(pointer) == nil, "request \(call)")
        for md5 in wanted {
            let key = ObjectKey(known: StorageLayout.photo(.bob, md5: "\(md5)"))
            try await fixture.store.delete(key, before: purge.deadline)
        }
        fixture.clock.advance(by: 2500)
        let repair = try await catalogs.repair()
        #expect(repair.isRepaired, "request \(call)")
        #expect(try await fixture.missing().isEmpty, "request \(call)")
        await #expect(throws: CatalogError.purging) {
            try await catalogs.endPurge(purge, deleted: wanted, isOver: true)
        }
        return repair.leftOut.map(\.description)
    }

    @Test("a temporarily wrong store clock does not end a purge early")
    func clockStep() async throws {
        let fixture = try await PurgeFixture()
        let wanted = Set([ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))])
        _ = try #require(try await fixture.catalogs().beginPurge(olderThan: 30 * 86_400, among: wanted))
        let phone = try fixture.phone()
        fixture.clock.advance(by: -3600)
        await #expect(throws: BackupError.catalog(.purging)) { _ = try await phone.backUp() }
        fixture.clock.advance(by: 3601)
        await #expect(throws: BackupError.catalog(.purging)) { _ = try await phone.backUp() }
    }

    @Test("a backup stopped by an interrupted purge reports its progress")
    func toldBefore() async throws {
        let fixture = try await PurgeFixture()
        let interrupted = InterruptedObjectStore(fixture.store)
        var phone = try fixture.phone(interrupted)
        for index in 10..<40 { try phone.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        (phone.settings.commitAfterFiles, phone.settings.parallelFiles) = (1, 1...1)
        let wanted = Set([ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))])
        interrupted.interrupt(before: 40) {
            _ = try? await fixture.catalogs().beginPurge(olderThan: 30 * 86_400, among: wanted)
        }
        let summary = try await phone.backUp()
        #expect(summary.ending == .stopped(.catalog(.purging)))
        #expect(summary.progress.uploadedFiles > 0)
    }

    @Test("two passes of a backup are reported as one")
    func passes() throws {
        var (first, second) = (BackupSummary(), BackupSummary())
        let (one, two) = (try #require(LibraryPath("1.jpg")), try #require(LibraryPath("2.jpg")))
        (first.progress.uploadedFiles, first.progress.uploadedBytes) = (5, 50)
        first.thumbnails = ThumbnailCount(stored: 4, notMade: [one], lackingProgram: 1, lackingTool: 1)
        first.failures = [(one, .file(.missing)), (two, .file(.missing))]
        first.ending = .stopped(.catalog(.purging))
        (second.progress.uploadedFiles, second.progress.uploadedBytes) = (2, 20)
        second.progress.alreadyStoredFiles = 6
        second.thumbnails = ThumbnailCount(stored: 2, notMade: [two], lackingProgram: 1, lackingTool: 1)
        second.failures = [(two, .file(.denied))]
        let both = second.following(first, makesMissingThumbnails: false)
        #expect(both.progress.uploadedFiles == 7 && both.progress.uploadedBytes == 70)
        #expect(both.progress.alreadyStoredFiles == 1)
        #expect(both.thumbnails == ThumbnailCount(stored: 6, notMade: [one, two], lackingProgram: 2, lackingTool: 2))
        let retried = second.following(first, makesMissingThumbnails: true).thumbnails
        #expect(retried == ThumbnailCount(stored: 6, notMade: [two], lackingProgram: 1, lackingTool: 1))
        #expect(both.failures.map(\.path) == [two])
        second.ending = .cancelled
        #expect(second.following(first, makesMissingThumbnails: false).failures.map(\.path) == [two, one])
    }

    @Test("during a purge additions are refused, and an interrupted purge expires after 40 minutes")
    func brokenOff() async throws {
        let fixture = try await PurgeFixture()
        let wanted = Set([ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))])
        let begun = try #require(try await fixture.catalogs().beginPurge(olderThan: 30 * 86_400, among: wanted))
        let phone = try fixture.phone()
        await #expect(throws: BackupError.catalog(.purging)) { _ = try await phone.backUp() }
        await #expect(throws: CatalogError.purging) { _ = try await fixture.purge() }
        await #expect(throws: SelectionError.catalog(.purging)) {
            _ = try await PhotoTrash(fixture.catalogs()).restore(PhotoSelection())
        }
        fixture.clock.advance(by: 2399)
        await #expect(throws: BackupError.catalog(.purging)) { _ = try await phone.backUp() }
        fixture.clock.advance(by: 2)
        await #expect(throws: ObjectStoreError.unavailable("deadline exceeded")) {
            try await fixture.store.delete(ObjectKey(known: "photos/x"), before: begun.deadline)
        }
        #expect(try await phone.backUp().isComplete)
        await #expect(throws: CatalogError.purging) {
            try await fixture.catalogs().endPurge(begun, deleted: wanted, isOver: true)
        }
        #expect(try await fixture.isStored(PurgeFixture.expired))
        #expect(try await fixture.missing().isEmpty)
    }

    @Test("a purge that started with a wrong store clock expires once the clock is correct")
    func wrongClock() async throws {
        let fixture = try await PurgeFixture()
        fixture.clock.advance(by: 365 * 86_400)
        let wanted = Set([ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))])
        _ = try #require(try await fixture.catalogs().beginPurge(olderThan: 30 * 86_400, among: wanted))
        fixture.clock.advance(by: -365 * 86_400)
        let phone = try fixture.phone()
        await #expect(throws: BackupError.catalog(.purging)) { _ = try await phone.backUp() }
        fixture.clock.advance(by: 2460)
        #expect(try await phone.backUp().isComplete)
    }

    @Test("a deletion signed at the deadline and delayed by 15 minutes arrives before the purge expires")
    func late() async throws {
        let fixture = try await PurgeFixture()
        let wanted = Set([ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired))])
        let begun = try #require(try await fixture.catalogs().beginPurge(olderThan: 30 * 86_400, among: wanted))
        let until = try #require(begun.purge.until)
        #expect(Double(until.seconds) - begun.deadline.timeIntervalSince1970 >= 900 + 60)
        #expect(begun.deadline > fixture.clock.now + 60)
    }

    @Test("a backup interrupted by a purge scans again and uploads only deleted contents twice")
    func inTheMiddle() async throws {
        let fixture = try await PurgeFixture()
        let interrupted = InterruptedObjectStore(fixture.store)
        var phone = try fixture.phone(interrupted)
        for index in 10..<40 { try phone.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        (phone.settings.commitAfterFiles, phone.settings.parallelFiles) = (1, 1...1)
        interrupted.interrupt(before: 40) { _ = try? await fixture.purge() }
        let summary = try await phone.backUp()
        #expect(!interrupted.isWaiting && summary.isComplete)
        #expect((31...32).contains(summary.progress.uploadedFiles), "\(summary.progress)")
        let nothing = try await phone.backUp()
        #expect(nothing.isComplete && nothing.progress.uploadedFiles == 0)
        #expect(try await fixture.missing().isEmpty)
    }

    @Test("contents deleted by an interrupted purge cannot be restored from the trash, and all others can")
    func gone() async throws {
        let fixture = try await PurgeFixture()
        let md5 = ContentDigest(of: ByteBuffer(bytes: PurgeFixture.expired)).description
        try await fixture.store.delete(ObjectKey(known: StorageLayout.photo(.bob, md5: md5)), if: .always)
        let summary = try await PhotoTrash(fixture.catalogs()).restore(PhotoSelection())
        #expect(summary.files == 2 && summary.missing.map(\.description) == ["a.jpg"])
        #expect(try await fixture.catalog().trash.map(\.path.description) == ["a.jpg"])
        #expect(try await fixture.missing().isEmpty)
    }
}
