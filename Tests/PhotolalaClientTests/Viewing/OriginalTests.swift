import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

@Suite("Originals for display") struct OriginalTests {
    @Test("an original is downloaded once, verified and kept in the cache; ranges then need no request")
    func cached() async throws {
        try await ViewingFixture.with { fixture in
            let (library, photo) = (fixture.library, try await fixture.add("a.JPG", seed: 1))
            let bytes = Data(PhotoBytes.jpeg(1))
            #expect(try await library.data(for: photo, range: 10..<20) == bytes[10..<20])
            #expect(try await library.data(for: photo, range: 590..<5000) == bytes[590...])
            #expect(try await library.data(for: photo, range: photo.size..<photo.size + 1).isEmpty)
            #expect(fixture.store.count("read") == 2)
            let original = try await library.original(for: photo)
            #expect(try Data(contentsOf: original.url) == bytes && original.url.pathExtension == "jpg")
            _ = try await library.original(for: photo)
            #expect(try await library.data(for: photo, range: 10..<20) == bytes[10..<20])
            _ = try await fixture.otherProcess().original(for: photo)
            #expect(fixture.store.count("read") == 3)
        }
    }

    @Test("a tampered or missing object is refused and leaves nothing in the cache")
    func damaged() async throws {
        try await ViewingFixture.with { fixture in
            let photo = try await fixture.add("a.jpg", seed: 1)
            let key = StorageLayout.photo(.bob, md5: photo.md5)
            fixture.store.corruptedKey.withLock { $0 = key }
            await expect(.photoDamaged) { _ = try await fixture.library.original(for: photo) }
            #expect(try fixture.cachedFiles().isEmpty)
            try await fixture.store.memory.delete(ObjectKey(known: key), if: .always)
            await expect(.photoDamaged) { _ = try await fixture.library.original(for: photo) }
            await expect(.photoDamaged) { _ = try await fixture.library.data(for: photo, range: 0..<9) }
            #expect(try fixture.cachedFiles().isEmpty)
        }
    }

    @Test("an archived photo is a separate error until it was restored from the archive")
    func archived() async throws {
        let memory = FakeObjectStore().memory
        let archive = ArchivingObjectStore(memory)
        try await ViewingFixture.with(FakeObjectStore(memory, through: archive)) { fixture in
            let photo = try await fixture.addWithThumbnail("a.jpg", seed: 1)
            try await archive.archive(below: "photos/")
            await expect(.photoArchived) { _ = try await fixture.library.original(for: photo) }
            await expect(.photoArchived) { _ = try await fixture.library.data(for: photo, range: 0..<9) }
            #expect(try fixture.cachedFiles().isEmpty)
            #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(1))
            _ = try await archive.restoreFromArchive(
                ObjectKey(known: StorageLayout.photo(.bob, md5: photo.md5)), RetrievalRequest(speed: .bulk, days: 1))
            archive.completeRestores()
            let original = try await fixture.library.original(for: photo)
            #expect(try Data(contentsOf: original.url) == Data(PhotoBytes.jpeg(1)))
        }
    }

    @Test("an original that does not fit, a missing cache and malformed requests are errors")
    func refused() async throws {
        try await ViewingFixture.with(maximumBytes: 500) { fixture in
            let (library, photo) = (fixture.library, try await fixture.add("a.jpg", seed: 1))
            await expect(.cacheTooSmall) { _ = try await library.original(for: photo) }
            let bare = try ViewingFixture.library(fixture.client, fixture.session, fixture.store, cacheFolder: nil)
            await expect(.invalidRequest) { _ = try await bare.original(for: photo) }
            await expect(.invalidRequest) { _ = try await library.data(for: photo, range: -1..<5) }
            await expect(.invalidRequest) {
                _ = try await library.data(for: photo, range: photo.size + 1..<photo.size + 2)
            }
            let long = 0..<PhotolalaLibrary.maximumRangeLength + 1
            await expect(.invalidRequest) { _ = try await library.data(for: photo, range: long) }
            let text = String(decoding: try JSONEncoder().encode(photo), as: UTF8.self)
            let hostile = text.replacing(photo.md5, with: "../../../etc/passwd")
            let decoded = try JSONDecoder().decode(LibraryPhoto.self, from: Data(hostile.utf8))
            await expect(.invalidRequest) { _ = try await library.thumbnail(for: decoded) }
            #expect(fixture.store.count("read") == 0)
            await expect(.invalidRequest) {
                _ = try PhotoCache(folder: fixture.cacheFolder, maximumBytes: 0, maximumFiles: 1, now: { Date() })
            }
        }
    }

    @Test("a download to a file is verified, dated and replaces nothing")
    func toFile() async throws {
        try await ViewingFixture.with(maximumBytes: 500) { fixture in
            let (library, photo) = (fixture.library, try await fixture.add("album/a.jpg", seed: 1))
            let file = fixture.client.folder.appendingPathComponent("saved.jpg")
            for _ in 0..<2 { try await library.downloadOriginal(of: photo, to: file) }
            #expect(try Data(contentsOf: file) == Data(PhotoBytes.jpeg(1)) && fixture.store.count("read") == 1)
            let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            #expect(date == Date(timeIntervalSince1970: 1_700_000_001))
            try Data("mine".utf8).write(to: file)
            await expect(.fileUnusable) { try await library.downloadOriginal(of: photo, to: file) }
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
        }
    }

    @Test("a download to a file that ends after the sign-out leaves no file")
    func signedOut() async throws {
        let gate = Gate()
        let gated = FakeObjectStore { verb, _ in
            if verb == "read" { await gate.wait() }
            return nil
        }
        try await ViewingFixture.with(gated) { fixture in
            let (library, photo) = (fixture.library, try await fixture.add("a.jpg", seed: 1))
            let file = fixture.client.folder.appendingPathComponent("saved.jpg")
            let call = Task { try await library.downloadOriginal(of: photo, to: file) }
            while fixture.store.count("read") == 0 { await Task.yield() }
            try await fixture.session.signOut()
            gate.open()
            await expect(.notSignedIn) { try await call.value }
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("the cache reports its usage and can be emptied")
    func emptied() async throws {
        try await ViewingFixture.with { fixture in
            let photo = try await fixture.addWithThumbnail("a.jpg", seed: 1)
            _ = try await fixture.library.thumbnail(for: photo)
            _ = try await fixture.library.original(for: photo)
            let cache = try PhotoCache(folder: fixture.cacheFolder)
            let usage = try await cache.usage()
            #expect(usage.files == 2 && usage.bytes == photo.size + Int64(fixture.thumbnail(1).count) + 32)
            try await cache.removeAll()
            #expect(try fixture.cachedFiles().isEmpty)
            #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(1))
        }
    }
}
