import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct CatalogStoreTests {
    private let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))

    private func catalogs(_ store: any ObjectStore) -> CatalogStore {
        CatalogStore(store: store, user: .bob, pause: .none)
    }

    @Test("the pointer contains the MD5 of its snapshot")
    func layout() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        let committed = try await catalogs.commit([try .photo("a.jpg", seed: 1)], onto: try await catalogs.load())
        let digest = String(buffer: try #require(try await store.memory.get(pointer)).bytes)
        let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest))
        let snapshot = try #require(try await store.memory.get(key))
        #expect(ContentDigest(of: snapshot.bytes).description == digest)
        #expect(committed.version.catalog.count == 1)
        #expect(try await catalogs.load().catalog == committed.version.catalog)
    }

    @Test("a commit onto a moved pointer merges with the current catalog and loses nothing")
    func race() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        let stale = try await catalogs.load()
        _ = try await catalogs.commit([try .photo("a.jpg", seed: 1)], onto: stale)
        let second = try await catalogs.commit([try .photo("b.jpg", seed: 2)], onto: stale)
        #expect(second.version.catalog.summary == ["a.jpg 10", "b.jpg 20"])
    }

    @Test("sixteen concurrent commits lose no photo")
    func manyDevices() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in 1...16 {
                group.addTask {
                    let change = try CatalogChange.photo("\(device).jpg", seed: device)
                    _ = try await catalogs.commit([change], onto: try await catalogs.load())
                }
            }
            try await group.waitForAll()
        }
        #expect(try await catalogs.load().catalog.count == 16)
    }

    @Test("a lost response to moving the pointer is checked and not treated as a failure")
    func lostAnswer() async throws {
        let store = LosingStore()
        let catalogs = catalogs(store)
        let committed = try await catalogs.commit([try .photo("a.jpg", seed: 1)], onto: try await catalogs.load())
        #expect(committed.version.catalog.count == 1)
        #expect(store.puts.withLock { $0 } == 1)
        #expect(try await catalogs.load().catalog == committed.version.catalog)
    }

    @Test("a snapshot without a pointer does not count as committed")
    func orphan() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        _ = try await catalogs.commit([try .photo("a.jpg", seed: 1)], onto: try await catalogs.load())
        try await store.delete(pointer, if: .always)
        _ = try await catalogs.commit([try .photo("a.jpg", seed: 1)], onto: try await catalogs.load())
        #expect(try await store.memory.get(pointer) != nil)
    }

    @Test("a commit without changes writes nothing")
    func nothingNew() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        let first = try await catalogs.commit([try .photo("a.jpg", seed: 1)], onto: try await catalogs.load())
        store.clearLog()
        let again = try await catalogs.commit([try .photo("a.jpg", seed: 1)], onto: first.version)
        #expect(again.conflicts.isEmpty)
        #expect(store.log.isEmpty)
    }

    @Test("a pointer to a missing snapshot is an error and not an empty catalog")
    func missingSnapshot() async throws {
        let store = FakeObjectStore()
        let digest = try ContentDigest.seeded(7)
        try await store.put(pointer, ByteBuffer(string: digest.description), if: .always)
        await #expect(throws: CatalogError.snapshotMissing(digest)) { try await catalogs(store).load() }
    }

    @Test("a snapshot whose bytes do not match its digest is refused")
    func damaged() async throws {
        let store = FakeObjectStore()
        let digest = try ContentDigest.seeded(7)
        try await store.put(pointer, ByteBuffer(string: digest.description), if: .always)
        let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest.description))
        try await store.put(key, ByteBuffer(string: LegacyCatalog.header), if: .always)
        await #expect(throws: CatalogError.snapshotDamaged(digest)) { try await catalogs(store).load() }
    }

    @Test(
        "a malformed pointer is refused",
        arguments: [
            "", "hello", "../../etc/passwd", String(repeating: "a", count: 1000), "d41d8cd98f00b204 e9800998ecf8427e",
        ]
    )
    func malformedPointer(text: String) async throws {
        let store = FakeObjectStore()
        try await store.put(pointer, ByteBuffer(string: text), if: .always)
        await #expect(throws: CatalogError.malformedPointer) { try await catalogs(store).load() }
    }

    @Test("a store failure is an error and not an empty catalog")
    func storeFails() async throws {
        let store = FakeObjectStore { verb, _ in verb == "get" ? .unavailable("503") : nil }
        await #expect(throws: CatalogError.store(.unavailable("503"))) { try await catalogs(store).load() }
    }
}
