import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

@Suite("Adopting stored photos into a damaged catalog") struct StoredPhotoImportTests {
    private let store = FakeObjectStore()

    private func catalogs() -> CatalogStore {
        var sizes = CatalogSizes()
        sizes.ownEntries = 1000
        return CatalogStore(store: store, user: .bob, pause: .none, sizes: sizes)
    }

    private func importPhotos() async throws -> StoredPhotoImport.Outcome {
        try await StoredPhotoImport(
            store: store, user: .bob, pause: .none, randomness: .seeded(1),
            now: Timestamp(seconds: 1_900_000_000, nanoseconds: 0)
        )
        .run(known: { [:] }, willWrite: { _ in })
    }

    /// A catalog of 40 photos in a part and some others, and a stored photo that is not in the catalog.
    private func begin() async throws -> CatalogHead {
        let large = try (0..<40).map { try CatalogChange.photo("\($0).jpg", seed: $0 + 1) }
        var head = try await catalogs().commit(large, onto: try await catalogs().head())
        for seed in 50..<53 { head = try await catalogs().commit([try .photo("\(seed).jpg", seed: seed)], onto: head) }
        let photo = ByteBuffer(bytes: PhotoBytes.jpeg(1))
        let name = ContentDigest(of: photo).description
        try await store.put(ObjectKey(known: StorageLayout.photo(.bob, md5: name)), photo, if: .always)
        return head
    }

    @Test("readable entries are kept, and a second run adds nothing")
    func damagedPart() async throws {
        let head = try await begin()
        let part = try #require(head.file.parts.first).digest.description
        try await store.delete(ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: part)), if: .always)
        #expect(try await importPhotos() == .init(added: 1, isRebuilt: true))
        let catalog = try await catalogs().load().catalog
        #expect(catalog.count == 4)
        for seed in 50..<53 {
            let change = try CatalogChange.photo("\(seed).jpg", seed: seed)
            #expect(catalog.holds(change))
        }
        #expect(try await importPhotos() == .init(added: 0, isRebuilt: false))
    }

    @Test(
        "a described date is used if it is valid and the photo has none",
        arguments: [
            ("2026-01-01T08:00:00+09:00", nil, "2026-01-01T08:00:00+09:00"),
            ("2025-12-31T23:00:00Z", nil, "2025-12-31T23:00:00Z"), ("9999-12-31T23:59:59Z", nil, nil),
            ("2031-01-01T00:00:00Z", nil, nil),
            ("2026-01-01T08:00:00+09:00", "2020:01:01 08:00:00", "2020-01-01T08:00:00-03:00"),
            ("2026-01-01T08:00:00+09:00", "9999:01:01 08:00:00", "2026-01-01T08:00:00+09:00"),
        ] as [(String, String?, String?)])
    func describedDate(described: String, own: String?, expected: String?) async throws {
        let exif = own.map { PhotoBytes.exif([(0x9003, $0), (0x9011, "-03:00")]) }
        let photo = ByteBuffer(bytes: PhotoBytes.jpeg(1, exif: exif))
        let md5 = ContentDigest(of: photo)
        try await store.put(ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description)), photo, if: .always)
        let plist = try PropertyListEncoder().encode(["filename": "a.jpg", "dateTaken": described])
        let key = ObjectKey(known: "\(StorageLayout.metadata(.bob))\(md5).plist")
        try await store.put(key, ByteBuffer(bytes: plist), if: .always)
        #expect(try await importPhotos().added == 1)
        let entry = try #require(try await catalogs().load().catalog.entries.first)
        #expect(entry.path.description == "a.jpg" && entry.taken?.description == expected)
    }

    @Test("a catalog written by a newer version is not changed")
    func newer() async throws {
        _ = try await begin()
        let text = ByteBuffer(string: "path,md5,size,modified,taken,type,stars\n")
        let digest = ContentDigest(of: text).description
        try await store.put(ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest)), text, if: .always)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        try await store.put(pointer, ByteBuffer(string: digest), if: .always)
        await #expect(throws: CatalogError.unknownColumns(["stars"])) { try await importPhotos() }
        #expect(try await store.memory.get(pointer).map { String(buffer: $0.bytes) } == digest)
    }
}
