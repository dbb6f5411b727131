import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

@Suite("Catalogs in parts") struct CatalogPartsTests {
    private let clock = TestClock()
    private let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))

    private func counting() -> CountingObjectStore { CountingObjectStore { [clock] in clock.now } }

    private func catalogs(
        _ store: any ObjectStore, cache: (any CatalogCache)? = nil, sizes: CatalogSizes = CatalogSizes()
    ) -> CatalogStore {
        CatalogStore(
            store: store, user: .bob, device: DeviceTag(value: 1), cache: cache, pause: .none, randomness: .seeded(1),
            sizes: sizes
        )
    }

    /// Sizes so small that a few photos exceed them.
    private var smallSizes: CatalogSizes {
        var sizes = CatalogSizes()
        sizes.ownEntries = 1000
        sizes.snapshot = 8000
        sizes.joinedBytes = 9000
        return sizes
    }

    /// Photos with names that are spread over the library.
    private func photos(_ numbers: Range<Int>) throws -> [CatalogChange] {
        try numbers.map { try .photo("\($0 % 12)/2026-11-\($0 % 31) at the sea/IMG_\($0).jpg", seed: $0 + 1) }
    }

    @Test("adding a hundred photos to a library of any history moves less than 1 MiB in at most 24 requests")
    func growth() async throws {
        let store = counting()
        var (head, added) = (try await catalogs(store).head(), 0)
        var worst = CountingObjectStore.Traffic()
        for round in 0..<160 {
            // A device without a catalog, and an occasional large commit.
            let count = round % 60 == 7 ? 2000 : 100
            let changes = try photos(added..<added + count)
            added += count
            _ = store.drain()
            head = try await catalogs(store).commit(changes, onto: try await catalogs(store).head())
            let moved = store.drain()
            guard count == 100 else { continue }
            worst.requests = max(worst.requests, moved.requests)
            worst.bytes = max(worst.bytes, moved.bytes)
        }
        #expect(worst.bytes < 1 << 20, "moved \(worst.bytes) bytes")
        #expect(worst.requests <= 24, "\(worst.requests) requests")
        #expect(head.file.parts.count < 60, "\(head.file.parts.count) parts")
        #expect(try await catalogs(store).load().catalog.count == added)
    }

    @Test("an old snapshot too large to be read for a commit becomes a part unchanged")
    func oldSnapshot() async throws {
        let store = counting()
        let snapshot = try LegacyCatalog.snapshot(of: 8000)
        let digest = try await store.memory.putSnapshot(snapshot)
        #expect(snapshot.readableBytes > 2 * CatalogSizes().snapshot)
        _ = store.drain()
        let changes = try photos(0..<100) + [.trash(try #require(LibraryPath("7/a.jpg")), try .seeded(8))]
        let head = try await catalogs(store).commit(changes, onto: try await catalogs(store).head())
        #expect(store.drain().bytes < 384 << 10)
        #expect(head.file.parts.map(\.digest) == [digest])
        #expect(head.generation == .legacyGeneration)
        let catalog = try await catalogs(store).load().catalog
        #expect(catalog.count == 8099)
        #expect(catalog[try #require(LibraryPath("7/a.jpg"))] == nil)
    }

    @Test("a large snapshot with timestamps is read, so that the next change has a larger counter")
    func largeSnapshot() async throws {
        let store = counting()
        var file = CatalogFile()
        file.rows = Catalog(try photos(0..<200), after: 900, by: .none, trashed: 1)
        file.generation = try .seeded(9)
        try await store.memory.putSnapshot(CatalogCSV.encode(file))
        let catalogs = catalogs(store, sizes: smallSizes)
        let head = try await catalogs.head()
        #expect(head.file.parts.map(\.counter) == [1100])
        #expect(head.generation == file.generation)
        _ = try await catalogs.commit(
            [.trash(try #require(try photos(0..<1)[0].entry?.path), try .seeded(1))], onto: head)
        #expect(try await catalogs.load().catalog.count == 199)
    }

    @Test("a missing or damaged part is an error, and photos can still be added", arguments: [true, false])
    func badPart(isMissing: Bool) async throws {
        let store = counting()
        let catalogs = catalogs(store, sizes: smallSizes)
        var head = try await catalogs.head()
        for round in 0..<12 { head = try await catalogs.commit(try photos(round * 7..<round * 7 + 7), onto: head) }
        let bad = try #require(head.file.parts.min { $0.size < $1.size }).digest
        let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: bad.description))
        if isMissing {
            try await store.memory.delete(key, if: .always)
        } else {
            _ = try await store.memory.put(key, ByteBuffer(string: "junk"), if: .always)
        }
        await #expect(throws: isMissing ? CatalogError.snapshotMissing(bad) : .snapshotDamaged(bad)) {
            try await catalogs.load()
        }
        for round in 12..<40 { head = try await catalogs.commit(try photos(round * 7..<round * 7 + 7), onto: head) }
        #expect(head.file.parts.contains { $0.digest == bad })
        // The newest intact snapshot is older than the damage. The repair joins everything readable into it: later
        // snapshots, and the rows of older snapshots that went into the damaged part.
        let repair = try await catalogs.repair()
        let repaired = try await catalogs.load()
        #expect(repair.isRepaired && repair.entries == repaired.catalog.count)
        #expect(repaired.head.generation != head.generation)
        for change in try photos(84..<280) { #expect(repaired.catalog.holds(change), "\(change)") }
        #expect((280 - 14..<280).contains(repaired.catalog.count))
    }

    @Test("if the first part is missing and no snapshot is intact, a repair recovers everything else")
    func firstPart() async throws {
        let store = counting()
        let catalogs = catalogs(store, sizes: smallSizes)
        var head = try await catalogs.commit(try photos(0..<100), onto: try await catalogs.head())
        let first = try #require(head.file.parts.first)
        for number in 100..<130 { head = try await catalogs.commit(try photos(number..<number + 1), onto: head) }
        let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: first.digest.description))
        try await store.memory.delete(key, if: .always)
        let repair = try await catalogs.repair()
        #expect(repair == .init(isRepaired: true, entries: 30, written: nil))
        let catalog = try await catalogs.load().catalog
        for change in try photos(100..<130) { #expect(catalog.holds(change), "\(change)") }
    }

    @Test("a repair reads each file once, regardless of how many snapshots refer to it")
    func linearRepair() async throws {
        let store = counting()
        let catalogs = catalogs(store, sizes: smallSizes)
        var head = try await catalogs.commit(try photos(0..<100), onto: try await catalogs.head())
        let first = try #require(head.file.parts.first)
        for number in 100..<200 { head = try await catalogs.commit(try photos(number..<number + 1), onto: head) }
        let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: first.digest.description))
        try await store.memory.delete(key, if: .always)
        let files = try await store.memory.list(prefix: StorageLayout.catalogs(.bob), after: nil, limit: 1000)
        _ = store.drain()
        #expect(try await catalogs.repair().entries == 100)
        #expect(store.drain().requests < files.objects.count + 24)
    }

    @Test("without a pointer, damage is an error and not a smaller catalog")
    func damageWithoutPointer() async throws {
        let store = counting()
        let catalogs = catalogs(store, sizes: smallSizes)
        var head = try await catalogs.commit(try photos(0..<3), onto: try await catalogs.head())
        clock.advance(by: 10)
        head = try await catalogs.commit(try photos(3..<40), onto: head)
        let part = try #require(head.file.parts.first).digest
        let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: part.description))
        try await store.memory.delete(key, if: .always)
        try await store.memory.delete(pointer, if: .always)
        await #expect(throws: CatalogError.snapshotMissing(part)) { try await catalogs.head() }
        let repair = try await catalogs.repair()
        #expect(repair.isRepaired && repair.entries == 3)
        #expect(try await catalogs.load().catalog.count == 3)
    }

    @Test("a change repeated after a lost response does not list a part twice")
    func saidAgain() async throws {
        let catalogs = catalogs(counting(), sizes: smallSizes)
        let changed = Catalog(try photos(0..<20), after: 0, by: .none, trashed: 1)
        let start = try await catalogs.head()
        let first = await catalogs.plan(changed, onto: start)
        let moved = CatalogHead(
            snapshot: first.snapshot, pointer: start.pointer, file: first.file, generation: start.generation)
        let second = await catalogs.plan(changed, onto: moved)
        #expect(first.file.parts.count == 1)
        #expect(second.file == first.file)
        #expect(try CatalogCSV.decode(second.bytes) == second.file)
    }

    @Test("a part whose size differs from the recorded one is refused before it is read")
    func otherSize() async throws {
        let store = counting()
        var file = CatalogFile()
        file.rows = Catalog(try photos(0..<30), after: 0, by: .none, trashed: 1)
        let bytes = CatalogCSV.encode(file)
        let digest = try await store.memory.putSnapshot(bytes)
        for told in [1, bytes.readableBytes + 1] {
            var top = CatalogFile()
            top.parts = [CatalogPart(digest: digest, size: Int64(told), counter: 30)]
            try await store.memory.putSnapshot(CatalogCSV.encode(top))
            await #expect(throws: CatalogError.snapshotDamaged(digest)) { try await catalogs(store).load() }
        }
    }

    @Test("parts whose total size exceeds the limit are not read")
    func tooMuch() async throws {
        let store = counting()
        var top = CatalogFile()
        top.parts = try (1...2).map { CatalogPart(digest: try .seeded($0), size: CatalogSizes.longest, counter: 1) }
        try await store.memory.putSnapshot(CatalogCSV.encode(top))
        _ = store.drain()
        await #expect(throws: CatalogError.tooLarge) { try await catalogs(store).load() }
        #expect(store.drain().requests == 2, "pointer and snapshot")
    }

    @Test("a catalog is full before it becomes unreadable")
    func full() async throws {
        let store = counting()
        var sizes = smallSizes
        sizes.catalog = 6000
        let catalogs = catalogs(store, sizes: sizes)
        var (head, added, problem) = (try await catalogs.head(), 0, CatalogError?.none)
        while problem == nil, added < 1000 {
            let changes = try photos(added..<added + 5)
            do throws(CatalogError) {
                head = try await catalogs.commit(changes, onto: head)
                added += 5
            } catch { problem = error }
        }
        #expect(problem == .full && added > 0)
        #expect(try await catalogs.load().catalog.count == added)
    }

    @Test("the entry limit allows every catalog within the size limit")
    func shortestEntry() throws {
        let path = try #require(LibraryPath("a"))
        let changes = [CatalogChange.trash(path, try .seeded(1)), .restoreFromTrash(path, try .seeded(2))]
        for change in changes {
            var file = CatalogFile()
            let none = CatalogCSV.encode(file).readableBytes
            file.rows = Catalog([change], after: 0, by: .none, trashed: 1)
            let bytes = CatalogCSV.encode(file).readableBytes - none
            #expect(Int64(CatalogCSV.entryLimit * bytes) >= CatalogSizes().catalog, "\(bytes) bytes")
        }
    }

    @Test("nested parts are read up to a depth limit")
    func nested() async throws {
        let store = counting()
        for depth in [5, 20] {
            var file = CatalogFile()
            file.rows = Catalog(try photos(0..<1), after: 0, by: .none, trashed: 1)
            for level in 1...depth {
                let bytes = CatalogCSV.encode(file)
                let digest = try await store.memory.putSnapshot(bytes)
                file = CatalogFile()
                file.rows = Catalog(try photos(level..<level + 1), after: 0, by: .none, trashed: 1)
                file.parts = [CatalogPart(digest: digest, size: Int64(bytes.readableBytes), counter: 1)]
            }
            try await store.memory.putSnapshot(CatalogCSV.encode(file))
            let catalogs = catalogs(store)
            if depth == 5 {
                #expect(try await catalogs.load().catalog.count == 6)
            } else {
                await #expect(throws: CatalogError.tooLarge) { try await catalogs.load() }
            }
        }
    }

    @Test("a trash date comes from the store's clock", arguments: [-400, 0, 0.01, 0.04, 400] as [Double])
    func storesClock(days: Double) async throws {
        let store = counting()
        let catalogs = catalogs(store)
        var head = try await catalogs.commit(try photos(0..<3), onto: try await catalogs.head())
        clock.advance(by: abs(days) * 86_400)
        if days < 0 { head = try await catalogs.head() }
        let path = try #require(try photos(0..<1)[0].entry?.path)
        _ = try await catalogs.commit([.trash(path, try .seeded(1))], onto: head)
        let catalog = try await catalogs.load().catalog
        let date = try #require(catalog.records.first { $0.trashed > 0 }).trashed
        #expect((0...3600).contains(Double(date) - clock.now.timeIntervalSince1970.rounded(.down)))
    }
}
