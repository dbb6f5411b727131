import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog

@Suite("The stored marks of photos") struct MarkStoreTests {
    typealias Kind = PhotoMarksTests.Kind

    private func catalogs(_ store: any ObjectStore, device: UInt32 = 1) -> CatalogStore {
        CatalogStore(store: store, user: .bob, device: DeviceTag(value: device), pause: .none)
    }

    private func key(_ kind: Kind) -> ObjectKey { ObjectKey(known: kind.type.document.key(of: .bob)) }

    private func contents(_ kind: Kind, _ catalogs: CatalogStore) async throws -> Set<ContentDigest> {
        switch kind {
        case .favorites: try await catalogs.favorites().contents
        case .hidden: try await catalogs.hidden().contents
        }
    }

    @discardableResult
    private func set(
        _ kind: Kind, _ changes: [ContentDigest: Bool], _ catalogs: CatalogStore
    ) async throws -> Int {
        switch kind {
        case .favorites: try await catalogs.setFavorites(changes)
        case .hidden: try await catalogs.setHidden(changes)
        }
    }

    @Test(
        "a library has no marks until some are set, and a change without an effect writes nothing",
        arguments: Kind.allCases)
    func set(_ kind: Kind) async throws {
        let (store, key) = (FakeObjectStore(), key(kind))
        let catalogs = catalogs(store)
        let one = try ContentDigest.seeded(1)
        #expect(try await contents(kind, catalogs).isEmpty)
        try await set(kind, [one: false], catalogs)
        #expect(try await store.memory.get(key, limit: 1 << 20) == nil)
        #expect(try await set(kind, [one: true], catalogs) == 1)
        #expect(try await contents(kind, catalogs) == [one])
        let written = try #require(try await store.memory.get(key, limit: 1 << 20))
        try await set(kind, [one: true], catalogs)
        #expect(try await store.memory.get(key, limit: 1 << 20) == written)
        try await set(kind, [one: false], catalogs)
        #expect(try await contents(kind, catalogs).isEmpty)
        for other in Kind.allCases where other != kind {
            #expect(try await store.memory.get(self.key(other), limit: 1 << 20) == nil)
        }
    }

    @Test("changes of two devices at once are both kept", arguments: Kind.allCases, [false, true])
    func concurrent(_ kind: Kind, isLost: Bool) async throws {
        let (one, other, key) = (try ContentDigest.seeded(1), try ContentDigest.seeded(2), key(kind))
        let rival = Mutex<CatalogStore?>(nil)
        let store = FakeObjectStore { verb, changed in
            guard verb == "put", changed == key.description, let first = rival.withLock({ $0.take() }) else {
                return nil
            }
            _ = try? await self.set(kind, [other: true], first)
            return isLost ? .outcomeUnknown("test") : nil
        }
        rival.withLock { $0 = catalogs(store.memory, device: 2) }
        try await set(kind, [one: true], catalogs(store))
        #expect(try await contents(kind, catalogs(store)) == [one, other])
    }

    @Test("a damaged document is never overwritten", arguments: Kind.allCases)
    func damaged(_ kind: Kind) async throws {
        let (store, key) = (FakeObjectStore(), key(kind))
        let text = ByteBuffer(string: "{")
        _ = try await store.memory.put(key, text, if: .always)
        let one = try ContentDigest.seeded(1)
        let error = CatalogError.document(kind.type.document, .damaged)
        await #expect(throws: error) { try await set(kind, [one: true], catalogs(store)) }
        await #expect(throws: error) { try await contents(kind, catalogs(store)) }
        #expect(try await store.memory.get(key, limit: 10)?.bytes == text)
    }

    @Test("marked photos are selected in library and trash, and other photos are not", arguments: Kind.allCases)
    func selection(_ kind: Kind) async throws {
        let catalogs = catalogs(FakeObjectStore())
        var version = try await catalogs.load()
        for seed in 1...4 {
            version = try await catalogs.commit([.photo("\(seed).jpg", seed: seed)], onto: version).version
        }
        let path = try #require(LibraryPath("4.jpg"))
        version = try await catalogs.commit([.trash(path, .seeded(4))], onto: version).version
        try await set(kind, [.seeded(2): true, .seeded(4): true], catalogs)
        let member: WritableKeyPath<PhotoSelection, Bool?> = kind == .favorites ? \.isFavorite : \.isHidden
        var selection = PhotoSelection()
        selection[keyPath: member] = true
        #expect(try await catalogs.select(selection).entries.map(\.path.name) == ["2.jpg"])
        #expect(try await catalogs.select(selection) { $0.trash }.entries.map(\.path.name) == ["4.jpg"])
        selection[keyPath: member] = false
        #expect(try await catalogs.select(selection).entries.map(\.path.name) == ["1.jpg", "3.jpg"])
    }
}
