import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Photos that were stored without a backup.
@Suite struct UploadRegistrationTests {
    private let store = FakeObjectStore()
    private let foreign = ForeignObjects()

    private func catalogs() -> CatalogStore {
        CatalogStore(store: store, user: .bob, device: DeviceTag(value: 7), pause: .none)
    }

    private func send(_ bytes: [UInt8]) async throws -> ContentDigest {
        let md5 = ContentDigest(of: ByteBuffer(bytes: bytes))
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description))
        _ = try await store.put(key, ByteBuffer(bytes: bytes), if: .always)
        return md5
    }

    private func uploadedPhoto(_ path: String, _ md5: ContentDigest) throws -> UploadedPhoto {
        UploadedPhoto(
            path: try #require(LibraryPath(path)), md5: md5, modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0)
        )
    }

    private func add(
        _ arrivals: [UploadedPhoto], restoresRemoved: Bool = true, at time: Int64 = 1_900_000_000
    ) async throws -> [UploadRegistration.Outcome] {
        let known = try await catalogs().endingAbandonedPurge(try await catalogs().load())
        let (outcomes, changes) = try await UploadRegistration(
            catalogs(), now: Timestamp(seconds: time, nanoseconds: 0), foreign: foreign
        ).inspectStorage(at: arrivals, for: known, restoresRemoved: restoresRemoved)
        if !changes.isEmpty { _ = try await catalogs().commit(changes, onto: known) }
        return outcomes
    }

    @Test("a stored photo is added with its facts, and missing or foreign objects are not")
    func add() async throws {
        let exif = PhotoBytes.exif([(tag: 0x9003, text: "2021:07:04 10:20:30")])
        let (photo, text) = (try await send(PhotoBytes.jpeg(1, exif: exif)), try await send(Array("a text".utf8)))
        let missing = try ContentDigest.seeded(5)
        let outcomes = try await add([
            try uploadedPhoto("Uploads/a.jpg", photo), try uploadedPhoto("Uploads/b.jpg", text),
            try uploadedPhoto("Uploads/c.jpg", missing),
        ])
        #expect(outcomes == [.added, .notMedia, .missing])
        let entry = try #require(try await catalogs().load().catalog.entries.first)
        #expect(entry.path.description == "Uploads/a.jpg" && entry.type == .jpeg)
        #expect(entry.taken?.description == "2021-07-04T10:20:30Z" && entry.modified.seconds == 1_700_000_000)
        #expect(entry.size == Int64(PhotoBytes.jpeg(1, exif: exif).count))
    }

    @Test("a video whose description follows its frames is added with its date, with two requests")
    func movie() async throws {
        let description = MovieBytes.creationDate("2021-07-04T10:20:30+0200")
        let md5 = try await send(MovieBytes.movie(description, mediaLength: 1 << 20))
        #expect(try await add([try uploadedPhoto("Uploads/a.mov", md5)]) == [.added])
        let entry = try #require(try await catalogs().load().catalog.entries.first)
        #expect(entry.taken?.description == "2021-07-04T10:20:30+02:00" && entry.type == .quickTime)
        #expect(store.count("read", StorageLayout.photos(.bob)) == 2)
    }

    @Test("a photo without a date or location gets those of its source, but no date in the future")
    func sources() async throws {
        let exif = PhotoBytes.exif([(tag: 0x9003, text: "2021:07:04 10:20:30")])
        let rome = try #require(GeoLocation(latitude: 41.9, longitude: 12.5))
        var photos: [UploadedPhoto] = []
        for (path, bytes, taken) in [
            ("a.jpg", PhotoBytes.jpeg(1, exif: exif), "2023-07-01T14:00:00+02:00"),
            ("b.jpg", PhotoBytes.jpeg(2), "2023-07-01T14:00:00+02:00"),
            ("c.jpg", PhotoBytes.jpeg(3), "2100-01-01T00:00:00Z"),
        ] {
            photos.append(
                UploadedPhoto(
                    path: try #require(LibraryPath(path)), md5: try await send(bytes),
                    modified: Timestamp(seconds: 5, nanoseconds: 0), taken: CaptureDate(taken),
                    location: rome, color: PictureColor("a1b2c3"),
                    duration: MediaDuration(milliseconds: 5), camera: CameraName("Apple iPhone")))
        }
        #expect(try await add(photos) == [.added, .added, .added])
        let entries = try await catalogs().load().catalog.entries
        #expect(
            Set(entries.map { "\($0.path) \($0.dateText)" }) == [
                "a.jpg 2021-07-04T10:20:30Z", "b.jpg 2023-07-01T14:00:00+02:00", "c.jpg 1970-01-01T00:00:05Z",
            ])
        #expect(entries.allSatisfy { $0.media.location == rome })
        #expect(entries.allSatisfy { $0.media.color?.description == "a1b2c3" })
        #expect(entries.allSatisfy { $0.media.camera?.description == "Apple iPhone" })
        #expect(entries.allSatisfy { $0.media.duration == nil }, "photos have no duration")
    }

    @Test("a known photo is not written again, and a trashed one is restored")
    func again() async throws {
        let md5 = try await send(PhotoBytes.jpeg(1))
        let photo = try uploadedPhoto("Uploads/a.jpg", md5)
        #expect(try await add([photo]) == [.added])
        store.clearLog()
        #expect(try await add([photo]) == [.added])
        #expect(store.count("put") + store.count("write") == 0)
        _ = try await catalogs().commit([.trash(photo.path, md5)], onto: try await catalogs().head())
        #expect(try await catalogs().load().catalog.entries.isEmpty)
        #expect(try await add([photo]) == [.added])
        let catalog = try await catalogs().load().catalog
        #expect(catalog.entries.count == 1 && catalog.trash.isEmpty)
    }

    @Test("another photo of the same name is kept as a conflict")
    func conflict() async throws {
        let (one, other) = (try await send(PhotoBytes.jpeg(1)), try await send(PhotoBytes.jpeg(2)))
        _ = try await add([try uploadedPhoto("Uploads/a.jpg", one)])
        _ = try await add([try uploadedPhoto("Uploads/a.jpg", other)])
        let catalog = try await catalogs().load().catalog
        #expect(Set(catalog.entries.map(\.md5)) == [one, other])
    }

    @Test("a photo counts as stored if its length and its MD5 as the entity tag match")
    func stored() async throws {
        let bytes = PhotoBytes.jpeg(1)
        let md5 = try await send(bytes)
        let arrivals = UploadRegistration(catalogs(), now: Timestamp(seconds: 1_900_000_000, nanoseconds: 0))
        #expect(try await arrivals.isStored(md5, size: Int64(bytes.count)))
        #expect(try await !arrivals.isStored(md5, size: 1))
        #expect(try await !arrivals.isStored(.seeded(5), size: 1))
    }

    @Test("a known catalog is read again only if it changed")
    func newest() async throws {
        _ = try await add([try uploadedPhoto("Uploads/a.jpg", try await send(PhotoBytes.jpeg(1)))])
        let known = try await catalogs().load()
        store.clearLog()
        #expect(try await catalogs().newest(after: known).head.name == known.head.name)
        #expect(store.count("get") == 1)
        _ = try await add([try uploadedPhoto("Uploads/b.jpg", try await send(PhotoBytes.jpeg(2)))])
        let next = try await catalogs().newest(after: known)
        #expect(next.head.name != known.head.name && next.catalog.count == 2)
    }

    @Test func `one content is read once for all its paths, and one that is known is not read`() async throws {
        let (new, known) = (try await send(PhotoBytes.jpeg(1)), try await send(PhotoBytes.jpeg(2)))
        _ = try await add([try uploadedPhoto("a.jpg", known)])
        store.clearLog()
        let photos = try (0..<5).flatMap {
            [try uploadedPhoto("\($0).jpg", new), try uploadedPhoto("\($0).heic", known)]
        }
        #expect(try await add(photos) == photos.map { _ in .added })
        #expect(store.count("read", "photos/") == 1 && store.count("head", "photos/") == 1)
        #expect(try await catalogs().load().catalog.count == 11)
    }

    @Test func `a photo that is no longer stored, or only in part, is missing until it is uploaded again`() async throws
    {
        let bytes = PhotoBytes.jpeg(1)
        let md5 = try await send(bytes)
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description))
        let photos = [try uploadedPhoto("a.jpg", md5), try uploadedPhoto("b.jpg", md5)]
        _ = try await add([photos[0]])
        try await store.delete(key, if: .always)
        #expect(try await add(photos) == [.missing, .missing])
        _ = try await store.put(key, ByteBuffer(bytes: bytes.prefix(100)), if: .always)
        #expect(try await add([photos[0]]) == [.missing])
        _ = try await send(bytes)
        #expect(try await add(photos) == [.added, .added])
    }

    @Test func `a photo in the trash stays there without a request for its object`() async throws {
        let md5 = try await send(PhotoBytes.jpeg(1))
        let photo = try uploadedPhoto("a.jpg", md5)
        _ = try await add([photo])
        _ = try await catalogs().commit([.trash(photo.path, md5)], onto: try await catalogs().head())
        store.clearLog()
        #expect(try await add([photo], restoresRemoved: false) == [.inTrash])
        #expect(store.count("head", "photos/") + store.count("read", "photos/") == 0)
        #expect(try await catalogs().load().catalog.trash.count == 1)
        #expect(try await add([try uploadedPhoto("b.jpg", md5)], restoresRemoved: false) == [.added])
        #expect(try await add([photo]) == [.added])
        #expect(try await catalogs().load().catalog.trash.isEmpty)
    }

    @Test func `an object that is no photo is read once in ten minutes for each extension`() async throws {
        let text = try await send(Array("a text".utf8))
        let photo = try uploadedPhoto("a.jpg", text)
        for time in [0, 0, 599] as [Int64] { #expect(try await add([photo], at: time) == [.notMedia]) }
        #expect(store.count("read", "photos/") == 1)
        #expect(try await add([try uploadedPhoto("a.jxl", text)], at: 599) == [.notMedia])
        #expect(store.count("read", "photos/") == 2)
        #expect(try await add([photo], at: 600) == [.notMedia])
        #expect(store.count("read", "photos/") == 3)
    }

    @Test func `a cancelled inspection begins no more reads`() async throws {
        let (started, gate) = (Gate(), Gate())
        let slow = FakeObjectStore { verb, key in
            guard verb == "read", key.hasPrefix("photos/") else { return nil }
            started.open()
            await gate.wait()
            return nil
        }
        let catalogs = CatalogStore(store: slow, user: .bob, device: DeviceTag(value: 7), pause: .none)
        let known = try await catalogs.load()
        let photos = try (1...100).map { try uploadedPhoto("\($0).jpg", .seeded($0)) }
        let inspection = Task {
            try await UploadRegistration(catalogs, now: Timestamp(seconds: 1_900_000_000, nanoseconds: 0))
                .inspectStorage(at: photos, for: known, restoresRemoved: true).outcomes
        }
        await started.wait()
        inspection.cancel()
        await #expect(throws: CancellationError.self) { try await inspection.value }
        #expect((1...8).contains(slow.count("read", "photos/")))
    }
}
