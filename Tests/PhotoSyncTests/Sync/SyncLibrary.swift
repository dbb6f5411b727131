import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// The library that devices sync with.
struct SyncLibrary {
    let store: MemoryObjectStore

    /// - Parameter clock: The clock of the store.
    init(clock: TestClock = TestClock()) { store = MemoryObjectStore { clock.now } }

    var catalogs: CatalogStore { CatalogStore(store: store, user: .bob, pause: .none) }

    var trash: PhotoTrash { PhotoTrash(catalogs) }

    func catalog() async throws -> Catalog { try await catalogs.load().catalog }

    /// Contents by display path.
    func photos() async throws -> [String: [UInt8]] {
        var photos: [String: [UInt8]] = [:]
        for entry in try await catalog().entries { photos[entry.path.description] = try await content(entry.md5) }
        return photos
    }

    /// All contents of the library, including its trash.
    func everything() async throws -> Set<[UInt8]> {
        var all: Set<[UInt8]> = []
        for content in try await catalog().contentsWithTrash { all.insert(try await self.content(content.md5)) }
        return all
    }

    private func content(_ md5: ContentDigest) async throws -> [UInt8] {
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description))
        let object = try #require(try await store.get(key, limit: 1 << 20), "\(md5) is not stored")
        return Array(object.bytes.readableBytesView)
    }
}
