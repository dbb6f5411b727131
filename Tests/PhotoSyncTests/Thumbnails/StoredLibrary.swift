import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Synchronization

@testable import PhotoSync

/// A library of Bob, whose store fails as a test says.
final class StoredLibrary: Sendable {
    private final class Faults: Sendable {
        let current = Mutex<FakeObjectStore.Fault?>(nil)
    }

    private let faults = Faults()
    let store: FakeObjectStore

    init() {
        let faults = faults
        store = FakeObjectStore { await faults.current.withLock { $0 }?($0, $1) }
    }

    private var catalogs: CatalogStore { CatalogStore(store: store.memory, user: .bob, pause: .none) }

    func fail(_ fault: FakeObjectStore.Fault?) { faults.current.withLock { $0 = fault } }

    func key(_ bytes: [UInt8]) -> ObjectKey {
        let md5 = ContentDigest(of: ByteBuffer(bytes: bytes))
        return ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description))
    }

    /// Adds stored files of which only the given facts are known.
    /// - Parameter withPictures: Whether they have thumbnails and previews.
    func add(
        _ files: [(path: String, type: MediaType, bytes: [UInt8])], known: MediaFacts = MediaFacts(),
        withPictures: Bool = false
    ) async throws {
        var changes: [CatalogChange] = []
        for file in files {
            let bytes = ByteBuffer(bytes: file.bytes)
            let md5 = ContentDigest(of: bytes)
            _ = try await store.memory.put(key(file.bytes), bytes, if: .always)
            for kind in withPictures ? [PictureKind.thumbnail, .preview] : [] {
                _ = try await store.memory.put(
                    kind.key(of: md5, .bob), ByteBuffer(bytes: PhotoBytes.picture(1)), if: .always)
            }
            let entry = CatalogEntry(
                path: LibraryPath(known: file.path), md5: md5, size: Int64(file.bytes.count),
                modified: Timestamp(seconds: 5, nanoseconds: 0), type: file.type, media: known)
            changes.append(.add(entry, replacing: nil))
        }
        _ = try await catalogs.commit(changes, onto: try await catalogs.load())
    }

    /// The camera and the milliseconds of each file.
    func details() async throws -> [String] {
        try await catalogs.load().catalog.entries.map {
            "\($0.path) \($0.media.camera?.description ?? "-") \($0.media.duration?.milliseconds ?? 0)"
        }
    }
}
