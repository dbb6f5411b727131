import Foundation
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("A bounded disk cache") struct DiskCacheTests {
    private static let alice = UserID(uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))
    /// The bytes that a file has in addition to the thumbnail.
    private static let overhead = 32

    private let folder: TemporaryFolder
    private let clock = TestClock()

    init() throws { folder = try TemporaryFolder() }

    private func cache(bytes: Int64 = 1 << 30, files: Int = 1000) throws -> DiskCache {
        let clock = clock
        return try DiskCache(
            folder: folder.path, limits: .init(bytes: bytes, files: files), randomness: .seeded(1), now: { clock.now })
    }

    /// Stores a thumbnail a second after the previous use.
    private func store(_ seed: Int, _ length: Int = 100, in cache: DiskCache, of user: UserID = .bob) async throws {
        clock.advance(by: 1)
        await cache.store(bytes(seed, length), as: .thumbnail, of: try .seeded(seed), user)
    }

    private func bytes(_ seed: Int, _ length: Int = 100) -> ByteBuffer {
        ByteBuffer(repeating: UInt8(truncatingIfNeeded: seed), count: length)
    }

    /// The sizes of all files in the folder.
    private func sizes() throws -> [Int] { try folder.files().map { try folder.read($0).count } }

    private func name(_ seed: Int) throws -> String { "\(UserID.bob)/\(try ContentDigest.seeded(seed)).thumbnail" }

    @Test("the least recently used file is removed first, also by another process")
    func order() async throws {
        let first = try cache(files: 3)
        for seed in 1...3 { try await store(seed, in: first) }
        clock.advance(by: 1)
        #expect(await first.picture(.thumbnail, of: try .seeded(1), .bob) == bytes(1))
        try await store(4, in: first)
        #expect(try folder.files() == [try name(1), try name(3), try name(4)].sorted())
        try await store(5, in: try cache(files: 3))
        #expect(try folder.files() == [try name(1), try name(4), try name(5)].sorted())
    }

    @Test("the folder never exceeds a limit", arguments: 1...4)
    func limits(seed: UInt64) async throws {
        let limited = try cache(bytes: 5000, files: 7)
        var generator = SeededGenerator(seed: seed)
        for number in 1...150 {
            let length = Int.random(in: 1...2500, using: &generator)
            try await store(number, length, in: limited)
            let sizes = try sizes()
            #expect(sizes.reduce(0, +) <= 5000 && sizes.count <= 7)
            #expect(try sizes.contains(length + Self.overhead) && folder.files().contains(name(number)))
            let usage = try await limited.usage()
            #expect(usage == .init(bytes: Int64(sizes.reduce(0, +)), files: sizes.count))
        }
        try await store(151, 5000, in: limited)
        #expect(await limited.picture(.thumbnail, of: try .seeded(151), .bob) == nil, "larger than the cache")
        #expect(await limited.picture(.thumbnail, of: try .seeded(150), .bob) != nil, "nothing is removed for it")
    }

    @Test("concurrent stores stay within the limits")
    func concurrent() async throws {
        let limited = try cache(bytes: 3000, files: 5)
        let photos = try (1...60).map { (try ContentDigest.seeded($0), bytes($0, 400)) }
        await withTaskGroup { group in
            for (digest, bytes) in photos {
                group.addTask { await limited.store(bytes, as: .thumbnail, of: digest, .bob) }
            }
        }
        let sizes = try sizes()
        #expect((1...5).contains(sizes.count) && sizes.reduce(0, +) <= 3000)
        #expect(sizes.allSatisfy { $0 == 400 + Self.overhead }, "no incomplete file")
    }

    @Test("the files of another process are counted when files are removed")
    func twoProcesses() async throws {
        let (one, other) = (try cache(files: 4), try cache(files: 4))
        for seed in 1...3 { try await store(seed, in: one) }
        for seed in 4...6 { try await store(seed, in: other) }
        #expect(try folder.files().count == 4)
        try await store(7, in: one)
        try await store(8, in: one)
        #expect(try folder.files().count <= 4)
        #expect(await one.picture(.thumbnail, of: try .seeded(8), .bob) == bytes(8))
    }

    enum Damage: CaseIterable {
        case changed, truncated, extended, emptied, oversized, ofAnotherPhoto, ofAnotherAccount
    }

    @Test("a damaged or moved file is removed and not returned", arguments: Damage.allCases)
    func damage(_ damage: Damage) async throws {
        let cache = try cache()
        try await store(1, in: cache)
        let name = try name(1)
        var content = try folder.read(name)
        switch damage {
        case .changed: content[60] ^= 1
        case .truncated: content.removeLast()
        case .extended: content.append(0)
        case .emptied: content = []
        case .oversized: content += [UInt8](repeating: 0, count: 300 << 10)
        case .ofAnotherPhoto:
            try await store(2, in: cache)
            content = try folder.read(try self.name(2))
        case .ofAnotherAccount:
            await cache.store(bytes(1), as: .thumbnail, of: try .seeded(1), Self.alice)
            content = try folder.read("\(Self.alice)/\(try ContentDigest.seeded(1)).thumbnail")
        }
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), .bob) == bytes(1))
        try folder.write(name, content)
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), .bob) == nil)
        #expect(try !folder.files().contains(name))
        try await store(1, in: cache)
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), .bob) == bytes(1))
    }

    @Test("accounts do not see each other's files, and share the limits")
    func accounts() async throws {
        let cache = try cache(files: 2)
        try await store(1, in: cache)
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), Self.alice) == nil)
        for seed in 2...3 { try await store(seed, in: cache, of: Self.alice) }
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), .bob) == nil)
        #expect(await cache.picture(.thumbnail, of: try .seeded(3), Self.alice) == bytes(3))
    }

    @Test("nothing outside of the accounts' folders is counted or removed, and links are not followed")
    func foreignFiles() async throws {
        let outside = try TemporaryFolder()
        try outside.write("victim", [1, 2, 3])
        for name in ["notes.txt", "album/a.jpg"] { try folder.write(name, [1]) }
        try folder.link("\(Self.alice)", to: outside.path)
        let cache = try cache(files: 1)
        try await store(1, in: cache)
        try await store(2, in: cache)
        #expect(try await cache.usage().files == 1)
        #expect(await cache.picture(.thumbnail, of: try .seeded(2), .bob) == bytes(2))
        try await store(3, in: cache, of: Self.alice)
        #expect(try outside.files() == ["victim"])
        try FileManager.default.removeItem(atPath: folder.subpath(try name(2)))
        try folder.link(try name(2), to: outside.subpath("victim"))
        #expect(await cache.picture(.thumbnail, of: try .seeded(2), .bob) == nil)
        try await cache.removeAll()
        #expect(try await cache.usage() == .init())
        #expect(!FileManager.default.fileExists(atPath: folder.subpath("\(UserID.bob)")))
        #expect(try outside.read("victim") == [1, 2, 3])
        #expect(try folder.read("notes.txt") == [1] && folder.read("album/a.jpg") == [1])
        try await store(3, in: cache)
        #expect(await cache.picture(.thumbnail, of: try .seeded(3), .bob) == bytes(3))
    }

    @Test("nothing is removed for a file that files being written leave no room for")
    func noRoom() async throws {
        let cache = try cache(bytes: 1000)
        try await store(1, in: cache)
        let writing = try #require(try cache.reserve(700, for: folder.subpath("\(UserID.bob)/.part")))
        #expect(try cache.reserve(400, for: folder.subpath("\(UserID.bob)/.other")) == nil)
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), .bob) == bytes(1))
        cache.finish(writing, as: folder.subpath("\(UserID.bob)/none"))
        #expect(try cache.reserve(900, for: folder.subpath("\(UserID.bob)/.other")) != nil)
        #expect(try folder.files().isEmpty, "there is room now, for one of both")
    }

    @Test("a file that cannot be removed is an error, after all others were removed")
    func failedRemoval() async throws {
        let cache = try cache()
        try folder.write("\(UserID.bob)/folder/file", [1])
        for seed in 1...3 { try await store(seed, in: cache) }
        await #expect(throws: FileError.self) { try await cache.removeAll() }
        #expect(try folder.files() == ["\(UserID.bob)/folder/file"])
    }

    @Test("a damaged file is not removed once another one has got its name")
    func replaced() async throws {
        let cache = try cache()
        try await store(1, in: cache)
        let path = folder.subpath(try name(1))
        let damaged = try OpenFile(path)
        try FileManager.default.removeItem(atPath: path)
        try await store(1, in: cache)
        cache.discard(path, damaged)
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), .bob) == bytes(1))
        cache.discard(path, try OpenFile(path))
        #expect(await cache.picture(.thumbnail, of: try .seeded(1), .bob) == nil)
    }
}
