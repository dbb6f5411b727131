import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

/// A library of Bob with photos in a store that records its calls, and a cache.
struct ViewingFixture: Sendable {
    static let alice = UserID(uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))

    let client: ClientFixture
    let session: PhotolalaSession
    let store: FakeObjectStore
    let library: PhotolalaLibrary
    let cacheFolder: URL

    /// Runs a test with Bob signed in. After a sign-out, the next sign-in is Alice's.
    static func with(
        maximumBytes: Int64 = 1 << 20, _ store: FakeObjectStore = FakeObjectStore(),
        _ test: (ViewingFixture) async throws -> Void
    ) async throws {
        let script = [
            "POST /auth/signin": [
                ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(ClientFixture.tokens("2"), user: alice),
            ],
            "POST /auth/signout": [FakeServer.nothing],
        ]
        try await ClientFixture.with(script) { client in
            let session = try await client.signedIn()
            let folder = client.folder.appendingPathComponent("cache")
            let library = try library(client, session, store, cacheFolder: folder, maximumBytes: maximumBytes)
            try await test(
                ViewingFixture(client: client, session: session, store: store, library: library, cacheFolder: folder))
        }
    }

    /// Returns the library as another process sees it.
    func otherProcess() throws -> PhotolalaLibrary {
        try Self.library(client, try client.session(), store, cacheFolder: cacheFolder, maximumBytes: 1 << 20)
    }

    /// - Parameter cacheFolder: `nil` for a library without a cache.
    static func library(
        _ client: ClientFixture, _ session: PhotolalaSession, _ store: any ObjectStore, cacheFolder: URL?,
        maximumBytes: Int64 = 1 << 20
    ) throws -> PhotolalaLibrary {
        let clock = client.clock
        let cache = try cacheFolder.map {
            try PhotoCache(folder: $0, maximumBytes: maximumBytes, maximumFiles: 100, now: { clock.now })
        }
        return PhotolalaLibrary(
            session: session, stateFolder: client.folder.appendingPathComponent("library").path, cache: cache,
            now: { clock.now }, sendReserved: noReservedUploads
        ) { _, _ throws(PhotolalaError) in store }
    }

    /// Adds a photo to the library, dated by its seed.
    @discardableResult
    func add(_ path: String, seed: Int, type: MediaType = .jpeg) async throws -> LibraryPhoto {
        let bytes = ByteBuffer(bytes: PhotoBytes.jpeg(seed))
        let entry = CatalogEntry(
            path: try #require(LibraryPath(path)), md5: ContentDigest(of: bytes), size: Int64(bytes.readableBytes),
            modified: Timestamp(seconds: 1_700_000_000 + Int64(seed), nanoseconds: 0), type: type, media: MediaFacts())
        _ = try await store.memory.put(
            ObjectKey(known: StorageLayout.photo(.bob, md5: entry.md5.description)), bytes, if: .always)
        let catalogs = CatalogStore(store: store, user: .bob, pause: .none)
        _ = try await catalogs.commit([.add(entry, replacing: nil)], onto: try await catalogs.load())
        return LibraryPhoto(entry)
    }

    /// Adds a photo with a thumbnail.
    func addWithThumbnail(_ path: String, seed: Int) async throws -> LibraryPhoto {
        let photo = try await add(path, seed: seed)
        try await putThumbnail(PhotoBytes.picture(seed + 1000), of: photo)
        return photo
    }

    func putThumbnail(_ bytes: [UInt8], of photo: LibraryPhoto) async throws {
        let key = ObjectKey(known: StorageLayout.thumbnail(.bob, md5: photo.md5))
        _ = try await store.memory.put(key, ByteBuffer(bytes: bytes), if: .always)
    }

    /// The thumbnail of a photo that was added with this seed.
    func thumbnail(_ seed: Int) -> Data { Data(PhotoBytes.picture(seed + 1000)) }

    /// The relative paths of all cached files.
    func cachedFiles() throws -> [String] {
        let all = FileManager.default.enumerator(atPath: cacheFolder.path)?.allObjects as? [String] ?? []
        return all.filter { $0.contains("/") }.sorted()
    }
}
