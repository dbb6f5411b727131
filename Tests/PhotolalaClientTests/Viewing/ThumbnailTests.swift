import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

@Suite("Thumbnails for display") struct ThumbnailTests {
    /// Returns a store whose reads of thumbnails wait at a gate.
    private static func gated(_ gate: Gate) -> FakeObjectStore {
        FakeObjectStore { verb, key in
            if verb == "get", key.hasPrefix("thumbnails/") { await gate.wait() }
            return nil
        }
    }

    @Test("a thumbnail is downloaded once and then needs no network, also in another process")
    func cached() async throws {
        let isOffline = Mutex(false)
        let store = FakeObjectStore { _, _ in isOffline.withLock { $0 } ? .unavailable("offline") : nil }
        try await ViewingFixture.with(store) { fixture in
            let photo = try await fixture.addWithThumbnail("a.jpg", seed: 1)
            #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(1))
            isOffline.withLock { $0 = true }
            #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(1))
            #expect(try await fixture.otherProcess().thumbnail(for: photo) == fixture.thumbnail(1))
            #expect(store.count("get", "thumbnails/") == 1)
            let bare = try ViewingFixture.library(fixture.client, fixture.session, store, cacheFolder: nil)
            await expect(.temporarilyUnavailable) { _ = try await bare.thumbnail(for: photo) }
        }
    }

    @Test("a photo without a thumbnail has none, and one that is no JPEG is refused and not cached")
    func missing() async throws {
        try await ViewingFixture.with { fixture in
            let photo = try await fixture.add("a.jpg", seed: 1)
            let none = try await fixture.library.thumbnail(for: photo)
            #expect(none == nil)
            try await fixture.putThumbnail(Array("<html>".utf8), of: photo)
            let error = await #expect(throws: PhotolalaError.self) {
                try await fixture.library.thumbnail(for: photo)
            }
            #expect(error?.code == .photoDamaged && error?.detail.hasPrefix("The stored thumbnail is damaged.") == true)
            try await fixture.putThumbnail(PhotoBytes.picture(1, length: 300 << 10), of: photo)
            await expect(.photoDamaged) { _ = try await fixture.library.thumbnail(for: photo) }
            #expect(try fixture.cachedFiles().isEmpty)
            try await fixture.putThumbnail(PhotoBytes.picture(1001), of: photo)
            #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(1))
        }
    }

    @Test("a preview is cached beside the thumbnail, and neither is returned for the other")
    func previews() async throws {
        let isOffline = Mutex(false)
        let store = FakeObjectStore { _, _ in isOffline.withLock { $0 } ? .unavailable("offline") : nil }
        try await ViewingFixture.with(maximumBytes: 1 << 23, store) { fixture in
            let photo = try await fixture.addWithThumbnail("a.jpg", seed: 1)
            let none = try await fixture.library.preview(for: photo)
            #expect(none == nil)
            let key = PictureKind.preview.key(of: try #require(ContentDigest(photo.md5)), .bob)
            func put(_ bytes: [UInt8]) async throws {
                _ = try await store.memory.put(key, ByteBuffer(bytes: bytes), if: .always)
            }
            try await put(Array("<html>".utf8))
            await expect(.photoDamaged) { _ = try await fixture.library.preview(for: photo) }
            try await put(PhotoBytes.picture(5, length: 4 << 20 + 1))
            await expect(.photoDamaged) { _ = try await fixture.library.preview(for: photo) }
            let preview = PhotoBytes.picture(5, length: 1 << 20)
            try await put(preview)
            #expect(try await fixture.library.preview(for: photo) == Data(preview))
            #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(1))
            isOffline.withLock { $0 = true }
            #expect(try await fixture.otherProcess().preview(for: photo) == Data(preview))
            // A file at the other one's name is not returned.
            let files = try fixture.cachedFiles().sorted()
            #expect(files.map { $0.split(separator: ".").last } == ["preview", "thumbnail"])
            let (large, small) = (
                fixture.cacheFolder.appendingPathComponent(files[0]),
                fixture.cacheFolder.appendingPathComponent(files[1])
            )
            try FileManager.default.removeItem(at: large)
            try FileManager.default.moveItem(at: small, to: large)
            await expect(.temporarilyUnavailable) { _ = try await fixture.otherProcess().preview(for: photo) }
        }
    }

    @Test("a damaged file in the cache is downloaded again")
    func damaged() async throws {
        try await ViewingFixture.with { fixture in
            let photo = try await fixture.addWithThumbnail("a.jpg", seed: 1)
            _ = try await fixture.library.thumbnail(for: photo)
            let file = fixture.cacheFolder.appendingPathComponent(try #require(try fixture.cachedFiles().first))
            var content = try Data(contentsOf: file)
            content[content.count / 2] ^= 1
            try content.write(to: file)
            #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(1))
            #expect(fixture.store.count("get", "thumbnails/") == 2)
            #expect(try Data(contentsOf: file) != content)
        }
    }

    @Test("concurrent calls share one download, which a cancelled caller does not stop")
    func shared() async throws {
        let gate = Gate()
        try await ViewingFixture.with(Self.gated(gate)) { fixture in
            let photo = try await fixture.addWithThumbnail("a.jpg", seed: 1)
            let library = fixture.library
            let calls = (0..<5).map { _ in Task { try await library.thumbnail(for: photo) } }
            let key = PhotoViewer.PhotoKey(user: .bob, md5: try #require(ContentDigest(photo.md5)))
            while library.viewer.thumbnails.requestCount(for: key) < 5 { await Task.yield() }
            calls[0].cancel()
            await expect(.cancelled) { _ = try await calls[0].value }
            gate.open()
            for call in calls.dropFirst() { #expect(try await call.value == fixture.thumbnail(1)) }
            #expect(fixture.store.count("get", "thumbnails/") == 1)
        }
    }

    @Test("another account never gets a cached photo, and neither does a signed-out device")
    func anotherAccount() async throws {
        try await ViewingFixture.with { fixture in
            let photo = try await fixture.addWithThumbnail("a.jpg", seed: 1)
            _ = try await fixture.library.thumbnail(for: photo)
            _ = try await fixture.library.original(for: photo)
            try await fixture.session.signOut()
            await expect(.notSignedIn) { _ = try await fixture.library.thumbnail(for: photo) }
            await expect(.notSignedIn) { _ = try await fixture.library.original(for: photo) }
            await expect(.notSignedIn) { _ = try await fixture.library.data(for: photo, range: 0..<1) }
            _ = try await fixture.session.signIn(ClientFixture.credential)
            #expect(try await fixture.session.signedInUserID() == ViewingFixture.alice)
            let none = try await fixture.library.thumbnail(for: photo)
            #expect(none == nil)
            await expect(.photoDamaged) { _ = try await fixture.library.original(for: photo) }
            await expect(.photoDamaged) { _ = try await fixture.library.data(for: photo, range: 0..<1) }
            #expect(try fixture.cachedFiles().allSatisfy { $0.hasPrefix("\(UserID.bob)/") })
        }
    }

    @Test("a download that ends after the sign-out returns and stores nothing")
    func signedOut() async throws {
        let gate = Gate()
        try await ViewingFixture.with(Self.gated(gate)) { fixture in
            let (library, photo) = (fixture.library, try await fixture.addWithThumbnail("a.jpg", seed: 1))
            let call = Task { try await library.thumbnail(for: photo) }
            while fixture.store.count("get", "thumbnails/") == 0 { await Task.yield() }
            try await fixture.session.signOut()
            gate.open()
            await expect(.notSignedIn) { _ = try await call.value }
            #expect(try fixture.cachedFiles().isEmpty)
        }
    }

    @Test("a prefetch fills the cache and counts photos without a usable thumbnail")
    func prefetch() async throws {
        try await ViewingFixture.with { fixture in
            var photos: [LibraryPhoto] = []
            for seed in 1...8 { photos.append(try await fixture.addWithThumbnail("\(seed).jpg", seed: seed)) }
            photos.append(try await fixture.add("none.jpg", seed: 20))
            photos.append(try await fixture.add("damaged.jpg", seed: 21))
            try await fixture.putThumbnail([1, 2, 3], of: photos[9])
            let prefetch = fixture.library.prefetchThumbnails(for: photos)
            var progress = TransferProgress()
            for await newest in prefetch { progress = newest }
            let report = try await prefetch.report
            #expect(report.thumbnails == 8 && report.photosWithoutThumbnail == 1 && report.failures == 1)
            #expect(progress.totalFiles == 10 && progress.finishedFiles == 10 && progress.failedFiles == 1)
            fixture.store.clearLog()
            for (index, photo) in photos.prefix(8).enumerated() {
                #expect(try await fixture.library.thumbnail(for: photo) == fixture.thumbnail(index + 1))
            }
            #expect(fixture.store.count("get") == 0)
            let bare = try ViewingFixture.library(fixture.client, fixture.session, fixture.store, cacheFolder: nil)
            await expect(.invalidRequest) { _ = try await bare.prefetchThumbnails(for: photos).report }
        }
    }

    @Test("a visible photo does not wait for a prefetch, and a cancelled prefetch starts no more downloads")
    func cancelledPrefetch() async throws {
        let gate = Gate()
        try await ViewingFixture.with(Self.gated(gate)) { fixture in
            var photos: [LibraryPhoto] = []
            for seed in 1...10 { photos.append(try await fixture.addWithThumbnail("\(seed).jpg", seed: seed)) }
            let (library, visible) = (fixture.library, photos[9])
            let prefetch = library.prefetchThumbnails(for: Array(photos.prefix(9)))
            while fixture.store.count("get", "thumbnails/") < 4 { await Task.yield() }
            let shown = Task { try await library.thumbnail(for: visible) }
            while fixture.store.count("get", "thumbnails/") < 5 { await Task.yield() }
            #expect(fixture.store.log.last?.contains(visible.md5) == true)
            prefetch.cancel()
            await expect(.cancelled) { _ = try await prefetch.report }
            gate.open()
            #expect(try await shown.value == fixture.thumbnail(10))
            #expect(fixture.store.count("get", "thumbnails/") == 5)
        }
    }
}
