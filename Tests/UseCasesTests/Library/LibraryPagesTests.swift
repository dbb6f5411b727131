import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import Synchronization
import Testing

@testable import UseCases

/// A library of an app that has no catalog of its own: it uploads, adds and lists photos by the API.
@Suite struct LibraryPagesTests {
    private static let jpeg =
        [UInt8]([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 90)

    private func content(_ seed: UInt8) -> ByteBuffer { ByteBuffer(bytes: Self.jpeg + [seed]) }
    private func md5(_ seed: UInt8) -> String { "\(ContentDigest(of: content(seed)))" }

    private func photo(_ seed: UInt8, _ path: String? = nil) -> NewPhoto {
        NewPhoto(
            path: path ?? "Camera/\(seed).jpg", md5: md5(seed),
            modifiedAt: Date(timeIntervalSince1970: 1_700_000_000 + TimeInterval(seed)))
    }

    private func with(_ test: (TestService, Caller) async throws -> Void) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await test(service, try await service.caller(bob.session))
    }

    private func add(_ seeds: [UInt8], to service: TestService, _ caller: Caller) async throws {
        for seed in seeds {
            let key = StorageLayout.photo(caller.user, md5: md5(seed))
            _ = try await service.store.put(ObjectKey(known: key), content(seed), if: .always)
        }
        let added = try await service.services.libraryUploads.addPhotos(
            NewPhotos(photos: seeds.map { photo($0) }), caller: caller)
        #expect(added.photos == seeds.map { _ in .added })
    }

    @Test func `pages are newest first and complete`() async throws {
        try await with { service, caller in
            try await add([1, 2, 3, 4, 5], to: service, caller)
            var (from, md5s, version) = (Int?.some(0), [String](), String?.none)
            while let first = from {
                let page = try await service.services.library.page(
                    of: .photos, from: first, limit: 2, version: version, caller: caller)
                #expect(page.count == 5)
                md5s += page.photos.map(\.md5)
                (from, version) = (page.next, page.version)
            }
            #expect(md5s == [5, 4, 3, 2, 1].map { md5($0) })
            let all = try await service.services.library.page(
                of: .photos, from: 0, limit: 5, version: nil, caller: caller)
            #expect(
                all.next == nil && all.photos.first?.path == "Camera/5.jpg" && all.photos.first?.type == "image/jpeg")
            let past = try await service.services.library.page(
                of: .photos, from: .max, limit: 200, version: nil, caller: caller)
            #expect(past.photos.isEmpty && past.next == nil)
        }
    }

    @Test func `a file has the duration and the camera that it tells`() async throws {
        try await with { service, caller in
            let camera = PhotoBytes.exif([], first: [(0x010f, "Canon"), (0x0110, "EOS R5")])
            let movie = MovieBytes.movie(MovieBytes.mvhd(0, timescale: 600, duration: 1500))
            for (path, bytes) in [("a.jpg", PhotoBytes.jpeg(1, exif: camera)), ("b.mov", movie)] {
                let md5 = ContentDigest(of: ByteBuffer(bytes: bytes))
                let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: "\(md5)"))
                _ = try await service.store.put(key, ByteBuffer(bytes: bytes), if: .always)
                let new = NewPhoto(path: path, md5: "\(md5)", modifiedAt: service.clock.now)
                _ = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: [new]), caller: caller)
            }
            let page = try await service.services.library.page(
                of: .photos, from: 0, limit: 9, version: nil, caller: caller)
            #expect(
                Set(page.photos.map { "\($0.path) \($0.camera ?? "-") \($0.durationMilliseconds ?? 0)" })
                    == ["a.jpg Canon EOS R5 0", "b.mov - 2500"])
        }
    }

    @Test func `a photo has its location, and is a favorite or not unless the favorites are damaged`() async throws {
        try await with { service, caller in
            let place = PhotoBytes.positioned(
                north: [(33, 1), (30, 1), (0, 1)], east: [(151, 1), (15, 1), (0, 1)], "SE")
            let located = ByteBuffer(bytes: PhotoBytes.jpeg(1, exif: place))
            let md5 = ContentDigest(of: located)
            let key = StorageLayout.photo(caller.user, md5: "\(md5)")
            _ = try await service.store.put(ObjectKey(known: key), located, if: .always)
            let new = NewPhoto(path: "a.jpg", md5: "\(md5)", modifiedAt: service.clock.now)
            _ = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: [new]), caller: caller)
            try await add([2], to: service, caller)
            let catalogs = CatalogStore(
                store: service.store, user: caller.user, pause: .none)
            try await catalogs.setFavorites([md5: true])
            func photos() async throws -> [String: ListedPhoto] {
                let page = try await service.services.library.page(
                    of: .photos, from: 0, limit: 9, version: nil, caller: caller)
                return Dictionary(uniqueKeysWithValues: page.photos.map { ($0.path, $0) })
            }
            let (first, second) = (try await photos()["a.jpg"], try await photos()["Camera/2.jpg"])
            #expect(first?.latitude == -33.5 && first?.longitude == 151.25 && first?.isFavorite == true)
            #expect(second?.latitude == nil && second?.longitude == nil && second?.isFavorite == false)
            let original = try await service.services.library.original(md5: "\(md5)", caller: caller)
            #expect(original.photo.isFavorite == true && original.photo.latitude == -33.5)
            for text in ["damaged", #"{"version":2,"favorites":{},"removed":{}}"#] {
                let favorites = ObjectKey(known: StorageLayout.favorites(caller.user))
                _ = try await service.store.put(favorites, ByteBuffer(string: text), if: .always)
                #expect(try await photos().values.allSatisfy { $0.isFavorite == nil })
            }
        }
    }

    @Test func `instead of a version that is no longer known, the newest one is returned`() async throws {
        try await with { service, caller in
            try await add([1], to: service, caller)
            let library = service.services.library
            let newest = try await library.page(of: .photos, from: 0, limit: 1, version: nil, caller: caller)
            let page = try await library.page(of: .photos, from: 0, limit: 1, version: "0", caller: caller)
            #expect(page.version == newest.version && page.count == 1)
        }
    }

    @Test func `an original has an address, and an unknown one does not exist`() async throws {
        try await with { service, caller in
            try await add([1], to: service, caller)
            let library = service.services.library
            let found = try await library.original(md5: md5(1), caller: caller)
            #expect(found.photo.md5 == md5(1) && found.url.contains(StorageLayout.photo(caller.user, md5: md5(1))))
            await #expect(throws: ServiceError.notFound) {
                try await library.original(md5: md5(2), caller: caller)
            }
        }
    }

    @Test func `a photo without its bytes is missing, and a text is no photo`() async throws {
        try await with { service, caller in
            let text = ByteBuffer(string: "text")
            let key = StorageLayout.photo(caller.user, md5: "\(ContentDigest(of: text))")
            _ = try await service.store.put(ObjectKey(known: key), text, if: .always)
            let note = NewPhoto(path: "a.jpg", md5: "\(ContentDigest(of: text))", modifiedAt: service.clock.now)
            let outcome = try await service.services.libraryUploads.addPhotos(
                NewPhotos(photos: [photo(1), note]), caller: caller)
            #expect(outcome.photos == [.missing, .notMedia])
        }
    }

    @Test func `a path that a library cannot have, or that is repeated, stops no other photo`() async throws {
        try await with { service, caller in
            let paths = [
                "", "/a.jpg", "a//b.jpg", "../a.jpg", ".photolala-trash/a.jpg", String(repeating: "a", count: 256),
            ]
            try await add([1], to: service, caller)
            let photos = paths.map { photo(1, $0) } + [photo(1, "a.jpg"), photo(1, "a.jpg")]
            let outcome = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: photos), caller: caller)
            #expect(outcome.photos == paths.map { _ in .badPath } + [.added, .badPath])
        }
    }

    @Test func `an account over its limit adds nothing once its catalogs take up what deleting needs`() async throws {
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: 1000, products: [])])
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob")
        let caller = try await service.caller(bob.session)
        try await add([1, 2], to: service, caller)
        let history = ObjectKey(known: "\(StorageLayout.catalogs(caller.user))history")
        _ = try await service.store.put(history, ByteBuffer(repeating: 0, count: 17 << 20), if: .always)
        _ = try await service.services.usage.countNow(caller.user)
        await #expect {
            _ = try await service.services.libraryUploads.addPhotos(
                NewPhotos(photos: [photo(1, "b.jpg")]), caller: caller)
        } throws: {
            if case ServiceError.quotaExceeded(_, 1000) = $0 { true } else { false }
        }
        let md5 = try #require(ContentDigest(md5(1)))
        #expect(try await service.services.library.moveToTrash([md5], caller: caller).files == 1)
    }

    @Test func `adding again changes nothing, and restores removed photos only if asked to`() async throws {
        try await with { service, caller in
            try await add([1, 2], to: service, caller)
            let library = service.services.library
            let before = try await library.page(of: .photos, from: 0, limit: 9, version: nil, caller: caller)
            try await add([1, 2], to: service, caller)
            let after = try await library.page(of: .photos, from: 0, limit: 9, version: nil, caller: caller)
            #expect(after.version == before.version)
            _ = try await library.moveToTrash([ContentDigest(of: content(1))], caller: caller)
            let trash = try await library.page(of: .trash, from: 0, limit: 9, version: nil, caller: caller)
            #expect(trash.photos.map(\.md5) == [md5(1)])
            let uploads = service.services.libraryUploads
            let again = NewPhotos(photos: [photo(1), photo(2)])
            #expect(try await uploads.addPhotos(again, caller: caller).photos == [.inTrash, .added])
            #expect(try await library.page(of: .trash, from: 0, limit: 9, version: nil, caller: caller).count == 1)
            let asked = NewPhotos(photos: [photo(1)], restoreRemoved: true)
            #expect(try await uploads.addPhotos(asked, caller: caller).photos == [.added])
            #expect(try await library.page(of: .trash, from: 0, limit: 9, version: nil, caller: caller).count == 0)
        }
    }

    @Test func `a photo that was deleted permanently is not missing, and added again only if asked to`() async throws {
        try await with { service, caller in
            try await add([1], to: service, caller)
            let (library, uploads) = (service.services.library, service.services.libraryUploads)
            _ = try await library.moveToTrash([ContentDigest(of: content(1))], caller: caller)
            let offer = try await library.preparePurge(.all, caller: caller)
            _ = try await library.purgeTrash(.all, confirmed: offer.contentsID, caller: caller)
            let again = NewPhotos(photos: [photo(1)])
            #expect(try await uploads.addPhotos(again, caller: caller).photos == [.deleted])
            let asked = NewPhotos(photos: [photo(1)], restoreRemoved: true)
            #expect(try await uploads.addPhotos(asked, caller: caller).photos == [.missing])
            let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: md5(1)))
            _ = try await service.store.put(key, content(1), if: .always)
            #expect(try await uploads.addPhotos(asked, caller: caller).photos == [.added])
            #expect(try await library.original(md5: md5(1), caller: caller).photo.path == "Camera/1.jpg")
        }
    }

    @Test func `files that are not listed because they belong to a photo have originals, also in the trash`()
        async throws
    {
        try await with { service, caller in
            try await add([1], to: service, caller)
            let others = [
                (ByteBuffer(bytes: [0, 0, 0, 16] + Array("ftypqt  ".utf8) + [0, 0, 0, 0]), "Camera/1.mov"),
                (ByteBuffer(bytes: [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0, 0]), "Camera/1.dng"),
            ]
            for (bytes, path) in others {
                let md5 = "\(ContentDigest(of: bytes))"
                let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: md5))
                _ = try await service.store.put(key, bytes, if: .always)
                let new = NewPhoto(path: path, md5: md5, modifiedAt: service.clock.now)
                let outcome = try await service.services.libraryUploads.addPhotos(
                    NewPhotos(photos: [new]), caller: caller)
                #expect(outcome.photos == [.added])
            }
            let library = service.services.library
            let listed = try await library.page(of: .photos, from: 0, limit: 9, version: nil, caller: caller)
            #expect(listed.photos.map(\.path) == ["Camera/1.jpg"])
            for isTrashed in [false, true] {
                for (bytes, path) in others {
                    let original = try await library.original(md5: "\(ContentDigest(of: bytes))", caller: caller)
                    #expect(original.photo.path == path && original.photo.size == Int64(bytes.readableBytes))
                }
                guard !isTrashed else { break }
                let moved = try await library.moveToTrash([ContentDigest(of: content(1))], caller: caller)
                #expect(moved.files == 3)
            }
        }
    }

    @Test func `an original leaves the version that an app pages through`() async throws {
        try await with { service, caller in
            try await add([1, 2, 3], to: service, caller)
            let library = service.services.library
            let first = try await library.page(of: .photos, from: 0, limit: 1, version: nil, caller: caller)
            _ = try await library.moveToTrash([ContentDigest(of: content(3))], caller: caller)
            #expect(try await library.original(md5: md5(1), caller: caller).photo.md5 == md5(1))
            let second = try await library.page(of: .photos, from: 1, limit: 1, version: first.version, caller: caller)
            #expect(second.version == first.version && second.photos.map(\.md5) == [md5(2)])
        }
    }

    private struct FakeStores: UserStores {
        let store: FakeObjectStore

        func store(of user: UserID, _ credentials: StorageCredentials) -> any ObjectStore & DatedDeletion { store }
    }

    @Test func `the time for looking at stored photos counts as time for reading`() async throws {
        let clock = RecordedClock()
        let store = FakeObjectStore { verb, key in
            if verb == "read", key.hasPrefix("photos/") { clock.value.withLock { $0?.advance(by: 31) } }
            return nil
        }
        var options = TestService.Options()
        options.userStores = FakeStores(store: store)
        let service = try await TestService.make(options)
        clock.value.withLock { $0 = service.clock }
        let caller = try await service.caller(try await service.signUp(.apple, "bob").session)
        let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: md5(1)))
        _ = try await store.put(key, content(1), if: .always)
        let (uploads, photos) = (service.services.libraryUploads, NewPhotos(photos: [photo(1)]))
        #expect(try await uploads.addPhotos(photos, caller: caller).photos == [.added])
        await #expect(throws: ServiceError.rateLimited(retryAfter: 10)) {
            try await uploads.addPhotos(photos, caller: caller)
        }
    }

    /// The clock of a service, for a store that is made before it.
    private final class RecordedClock: Sendable {
        let value = Mutex<TestClock?>(nil)
    }

    @Test func `the server's changes have another tag than the device's own`() {
        let id = "3f0f6f0e-1c8a-4b5e-9a7e-2f1d0c9b8a76"
        #expect(DeviceTag(serverFor: id) == DeviceTag(serverFor: id))
        #expect(DeviceTag(serverFor: id) != DeviceTag(deviceID: id))
    }
}
