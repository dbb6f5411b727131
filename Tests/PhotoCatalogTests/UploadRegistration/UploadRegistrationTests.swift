import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Photos that were stored without a backup.
@Suite struct UploadRegistrationTests {
    private let store = FakeObjectStore()

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

    private func add(_ arrivals: [UploadedPhoto]) async throws -> [UploadRegistration.Outcome] {
        let known = try await catalogs().endingAbandonedPurge(try await catalogs().load())
        let (outcomes, changes) = try await UploadRegistration(
            catalogs(), now: Timestamp(seconds: 1_900_000_000, nanoseconds: 0)
        ).inspectStorage(at: arrivals, for: known)
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
}
