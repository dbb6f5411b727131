import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Cached originals") struct CachedOriginalsTests {
    private let folder: TemporaryFolder
    private let clock = TestClock()
    private let objects = FakeObjectStore()

    init() throws { folder = try TemporaryFolder() }

    private func cache(bytes: Int64 = 1 << 30, files: Int = 1000) throws -> DiskCache {
        let clock = clock
        return try DiskCache(
            folder: folder.path, limits: .init(bytes: bytes, files: files), randomness: .seeded(1), now: { clock.now })
    }

    private func reader(resumingFrom bytes: Int64 = 8 << 20) -> PhotoReader {
        var settings = RestoreSettings()
        (settings.attempts, settings.resumableBytes) = (1, bytes)
        return PhotoReader(store: objects, user: .bob, settings: settings, pause: .none)
    }

    /// Stores a photo and returns its entry.
    private func photo(_ seed: Int, _ name: String = "Photo.JPG", length: Int = 600) async throws -> CatalogEntry {
        let bytes = ByteBuffer(bytes: PhotoBytes.jpeg(seed, length: length))
        let md5 = ContentDigest(of: bytes)
        try await objects.put(key(md5), bytes, if: .always)
        return CatalogEntry(
            path: try #require(LibraryPath(name)), md5: md5, size: Int64(bytes.readableBytes),
            modified: Timestamp(seconds: 5, nanoseconds: 0), type: .jpeg, media: MediaFacts())
    }

    private func key(_ md5: ContentDigest) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description))
    }

    private func name(_ photo: CatalogEntry) -> String { "\(UserID.bob)/\(photo.md5).jpg" }

    @Test("an original is downloaded once and keeps its extension")
    func download() async throws {
        let (cache, photo) = (try cache(), try await photo(1))
        #expect(await cache.original(of: photo, .bob) == nil)
        let file = try #require(try await cache.download(photo, with: reader()))
        #expect(file.path == folder.subpath(name(photo)))
        #expect(try folder.read(name(photo)) == PhotoBytes.jpeg(1))
        #expect(try await cache.download(photo, with: reader()) != nil)
        #expect(objects.count("read") == 1)
        let odd = try await self.photo(2, "no extension/..;rm")
        #expect(try await cache.download(odd, with: reader())?.path.hasSuffix("/\(odd.md5)") == true)
    }

    @Test("a damaged file is downloaded again, by the same process and by another one", arguments: [false, true])
    func damaged(byAnother: Bool) async throws {
        let (cache, photo) = (try cache(), try await photo(1))
        _ = try await cache.download(photo, with: reader())
        var content = PhotoBytes.jpeg(1)
        content[300] ^= 1
        try folder.write(name(photo), content)
        let second = byAnother ? try self.cache() : cache
        #expect(await second.data(of: photo, 0..<10, .bob) == nil, "not read before it is verified")
        #expect(await second.original(of: photo, .bob) == nil)
        #expect(try folder.files().isEmpty)
        _ = try await second.download(photo, with: reader())
        #expect(try folder.read(name(photo)) == PhotoBytes.jpeg(1))
        #expect(objects.count("read") == 2)
    }

    @Test("an object with other bytes is refused and leaves nothing behind")
    func tampered() async throws {
        let (cache, photo) = (try cache(), try await photo(1))
        objects.corruptedKey.withLock { $0 = key(photo.md5).description }
        await #expect(throws: RestoreFailure.contentMismatch) { try await cache.download(photo, with: reader()) }
        #expect(try folder.files().isEmpty)
        #expect(try await cache.usage() == .init())
        let target = try TemporaryFolder()
        await #expect(throws: RestoreFailure.contentMismatch) {
            try await reader().download(photo, into: target.path)
        }
        #expect(try target.files().isEmpty)
    }

    @Test("an original in use is not removed to make room, and one that does not fit is not downloaded")
    func inUse() async throws {
        let (cache, first, second) = (try cache(files: 2), try await photo(1), try await photo(2))
        var file = try await cache.download(first, with: reader())
        for seed in 10...12 {
            clock.advance(by: 1)
            await cache.store(ByteBuffer(repeating: 1, count: 10), as: .thumbnail, of: try .seeded(seed), .bob)
        }
        #expect(try folder.files().contains(name(first)) && folder.files().count == 2)
        let small = try self.cache(files: 1)
        #expect(file != nil)
        #expect(try await small.download(second, with: reader()) == nil)
        #expect(objects.count("read") == 1)
        let thumbnail = ByteBuffer(repeating: 1, count: 10)
        await cache.store(thumbnail, as: .thumbnail, of: try .seeded(20), .bob)
        let full = try self.cache(bytes: 1200)
        #expect(try await full.download(try await photo(4, length: 700), with: reader()) == nil)
        #expect(await full.picture(.thumbnail, of: try .seeded(20), .bob) == thumbnail, "nothing is removed in vain")
        file = nil
        let other = try #require(try await small.download(second, with: reader()))
        #expect(other.path == folder.subpath(name(second)))
        #expect(try folder.files() == [name(second)])
        let large = try await photo(3, length: 5000)
        #expect(try await self.cache(bytes: 4999).download(large, with: reader()) == nil)
        #expect(objects.count("read") == 2)
    }

    @Test("an interrupted download counts towards the limits and is resumed")
    func resumed() async throws {
        let (cache, photo) = (try cache(), try await photo(1, length: 3_000_000))
        objects.cut.withLock { $0 = 2_000_000 }
        await #expect(throws: RestoreFailure.self) {
            try await cache.download(photo, with: reader(resumingFrom: 1000))
        }
        let kept = try await cache.usage()
        #expect(kept.files == 1 && kept.bytes > 0)
        objects.cut.withLock { $0 = nil }
        #expect(try await cache.download(photo, with: reader(resumingFrom: 1000)) != nil)
        #expect(objects.offsets.withLock { $0 } == [0, kept.bytes])
        #expect(try await cache.usage() == .init(bytes: photo.size, files: 1))
        #expect(try folder.read(name(photo)) == PhotoBytes.jpeg(1, length: 3_000_000))
    }

    @Test("a range is read from a verified original or requested, and must have its length")
    func ranges() async throws {
        let (cache, photo) = (try cache(), try await photo(1))
        let expected = ByteBuffer(bytes: PhotoBytes.jpeg(1)[100..<150])
        #expect(try await reader().data(of: photo, 100..<150) == expected)
        #expect(await cache.data(of: photo, 100..<150, .bob) == nil)
        _ = try await cache.download(photo, with: reader())
        #expect(await cache.data(of: photo, 100..<150, .bob) == expected)
        objects.cut.withLock { $0 = 20 }
        await #expect(throws: RestoreFailure.self) { try await reader().data(of: photo, 100..<150) }
        objects.cut.withLock { $0 = nil }
        try await objects.put(key(photo.md5), ByteBuffer(repeating: 1, count: 90), if: .always)
        await #expect(throws: RestoreFailure.contentMismatch) { try await reader().data(of: photo, 0..<50) }
        await #expect(throws: RestoreFailure.contentMismatch) { try await reader().data(of: photo, 100..<150) }
    }

    @Test("a download to a file replaces nothing, and keeps a file with the same content")
    func toFile() async throws {
        let (target, photo) = (try TemporaryFolder(), try await photo(1))
        try target.write("Photo.JPG", Array("mine".utf8))
        await #expect(throws: RestoreFailure.file(.exists)) { try await reader().download(photo, into: target.path) }
        #expect(try target.read("Photo.JPG") == Array("mine".utf8) && target.files().count == 1)
        #expect(objects.count("read") == 0)
        try FileManager.default.removeItem(atPath: target.subpath("Photo.JPG"))
        for _ in 0..<2 { try await reader().download(photo, into: target.path) }
        #expect(try target.files() == ["Photo.JPG"] && target.read("Photo.JPG") == PhotoBytes.jpeg(1))
        #expect(try target.modified("Photo.JPG") == Date(timeIntervalSince1970: 5))
        #expect(objects.count("read") == 1)
    }
}
