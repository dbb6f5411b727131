import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog

@Suite("Catalog repair") struct CatalogRepairTests {
    private let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))

    private func catalogs(_ store: any ObjectStore) -> CatalogStore {
        CatalogStore(store: store, user: .bob, pause: .none)
    }

    /// Fills a store with three snapshots of one, two and three photos, and returns their digests.
    private func filled(_ store: FakeObjectStore) async throws -> [ContentDigest] {
        let catalogs = catalogs(store)
        var version = try await catalogs.load()
        var digests: [ContentDigest] = []
        for number in 1...3 {
            version = try await catalogs.commit([try .photo("\(number).jpg", seed: number)], onto: version).version
            digests.append(try #require(version.head.snapshot))
        }
        return digests
    }

    private func snapshot(_ digest: ContentDigest) -> ObjectKey {
        ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest.description))
    }

    private func pointed(_ store: FakeObjectStore) async throws -> String? {
        try await store.memory.get(pointer).map { String(buffer: $0.bytes) }
    }

    @Test("an intact catalog is not changed")
    func whole() async throws {
        let store = FakeObjectStore()
        let digests = try await filled(store)
        store.clearLog()
        #expect(try await catalogs(store).repair() == .init(isRepaired: false, entries: 3, written: nil))
        #expect(try await pointed(store) == digests[2].description)
        #expect(store.count("put") + store.count("write") + store.count("delete") == 0)
    }

    @Test(
        "a damaged pointer is set to the newest snapshot", arguments: ["junk", "", "d41d8cd98f00b204e9800998ecf8427e"])
    func pointer(text: String) async throws {
        let store = FakeObjectStore()
        let digests = try await filled(store)
        try await store.put(pointer, ByteBuffer(string: text), if: .always)
        let repair = try await catalogs(store).repair()
        #expect(repair.isRepaired && repair.entries == 3 && repair.written != nil)
        let found = try await catalogs(store).load()
        #expect(found.catalog.count == 3)
        #expect(found.head.snapshot != digests[2], "a new generation has begun")
    }

    @Test("a missing pointer is recreated if there are snapshots")
    func pointerGone() async throws {
        let store = FakeObjectStore()
        #expect(try await catalogs(store).repair().isRepaired == false)
        _ = try await filled(store)
        try await store.delete(pointer, if: .always)
        #expect(try await catalogs(store).repair().entries == 3)
        #expect(try await catalogs(store).load().catalog.count == 3)
    }

    @Test("without a pointer no entries are lost, and the next commit recreates it")
    func commitWithoutPointer() async throws {
        let store = FakeObjectStore()
        _ = try await filled(store)
        try await store.delete(pointer, if: .always)
        let found = try await catalogs(store).load()
        #expect(found.catalog.count == 3)
        _ = try await catalogs(store).commit([try .photo("new.jpg", seed: 9)], onto: found)
        #expect(try await catalogs(store).load().catalog.count == 4)
        #expect(try await store.head(pointer) != nil)
    }

    @Test("the largest of the snapshots of one second is used")
    func oneSecond() async throws {
        let store = MemoryObjectStore(now: { Date(timeIntervalSince1970: 5) })
        let catalogs = catalogs(store)
        var version = try await catalogs.load()
        for number in 1...8 {
            version = try await catalogs.commit([try .photo("\(number).jpg", seed: number)], onto: version).version
        }
        _ = try await store.put(pointer, ByteBuffer(string: "junk"), if: .always)
        #expect(try await catalogs.repair().entries == 8)
    }

    @Test("the newest intact snapshot is used, and nothing is deleted")
    func snapshots() async throws {
        let damaged = Mutex("")
        let store = FakeObjectStore { verb, key in
            verb == "read" && key.contains(damaged.withLock { $0 }) ? .corrupted("ObjectDamaged") : nil
        }
        let digests = try await filled(store)
        damaged.withLock { $0 = digests[2].description }
        try await store.put(snapshot(digests[1]), ByteBuffer(string: "path,md5"), if: .always)
        await #expect(throws: CatalogError.snapshotDamaged(digests[2])) { try await catalogs(store).load() }
        #expect(try await catalogs(store).repair().entries == 1)
        let kept = try await store.memory.list(prefix: StorageLayout.catalogs(.bob), after: nil, limit: 10).objects
        #expect(Set(kept.map(\.key)).isSuperset(of: digests.map(snapshot)))
    }

    @Test("if no snapshot is readable, an empty catalog is created")
    func none() async throws {
        let store = FakeObjectStore()
        for digest in try await filled(store) {
            try await store.put(snapshot(digest), ByteBuffer(string: "junk"), if: .always)
        }
        #expect(try await catalogs(store).repair() == .init(isRepaired: true, entries: 0, written: nil))
        #expect(try await catalogs(store).load().catalog.count == 0)
    }

    @Test("a catalog written by a newer version is not treated as damage")
    func newer() async throws {
        let store = FakeObjectStore()
        _ = try await filled(store)
        let text = "path,md5,size,modified,taken,type,stars\n"
        let digest = ContentDigest(of: ByteBuffer(string: text))
        try await store.put(snapshot(digest), ByteBuffer(string: text), if: .always)
        try await store.put(pointer, ByteBuffer(string: digest.description), if: .always)
        await #expect(throws: CatalogError.unknownColumns(["stars"])) { try await catalogs(store).repair() }
        #expect(try await pointed(store) == digest.description)
    }

    @Test("without a pointer the snapshots are not joined beyond the readable size")
    func tooMuch() async throws {
        let store = FakeObjectStore()
        for number in 1...8 {
            var file = CatalogFile()
            let path = (0..<5).map { _ in String(repeating: "\(number)", count: 200) }.joined(separator: "/")
            file.rows = Catalog([try .photo(path, seed: number)])
            let bytes = CatalogCSV.encode(file)
            try await store.put(snapshot(ContentDigest(of: bytes)), bytes, if: .always)
        }
        #expect(try await catalogs(store).load().catalog.count == 8)
        var sizes = CatalogSizes()
        sizes.readable = 5000
        let limited = CatalogStore(store: store, user: .bob, pause: .none, sizes: sizes)
        await #expect(throws: CatalogError.tooLarge) { try await limited.load() }
    }

    @Test("a pointer moved by another device during the repair is not overwritten")
    func race() async throws {
        let other = Mutex<FakeObjectStore?>(nil)
        let pointer = pointer
        let store = FakeObjectStore { verb, _ in
            // After the damage is detected, another device sets the pointer.
            guard verb == "list", let store = other.withLock({ $0 }) else { return nil }
            _ = try? await store.memory.put(pointer, ByteBuffer(string: "theirs"), if: .always)
            return nil
        }
        _ = try await filled(store)
        try await store.put(pointer, ByteBuffer(string: "junk"), if: .always)
        other.withLock { $0 = store }
        await #expect(throws: CatalogError.contended) { try await catalogs(store).repair() }
        #expect(try await pointed(store) == "theirs")
    }
}
