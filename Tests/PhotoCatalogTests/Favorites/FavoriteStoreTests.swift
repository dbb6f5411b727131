import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog

@Suite("The stored favorites") struct FavoriteStoreTests {
    private static let key = ObjectKey(known: StorageLayout.favorites(.bob))

    private func catalogs(_ store: any ObjectStore, device: UInt32 = 1) -> CatalogStore {
        CatalogStore(store: store, user: .bob, device: DeviceTag(value: device), pause: .none)
    }

    @Test("a library has no favorites until some are set, and a change without an effect writes nothing")
    func set() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        let one = try ContentDigest.seeded(1)
        #expect(try await catalogs.favorites().contents.isEmpty)
        try await catalogs.setFavorites([one: false])
        #expect(try await store.memory.get(Self.key, limit: 1 << 20) == nil)
        try await catalogs.setFavorites([one: true])
        #expect(try await catalogs.favorites().contents == [one])
        let written = try #require(try await store.memory.get(Self.key, limit: 1 << 20))
        try await catalogs.setFavorites([one: true])
        #expect(try await store.memory.get(Self.key, limit: 1 << 20) == written)
        try await catalogs.setFavorites([one: false])
        #expect(try await catalogs.favorites().contents.isEmpty)
    }

    @Test("changes of two devices at once are both kept", arguments: [false, true])
    func concurrent(isLost: Bool) async throws {
        let (one, other) = (try ContentDigest.seeded(1), try ContentDigest.seeded(2))
        let rival = Mutex<CatalogStore?>(nil)
        let store = FakeObjectStore { verb, key in
            guard verb == "put", key == Self.key.description, let first = rival.withLock({ $0.take() }) else {
                return nil
            }
            _ = try? await first.setFavorites([other: true])
            return isLost ? .outcomeUnknown("test") : nil
        }
        rival.withLock { $0 = catalogs(store.memory, device: 2) }
        try await catalogs(store).setFavorites([one: true])
        #expect(try await catalogs(store).favorites().contents == [one, other])
    }

    @Test("a damaged document is never overwritten")
    func damaged() async throws {
        let store = FakeObjectStore()
        let text = ByteBuffer(string: "{")
        _ = try await store.memory.put(Self.key, text, if: .always)
        let one = try ContentDigest.seeded(1)
        await #expect(throws: CatalogError.document(.favorites, .damaged)) {
            try await catalogs(store).setFavorites([one: true])
        }
        await #expect(throws: CatalogError.document(.favorites, .damaged)) { try await catalogs(store).favorites() }
        #expect(try await store.memory.get(Self.key, limit: 10)?.bytes == text)
    }

    @Test("favorites are selected in library and trash, and other photos are not")
    func selection() async throws {
        let catalogs = catalogs(FakeObjectStore())
        var version = try await catalogs.load()
        for seed in 1...4 {
            version = try await catalogs.commit([.photo("\(seed).jpg", seed: seed)], onto: version).version
        }
        let path = try #require(LibraryPath("4.jpg"))
        version = try await catalogs.commit([.trash(path, .seeded(4))], onto: version).version
        try await catalogs.setFavorites([.seeded(2): true, .seeded(4): true])
        var selection = PhotoSelection()
        selection.isFavorite = true
        #expect(try await catalogs.select(selection).entries.map(\.path.name) == ["2.jpg"])
        #expect(try await catalogs.select(selection) { $0.trash }.entries.map(\.path.name) == ["4.jpg"])
        selection.isFavorite = false
        #expect(try await catalogs.select(selection).entries.map(\.path.name) == ["1.jpg", "3.jpg"])
    }
}
