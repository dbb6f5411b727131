import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Catalog cache in a folder") struct CatalogFolderCacheTests {
    /// Sizes so small that a few photos exceed them.
    private var smallSizes: CatalogSizes {
        var sizes = CatalogSizes()
        (sizes.ownEntries, sizes.snapshot, sizes.joinedBytes) = (1000, 8000, 9000)
        return sizes
    }

    /// Photos with names that are spread over the library.
    private func photos(_ numbers: Range<Int>) throws -> [CatalogChange] {
        try numbers.map { try .photo("\($0 % 12)/2026-11-\($0 % 31) at the sea/IMG_\($0).jpg", seed: $0 + 1) }
    }

    @Test("with a cache an unchanged catalog costs one read of the pointer")
    func cache() async throws {
        let store = CountingObjectStore { Date(timeIntervalSince1970: 1_700_000_000) }
        let folder = try TemporaryFolder()
        let catalogs = CatalogStore(
            store: store, user: .bob, device: DeviceTag(value: 1),
            cache: CatalogFolderCache(folder: folder.subpath("catalog")), pause: .none, randomness: .seeded(1),
            sizes: smallSizes)
        var head = try await catalogs.head()
        for round in 0..<20 { head = try await catalogs.commit(try photos(round * 7..<round * 7 + 7), onto: head) }
        let snapshot = try #require(head.snapshot)
        let kept = (head.file.parts.map(\.digest) + [snapshot]).map { "catalog/\($0).csv" }
        let pointer = ["catalog/pointer"]
        #expect(try Set(folder.files()) == Set(kept), "a device that only commits keeps only referenced parts")
        let catalog = try await catalogs.load().catalog
        _ = store.drain()
        #expect(try await catalogs.load().catalog == catalog)
        #expect(store.drain() == .init(requests: 1, bytes: 32))
        for name in kept {
            let whole = try folder.read(name)
            try folder.write(name, Array("junk".utf8))
            #expect(try await catalogs.load().catalog == catalog)
            #expect(store.drain() == .init(requests: 2, bytes: 32 + whole.count), "\(name) is read again")
            #expect(try folder.read(name) == whole)
        }
        try folder.write("catalog/older.csv", [1])
        _ = try await catalogs.load()
        #expect(try Set(folder.files()) == Set(kept + pointer), "unreferenced files are removed")
    }

    @Test("an interrupted move to the trash does not trash the photo early", arguments: 1...3)
    func brokenOff(writes: Int) async throws {
        let left = Mutex<Int?>(nil)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        let store = FakeObjectStore { verb, key in
            guard verb == "write" || key == pointer.description else { return nil }
            return left.withLock { left in
                left = left.map { $0 - 1 }
                return left.map { $0 < 0 } ?? false ? .denied("the power is gone") : nil
            }
        }
        let catalogs = CatalogStore(store: store, user: .bob, pause: .none)
        var head = try await catalogs.head()
        for number in 1...3 {
            head = try await catalogs.commit([try .photo("\(number).jpg", seed: number)], onto: head)
        }
        let cached = CatalogStore(
            store: store, user: .bob, cache: CatalogFolderCache(folder: try TemporaryFolder().path), pause: .none)
        let version = try await cached.load()
        let entry = try #require(version.catalog.entries.first)
        left.withLock { $0 = writes }
        let isDone = (try? await cached.commit([.trash(entry.path, entry.md5)], onto: version)) != nil
        #expect(isDone == (writes == 3))
        left.withLock { $0 = nil }
        try await store.delete(pointer, if: .always)
        let catalog = try await catalogs.load().catalog
        let date = try #require(catalog.records.first { $0.md5 == entry.md5 }).trashed
        #expect(writes == 1 ? date == 0 : date >= 1_700_000_000)
    }

    @Test("a catalog that was loaded once can be read without the store, as it was then")
    func offline() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 1_700_000_000) }
        let folder = try TemporaryFolder()
        let cache = CatalogFolderCache(folder: folder.subpath("catalog"))
        let catalogs = CatalogStore(
            store: store, user: .bob, device: DeviceTag(value: 1), cache: cache, pause: .none, randomness: .seeded(1),
            sizes: smallSizes)
        let reader = CatalogFolderCache(folder: folder.subpath("catalog"), isReadOnly: true)
        let offline = CatalogStore(
            store: CachedCatalogStore(reader, of: .bob), user: .bob, cache: reader, pause: .none, sizes: smallSizes)
        let uncached = CatalogStore(
            store: store, user: .bob, device: DeviceTag(value: 2), pause: .none, randomness: .seeded(2),
            sizes: smallSizes)
        await #expect(throws: CatalogError.self) { _ = try await offline.load() }
        #expect(await cache.lastRead() == nil)

        let favorite = try ContentDigest.seeded(1)
        var head = try await catalogs.head()
        for round in 0..<20 { head = try await catalogs.commit(try photos(round * 7..<round * 7 + 7), onto: head) }
        try await catalogs.setFavorites([favorite: true])
        try await catalogs.setHidden([.seeded(2): true])
        _ = try await catalogs.load()
        let (favorites, hidden) = (try await catalogs.favorites(), try await catalogs.hidden())
        // Commits of this device are part of its copy, as long as no other device commits.
        head = try await catalogs.commit(try photos(200..<201), onto: head)
        let known = try await offline.load().catalog
        #expect(known == (try await uncached.load().catalog))
        _ = try await uncached.commit(try photos(300..<301), onto: head)
        for round in 0..<9 {
            let range = 400 + round * 7..<407 + round * 7
            _ = try await catalogs.commit(try photos(range), onto: try await catalogs.head())
        }
        let files = try folder.files()
        #expect(try await offline.load().catalog == known)
        #expect(try await offline.favorites() == favorites && favorites.contents == [favorite])
        #expect(try await offline.hidden() == hidden && hidden.contents == [.seeded(2)])
        #expect(await cache.lastRead() != nil)
        await #expect(throws: CatalogError.self) { try await offline.setFavorites([favorite: false]) }
        #expect(try folder.files() == files)
    }
}
