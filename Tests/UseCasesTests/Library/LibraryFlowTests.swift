import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import StorageAccess
import Subscriptions
import Testing

@testable import UseCases

/// A library as its owner sees and changes it in a browser.
@Suite struct LibraryFlowTests {
    private static let jpeg =
        [UInt8]([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 90)

    private func bytes(_ seed: UInt8) -> ByteBuffer { ByteBuffer(bytes: Self.jpeg + [seed]) }

    private func offer(
        _ seed: UInt8, _ path: String = "Uploads/a.jpg", size: Int64? = nil, previewSize: Int64 = 5
    ) throws -> OfferedPhoto {
        OfferedPhoto(
            path: try #require(LibraryPath(path)), md5: ContentDigest(of: bytes(seed)),
            size: size ?? Int64(bytes(seed).readableBytes), head: bytes(seed),
            thumbnail: OfferedPicture(md5: ContentDigest(of: ByteBuffer(string: "small")), size: 5),
            preview: OfferedPicture(md5: ContentDigest(of: ByteBuffer(string: "large")), size: previewSize))
    }

    private func arrival(_ seed: UInt8, _ path: String) throws -> UploadedPhoto {
        UploadedPhoto(
            path: try #require(LibraryPath(path)), md5: ContentDigest(of: bytes(seed)),
            modified: Timestamp(seconds: 1_700_000_000 + Int64(seed), nanoseconds: 0))
    }

    private func bob(_ service: TestService) async throws -> Caller {
        try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller
    }

    /// Uploads photos from Bob's browser.
    private func upload(_ seeds: [UInt8], to service: TestService, _ caller: Caller) async throws {
        for seed in seeds {
            let key = StorageLayout.photo(caller.user, md5: ContentDigest(of: bytes(seed)).description)
            _ = try await service.store.put(ObjectKey(known: key), bytes(seed), if: .always)
        }
        let arrivals = try seeds.map { try arrival($0, "Uploads/\($0).jpg") }
        let outcomes = try await service.services.libraryUploads.finishUploads(arrivals, caller: caller)
        #expect(outcomes.allSatisfy { $0 == .added })
    }

    @Test("an upload plan has a PUT for exactly the photo's bytes, and none for stored, listed or invalid photos")
    func plans() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        let text = OfferedPhoto(
            path: try #require(LibraryPath("a.jpg")), md5: ContentDigest(of: ByteBuffer(string: "text")), size: 4,
            head: ByteBuffer(string: "text"), thumbnail: nil, preview: nil)
        let long = try offer(9, size: UploadRequest.maximumPhotoSize + 1)
        let plans = try await service.services.libraryUploads.planUploads([try offer(1), text, long], caller: caller)
        guard case .upload(let photo?, let thumbnail?, let preview?) = plans[0] else {
            Issue.record("\(plans[0])")
            return
        }
        #expect(Array(plans.dropFirst()) == [.notMedia, .tooLarge])
        #expect(photo.headers["content-length"] == "101" && photo.headers["content-type"] == "image/jpeg")
        #expect(photo.headers["content-md5"] == ContentDigest(of: bytes(1)).base64)
        #expect(photo.url.contains("X-Amz-SignedHeaders=content-length%3Bcontent-md5%3Bcontent-type%3Bhost"))
        #expect(photo.url.contains("/photos/\(caller.user)/\(ContentDigest(of: bytes(1))).dat?"))
        #expect(thumbnail.url.contains("/thumbnails/\(caller.user)/\(ContentDigest(of: bytes(1))).jpg?"))
        #expect(preview.url.contains("/thumbnails/\(caller.user)/previews/\(ContentDigest(of: bytes(1))).jpg?"))
        #expect(preview.headers["content-md5"] == ContentDigest(of: ByteBuffer(string: "large")).base64)
        let heavy = try offer(2, previewSize: Int64(Preview.sizeLimit) + 1)
        guard
            case .upload(_?, _?, nil)? = try await service.services.libraryUploads.planUploads(
                [heavy], caller: caller
            ).first
        else {
            Issue.record("a preview that is too large is to be uploaded")
            return
        }

        try await upload([1], to: service, caller)
        #expect(
            try await service.services.libraryUploads.planUploads([try offer(1)], caller: caller) == [.alreadyInLibrary]
        )
        // A photo in the trash is not in the library but is stored, and its thumbnail may be stored too.
        _ = try await service.services.library.moveToTrash([ContentDigest(of: bytes(1))], caller: caller)
        guard
            case .upload(nil, _?, _?)? = try await service.services.libraryUploads.planUploads(
                [try offer(1)], caller: caller
            ).first
        else {
            Issue.record("a stored photo is to be uploaded again")
            return
        }
        let small = StorageLayout.thumbnail(caller.user, md5: ContentDigest(of: bytes(1)).description)
        let large = StorageLayout.preview(caller.user, md5: ContentDigest(of: bytes(1)).description)
        for key in [small, large] {
            _ = try await service.store.put(ObjectKey(known: key), ByteBuffer(string: "better"), if: .always)
        }
        let again = try await service.services.libraryUploads.planUploads([try offer(1)], caller: caller)
        #expect(again == [.upload(photo: nil, thumbnail: nil, preview: nil)])
    }

    @Test(
        "links are signed with a few session credentials per hour and stay the same for several minutes")
    func links() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        let wanted = [PhotoLink.thumbnail(ContentDigest(of: bytes(1)))]
        let first = try await service.services.library.presignedURLs(wanted, caller: caller)
        #expect(first.origin == "http://127.0.0.1:9000" && first.urls.count == 1)
        #expect(first.urls[0].contains("/photolala-test/thumbnails/\(caller.user)/"))
        var all: Set<String> = []
        for _ in 0..<60 {
            all.insert(try await service.services.library.presignedURLs(wanted, caller: caller).urls[0])
            service.clock.advance(by: 60)
        }
        #expect((6...8).contains(all.count))
        let keys = all.compactMap { $0.firstMatch(of: /X-Amz-Credential=(\w+)/)?.1 }
        #expect((2...3).contains(Set(keys).count))
    }

    @Test("a link is valid for a quarter of an hour and never longer than the session")
    func validity() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        func seconds() async throws -> Int? {
            let url = try await service.services.library.presignedURLs(
                [.thumbnail(ContentDigest(of: bytes(1)))], caller: caller
            ).urls[0]
            return url.firstMatch(of: /X-Amz-Expires=(\d+)/).flatMap { Int($0.1) }
        }
        #expect(try await seconds() == 1500)
        service.clock.advance(by: caller.session.expiresAt.timeIntervalSince(service.clock.now) - 100)
        let last = try #require(try await seconds())
        #expect((100..<700).contains(last))
    }

    @Test("photos are moved to the trash and back, whatever their position; an empty selection is rejected")
    func trash() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        try await upload([1, 2, 3], to: service, caller)
        let services = service.services
        let chosen: Set = [ContentDigest(of: bytes(1)), ContentDigest(of: bytes(3)), ContentDigest(of: bytes(9))]
        #expect(try await services.library.moveToTrash(chosen, caller: caller).photos == 2)
        var library = try await services.library.showLibrary(caller)
        #expect(library.photos.photos.map(\.path.name) == ["2.jpg"])
        #expect(library.trash.photos.map(\.path.name) == ["3.jpg", "1.jpg"])
        await #expect(throws: ServiceError.invalidRequest("Select at least one photo.")) {
            try await services.library.moveToTrash([], caller: caller)
        }
        #expect(try await services.library.restoreFromTrash(chosen, caller: caller).photos == 2)
        library = try await services.library.showLibrary(caller)
        #expect(library.photos.photos.count == 3 && library.trash.photos.isEmpty)
    }

    @Test("the undo of a move to the trash restores no copy that another device had moved there")
    func undo() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        try await upload([1], to: service, caller)
        let library = service.services.library
        let other = CatalogStore(
            store: service.store, user: caller.user, device: DeviceTag(deviceID: "00000007"), pause: .none)
        let added = CatalogEntry(
            path: try #require(LibraryPath("Copies/1.jpg")), md5: ContentDigest(of: bytes(1)), size: 5,
            modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0), type: .jpeg, media: MediaFacts())
        _ = try await other.commit([.add(added, replacing: nil)], onto: try await other.load())
        var copy = PhotoSelection()
        copy.paths = ["Copies/1.jpg"]
        _ = try await PhotoTrash(other).moveToTrash(copy)
        let photo: Set = [ContentDigest(of: bytes(1))]
        #expect(try await library.moveToTrash(photo, caller: caller).files == 1)
        #expect(try await library.restoreFromTrash(photo, isUndo: true, caller: caller).files == 1)
        let paths = try await library.showLibrary(caller).version.catalog.trash.map(\.path.description)
        #expect(paths == ["Copies/1.jpg"])
    }

    @Test("a cached library costs one request to revalidate, and the blocks of a page cost none")
    func requests() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        try await upload([1, 2], to: service, caller)
        let library = try await service.services.library.showLibrary(caller)
        _ = service.store.drainRequests()
        _ = try await service.services.library.shownVersion(caller, named: library.name)
        #expect(service.store.drainRequests().isEmpty)
        _ = try await service.services.library.showLibrary(caller)
        #expect(service.store.drainRequests().count == 1)
        await #expect(throws: ServiceError.preconditionFailed) {
            _ = try await service.services.library.shownVersion(caller, named: "another")
        }
    }

    @Test("a page keeps showing its version during uploads, and another instance reports that the library changed")
    func shown() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        try await upload([1], to: service, caller)
        let library = try await service.services.library.showLibrary(caller)
        for seed in UInt8(2)...5 { try await upload([seed], to: service, caller) }
        #expect(try await service.services.library.shownVersion(caller, named: library.name).photos.photos.count == 1)
        let other = try await TestService.make(store: service.store, clock: service.clock)
        await #expect(throws: ServiceError.preconditionFailed) {
            _ = try await other.services.library.shownVersion(caller, named: library.name)
        }
        #expect(try await other.services.library.showLibrary(caller).photos.photos.count == 5)
        #expect(try await service.services.library.showLibrary(caller).photos.photos.count == 5)
    }

    @Test("a cached catalog that grows in steps is rejected at the size at which it could not be read at once")
    func growing() async throws {
        var options = TestService.Options()
        options.libraryMemory = 60_000
        let service = try await TestService.make(options)
        let caller = try await bob(service)
        let catalogs = CatalogStore(
            store: service.store, user: caller.user,
            pause: Backoff(randomness: .seeded(1)) { _ in await Task.yield() })
        var isRefused = false
        for step in 0..<20 where !isRefused {
            let photos = try (0..<15).map { number in
                let digits = String(0x10000 + step * 15 + number, radix: 16)
                let md5 = try #require(ContentDigest(digits + String(repeating: "0", count: 32 - digits.count)))
                return CatalogChange.add(
                    CatalogEntry(
                        path: try #require(LibraryPath("\(digits).jpg")), md5: md5, size: 1,
                        modified: Timestamp(seconds: 1, nanoseconds: 0), type: .jpeg, media: MediaFacts()),
                    replacing: nil)
            }
            _ = try await catalogs.commit(photos, onto: try await catalogs.head())
            do {
                _ = try await service.services.library.showLibrary(caller)
            } catch ServiceError.catalogUnusable {
                isRefused = true
            }
        }
        #expect(isRefused)
    }

    @Test("an account over its quota can view, delete and restore; photos uploaded before are entered")
    func overQuota() async throws {
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: 150, products: [])])
        let service = try await TestService.make(options)
        let caller = try await bob(service)
        try await upload([1], to: service, caller)
        #expect(
            try await service.services.libraryUploads.planUploads([try offer(2), try offer(1)], caller: caller) == [
                .quotaExceeded, .alreadyInLibrary,
            ])
        try await upload([3], to: service, caller)
        let photo: Set = [ContentDigest(of: bytes(1))]
        #expect(try await service.services.library.moveToTrash(photo, caller: caller).files == 1)
        #expect(try await service.services.library.restoreFromTrash(photo, caller: caller).files == 1)
        #expect(
            try await service.services.library.presignedURLs([.thumbnail(ContentDigest(of: bytes(1)))], caller: caller)
                .urls
                .count == 1)
    }

    @Test("a damaged catalog is reported as damaged")
    func unreadable() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        try await upload([1], to: service, caller)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(caller.user))
        _ = try await service.store.put(pointer, ByteBuffer(string: "nothing"), if: .always)
        await #expect { _ = try await service.services.library.showLibrary(caller) } throws: {
            if case ServiceError.catalogDamaged = $0 { true } else { false }
        }
    }

    @Test("a catalog over the memory limit is reported as too large")
    func tooLarge() async throws {
        var options = TestService.Options()
        options.libraryMemory = 60_000
        let service = try await TestService.make(options)
        let caller = try await bob(service)
        let catalogs = CatalogStore(
            store: service.store, user: caller.user, pause: Backoff(randomness: .seeded(1)) { _ in await Task.yield() })
        let photos = try (1...100).map { seed in
            CatalogChange.add(
                CatalogEntry(
                    path: try #require(LibraryPath("\(seed).jpg")), md5: ContentDigest(of: bytes(UInt8(seed))), size: 1,
                    modified: Timestamp(seconds: Int64(seed), nanoseconds: 0), type: .jpeg, media: MediaFacts()),
                replacing: nil)
        }
        let head = try await catalogs.commit(Array(photos.prefix(20)), onto: try await catalogs.head())
        #expect(try await service.services.library.showLibrary(caller).photos.photos.count == 20)
        _ = try await catalogs.commit(Array(photos.dropFirst(20)), onto: head)
        await #expect { _ = try await service.services.library.showLibrary(caller) } throws: {
            if case ServiceError.catalogUnusable = $0 { true } else { false }
        }
    }

    @Test("library changes use the owner's credentials and reach only their scope")
    func scope() async throws {
        let service = try await TestService.make()
        let caller = try await bob(service)
        let scoped = UserObjectStore(
            service.store, policy: UserStoragePolicy(user: caller.user, access: .readDelete))
        let other = try #require(UserID("9ae13d2b-2476-4748-a1ad-86e4fc7327e1"))
        for key in [
            StorageLayout.accountDocument(caller.user), StorageLayout.storeManifest,
            StorageLayout.catalogPointer(other),
        ] {
            await #expect(throws: ObjectStoreError.denied("GetObject of \(key)")) {
                try await scoped.get(ObjectKey(known: key), limit: 10)
            }
            await #expect(throws: ObjectStoreError.denied("PutObject of \(key)")) {
                try await scoped.put(ObjectKey(known: key), ByteBuffer(), if: .always)
            }
            await #expect(throws: ObjectStoreError.denied("DeleteObject of \(key)")) {
                try await scoped.delete(ObjectKey(known: key), if: .always)
            }
        }
        await #expect(throws: ObjectStoreError.denied("listing accounts/")) {
            try await scoped.list(prefix: "accounts/", after: nil, limit: 1)
        }
        let photo = ObjectKey(known: StorageLayout.photo(caller.user, md5: String(repeating: "0", count: 32)))
        await #expect(throws: ObjectStoreError.denied("PutObject of \(photo)")) {
            try await scoped.write(photo, ObjectBody(ByteBuffer()), attributes: [:], if: .always)
        }
    }
}
