import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync
@testable import PhotolalaClient

@Suite("Favorites of a source") struct SourceFavoriteTests {
    private let fixture: SourceFixture
    private let source = FakePhotoSource()

    init() throws { fixture = try SourceFixture() }

    private func put(_ id: String, _ contents: [Int], isFavorite: Bool) {
        let resources = contents.indices.map { index in
            PhotoResource(
                id: "\(index)", kind: index == 0 ? .photo : .editedPhoto, name: "\(id).jpg",
                modified: SourceFixture.taken)
        }
        var asset = PhotoAsset(id: id, created: SourceFixture.taken, resources: resources)
        asset.isFavorite = isFavorite
        source.put(
            asset,
            Dictionary(
                contents.enumerated().map { ("\($0.offset)", PhotoBytes.jpeg($0.element)) },
                uniquingKeysWith: { first, _ in first }))
    }

    private var catalogs: CatalogStore { CatalogStore(store: fixture.store, user: .bob, pause: .none) }

    /// The numbers of the contents that are favorites.
    private func favorites() async throws -> [Int] {
        let contents = try await catalogs.favorites().contents
        return (1...9).filter { contents.contains(ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg($0)))) }
    }

    @Test("favorites of a source become those of the library, and changes follow")
    func changes() async throws {
        put("a", [1], isFavorite: true)
        put("b", [2], isFavorite: false)
        _ = try await fixture.sync(source, .keep)
        #expect(try await favorites() == [1])
        put("a", [1], isFavorite: false)
        put("b", [2], isFavorite: true)
        _ = try await fixture.sync(source, .keep)
        #expect(try await favorites() == [2])
        source.clearLog()
        _ = try await fixture.sync(source, .keep)
        #expect(source.requests.isEmpty)
    }

    @Test("an edited version of a favorite becomes one too")
    func edited() async throws {
        put("a", [1], isFavorite: true)
        _ = try await fixture.sync(source, .keep)
        put("a", [1, 2], isFavorite: true)
        _ = try await fixture.sync(source, .keep)
        #expect(try await favorites() == [1, 2])
    }

    @Test("a change in the library stays until the source changes again")
    func changedInLibrary() async throws {
        put("a", [1], isFavorite: true)
        _ = try await fixture.sync(source, .keep)
        try await catalogs.setFavorites([ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1))): false])
        source.forgetChanges()
        _ = try await fixture.sync(source, .keep)
        #expect(try await favorites().isEmpty)
        put("a", [1], isFavorite: false)
        _ = try await fixture.sync(source, .keep)
        put("a", [1], isFavorite: true)
        _ = try await fixture.sync(source, .keep)
        #expect(try await favorites() == [1])
    }

    @Test("a favorite that could not be read waits for its content")
    func unread() async throws {
        put("a", [1], isFavorite: true)
        source.fail("a", with: .notDownloaded)
        _ = try await fixture.sync(source, .keep)
        #expect(try await favorites().isEmpty)
        source.fail("a", with: nil)
        _ = try await fixture.sync(source, .keep)
        #expect(try await favorites() == [1])
    }

    @Test("favorites that cannot be stored are reported, and stored by the next backup")
    func failed() async throws {
        let isFailing = Mutex(true)
        let fixture = try SourceFixture { verb, key in
            key == StorageLayout.favorites(.bob) && verb == "put" && isFailing.withLock { $0 } ? .denied("test") : nil
        }
        put("a", [1], isFavorite: true)
        let summary = try await fixture.sync(source, .keep).backup
        #expect(summary.problems.map(\.reason) == [.favorites(.store(.denied("test")))] && !summary.isComplete)
        isFailing.withLock { $0 = false }
        #expect(try await fixture.sync(source, .keep).backup.isComplete)
        let stored = try await CatalogStore(store: fixture.store, user: .bob, pause: .none).favorites()
        #expect(stored.contents.count == 1)
    }
}
