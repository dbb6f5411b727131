import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// A purge in every order with another operation, and under every fault: every content of the library stays in the
/// store.
@Suite struct PurgeProtocolTests {
    /// An operation by another device on an expired content in the trash.
    enum Operation: CaseIterable {
        case backUp, restoreFromTrash

        /// Runs the operation, which may be refused.
        func run(_ fixture: PurgeFixture, _ phone: BackupFixture, _ view: (any ObjectStore)? = nil) async {
            switch self {
            case .backUp: _ = try? await phone.backUp()
            case .restoreFromTrash: _ = try? await PhotoTrash(fixture.catalogs(view)).restore(PhotoSelection())
            }
        }
    }

    @Test(
        "a purge at any moment of another operation loses no content, even with a pause of hours",
        arguments: Operation.allCases, [0, 7200])
    func purgeAtEveryMoment(act: Operation, sleep: TimeInterval) async throws {
        var call = 0
        while try await purges(at: call, of: act, sleeping: sleep) { call += 1 }
        #expect(call > 3)
    }

    private func purges(at call: Int, of act: Operation, sleeping sleep: TimeInterval) async throws -> Bool {
        let fixture = try await PurgeFixture()
        let interrupted = InterruptedObjectStore(fixture.store)
        let phone = try fixture.phone(interrupted)
        interrupted.interrupt(before: call) {
            _ = try? await fixture.purge()
            fixture.clock.advance(by: sleep)
        }
        await act.run(fixture, phone, interrupted)
        guard !interrupted.isWaiting else { return false }
        try await salvage(fixture, "before request \(call)")
        try await end(fixture, phone, "before request \(call)")
        return true
    }

    /// Checks that every content of the library is stored after the pointer is lost, or after the newest snapshot is
    /// damaged and the catalog repaired.
    private func salvage(_ fixture: PurgeFixture, _ place: String) async throws {
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        for isDamaged in [false, true] {
            // The end of the purge may be recorded only in the damaged snapshot: a repair waits until its time has
            // passed.
            let copy = fixture.store.copy { fixture.clock.now.addingTimeInterval(isDamaged ? 2500 : 0) }
            let catalogs = CatalogStore(store: copy, user: .bob, pause: .none)
            if isDamaged {
                let newest = try #require(try await catalogs.head().snapshot)
                let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: newest.description))
                _ = try await copy.put(key, ByteBuffer(string: "junk"), if: .always)
                #expect(try await catalogs.repair().isRepaired)
            } else {
                try await copy.delete(pointer, if: .always)
            }
            for entry in try await catalogs.load().catalog.entries {
                let key = ObjectKey(known: StorageLayout.photo(.bob, md5: entry.md5.description))
                #expect(try await copy.head(key) != nil, "\(entry.path) \(place), damaged: \(isDamaged)")
            }
        }
    }

    @Test(
        "an operation by another device at any moment of a purge loses no content",
        arguments: Operation.allCases)
    func actAtEveryMoment(act: Operation) async throws {
        var call = 0
        while try await isInterrupted(act, at: call) { call += 1 }
        #expect(call > 3)
    }

    private func isInterrupted(_ act: Operation, at call: Int) async throws -> Bool {
        let fixture = try await PurgeFixture()
        let interrupted = InterruptedObjectStore(fixture.store)
        let phone = try fixture.phone()
        interrupted.interrupt(before: call) { await act.run(fixture, phone) }
        _ = try? await fixture.purge(interrupted)
        guard !interrupted.isWaiting else { return false }
        try await end(fixture, phone, "before request \(call)")
        return true
    }

    @Test(
        "a fault at any request of a purge loses nothing, and a later purge succeeds",
        arguments: FaultyObjectStore.Fault.allCases)
    func faults(fault: FaultyObjectStore.Fault) async throws {
        var call = 0
        while try await hitsFault(fault, at: call) { call += 1 }
        #expect(call > 3)
    }

    private func hitsFault(_ fault: FaultyObjectStore.Fault, at call: Int) async throws -> Bool {
        let fixture = try await PurgeFixture()
        let faulty = FaultyObjectStore(fixture.store)
        let phone = try fixture.phone()
        faulty.arm(fault, at: call)
        let purge = try? await fixture.purge(faulty)
        // A missing object counts as deleted, even if the response was lost.
        if fault == .lostAfter, let purge { #expect(!purge.isUnderWay, "request \(call)") }
        // Until all requests have arrived, no device adds a content that may be deleted.
        await Operation.backUp.run(fixture, phone)
        let place = "\(fault) at request \(call)"
        await faulty.applyLateChange()
        #expect(try await fixture.missing().isEmpty, "\(place)")
        try await end(fixture, phone, place)
        return faulty.faultedRequest != .nothing
    }

    /// Checks that an hour later the phone's photo is stored, a purge succeeds, and nothing is missing.
    private func end(_ fixture: PurgeFixture, _ phone: BackupFixture, _ place: String) async throws {
        #expect(try await fixture.missing().isEmpty, "\(place)")
        fixture.clock.advance(by: 3600)
        let summary = try await BackupFixture(like: phone, store: FakeObjectStore(fixture.store)).backUp()
        #expect(summary.isComplete, "\(place)")
        #expect(try await fixture.catalog().entries.contains { $0.path.description == "new.jpg" }, "\(place)")
        let purge = try await fixture.purge()
        #expect(!purge.isUnderWay && purge.failed == 0, "\(place)")
        for bytes in [PurgeFixture.expired, PurgeFixture.elsewhere, PurgeFixture.recent] {
            #expect(try await fixture.isStored(bytes), "\(place)")
        }
        #expect(try await fixture.missing().isEmpty, "\(place)")
    }
}
