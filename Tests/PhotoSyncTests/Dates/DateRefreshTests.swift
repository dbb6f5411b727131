import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Refreshing capture dates") struct DateRefreshTests {
    private static let zone = CaptureZone(TimeZone(secondsFromGMT: -5 * 3600)!)
    private static let photos = "photos/\(UserID.bob)/"

    private func refresh(
        _ fixture: BackupFixture, through store: (any ObjectStore)? = nil, _ paths: [String] = [],
        folders: [String] = [],
        isDryRun: Bool = false
    ) async throws -> DateRefreshSummary {
        var selection = PhotoSelection()
        selection.paths = paths
        let now = Date(timeIntervalSince1970: Double(BackupFixture.firstDay) * 86_400)
        return try await DateRefresh(
            store: store ?? fixture.store, user: .bob, stateFolder: fixture.state.path, zone: Self.zone, pause: .none,
            now: { now }
        ).run(selection, folders: folders, isDryRun: isDryRun) { _ in }
    }

    /// Creates a library as written by an earlier version: stored files, and a catalog without offsets.
    private func library(_ files: [(name: String, bytes: [UInt8])], in fixture: BackupFixture) async throws {
        for file in files { try fixture.folder.write(file.name, file.bytes) }
        #expect(try await fixture.backUp().isComplete)
        let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
        var file = try await catalogs.head().file
        for index in file.rows.records.indices {
            var media = file.rows.records[index].media
            media.taken = media.taken.flatMap { CaptureDate($0.moment) }
            file.rows.records[index].media = media
        }
        let bytes = CatalogCSV.encode(file)
        let digest = ContentDigest(of: bytes).description
        let snapshot = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest))
        _ = try await fixture.store.memory.put(snapshot, bytes, if: .always)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        _ = try await fixture.store.memory.put(pointer, ByteBuffer(string: digest), if: .always)
        fixture.store.clearLog()
    }

    private func dates(_ fixture: BackupFixture) async throws -> [String] {
        try await fixture.catalog().entries.map { "\($0.path) \($0.taken?.description ?? "-")" }
    }

    private static func jpeg(_ seed: Int, _ fields: [(tag: Int, text: String)], length: Int = 600) -> [UInt8] {
        PhotoBytes.jpeg(
            seed, exif: PhotoBytes.exif(fields, first: [(tag: 0x0110, text: "Model A")]), length: length)
    }

    private static let files: [(name: String, bytes: [UInt8])] = [
        ("1/a.jpg", jpeg(1, [(0x9003, "2026:01:01 08:00:00"), (0x9011, "+09:00")])),
        ("1/b.jpg", jpeg(2, [(0x9003, "2026:01:01 09:00:00")])),
        ("2/c.jpg", jpeg(3, [(0x9003, "2026:01:01 10:00:00")])),
        ("2/d.jpg", PhotoBytes.jpeg(4)),
        ("2/d.jpg.json", Array(#"{"photoTakenTime":{"timestamp":"1767222000"}}"#.utf8)),
        ("2/e.jpg", PhotoBytes.jpeg(5)),
    ]
    private static let found = [
        "1/a.jpg 2026-01-01T08:00:00+09:00", "1/b.jpg 2026-01-01T09:00:00+09:00", "2/c.jpg 2026-01-01T10:00:00-05:00",
        "2/d.jpg 2025-12-31T18:00:00-05:00", "2/d.jpg.json -", "2/e.jpg -",
    ]

    @Test("dates and offsets are added from the stored files, and a second run writes nothing")
    func stored() async throws {
        let fixture = try BackupFixture()
        try await library(Self.files, in: fixture)
        let before = try await dates(fixture)
        let added = try await fixture.catalog().records.map(\.added)
        let dry = try await refresh(fixture, isDryRun: true)
        #expect(dry.datedFiles == 4 && dry.undatedFiles == 1 && dry.progress.totalFiles == 5)
        #expect(try await dates(fixture) == before && before != Self.found)

        let summary = try await refresh(fixture)
        #expect(summary.ending == .completed && summary.datedFiles == 4 && summary.undatedFiles == 1)
        #expect(try await dates(fixture) == Self.found)
        #expect(try await fixture.catalog().records.map(\.added) == added, "the adding device is unchanged")

        let pointer = try await CatalogStore(store: fixture.store, user: .bob, pause: .none).pointerTag()
        let again = try await refresh(fixture)
        #expect(again.datedFiles == 0 && again.progress.totalFiles == 1)
        #expect(try await CatalogStore(store: fixture.store, user: .bob, pause: .none).pointerTag() == pointer)
    }

    @Test("only selected photos are read, and at most the first MiB of a long picture")
    func selected() async throws {
        let fixture = try BackupFixture()
        let undated = PhotoBytes.jpeg(9, length: 3 << 20)
        let long = Self.jpeg(8, [(0x9003, "2026:01:01 08:00:00"), (0x9011, "+09:00")], length: 3 << 20)
        try await library(Self.files + [("3/long.jpg", long), ("3/undated.jpg", undated)], in: fixture)
        let counting = RangeStore(fixture.store)
        let summary = try await refresh(fixture, through: counting, ["3"])
        #expect(summary.datedFiles == 1 && summary.undatedFiles == 1)
        let dated = ContentDigest(of: ByteBuffer(bytes: long)), other = ContentDigest(of: ByteBuffer(bytes: undated))
        #expect(counting.ranges(dated) == [0..<262_144])
        #expect(counting.ranges(other) == [0..<262_144, 262_144..<1_048_576])
        #expect(counting.contents == [dated, other])
    }

    @Test("a movie is read at its beginning and at its metadata, in a few ranges")
    func film() async throws {
        let fixture = try BackupFixture()
        let head = PhotoBytes.box("ftyp", Array("qt  ".utf8) + PhotoBytes.big32(0) + Array("qt  ".utf8))
        let pictures = PhotoBytes.box("mdat", [UInt8](repeating: 7, count: 12 << 20))
        let moov = PhotoBytes.box(
            "moov",
            MovieBytes.mvhd(3_797_411_445) + PhotoBytes.box("free", [UInt8](repeating: 0, count: 200_000))
                + MovieBytes.creationDate("2024-05-01T21:30:45+0900"))
        let bytes = head + pictures + moov
        try await library([("a.mov", bytes)], in: fixture)
        let counting = RangeStore(fixture.store)
        #expect(try await refresh(fixture, through: counting).datedFiles == 1)
        #expect(try await dates(fixture) == ["a.mov 2024-05-01T21:30:45+09:00"])
        let read = counting.ranges(ContentDigest(of: ByteBuffer(bytes: bytes)))
        #expect(read.count <= 4 && read.reduce(0) { $0 + $1.count } < 512 << 10, "\(read)")
    }

    @Test("a movie with many boxes costs a bounded number of requests")
    func hostileFilm() async throws {
        let fixture = try BackupFixture()
        let piece = PhotoBytes.box("free", [UInt8](repeating: 0, count: 100_000))
        let bytes =
            PhotoBytes.box("ftyp", Array("qt  ".utf8) + PhotoBytes.big32(0) + Array("qt  ".utf8))
            + [[UInt8]](repeating: piece, count: 90).flatMap { $0 }
        try await library([("a.mov", bytes)], in: fixture)
        let counting = RangeStore(fixture.store)
        #expect(try await refresh(fixture, through: counting).undatedFiles == 1)
        #expect(counting.ranges(ContentDigest(of: ByteBuffer(bytes: bytes))).count == StoredMedia.mostRequests)
    }

    @Test("unchanged files are read from a backed up folder, and the others from the store")
    func local() async throws {
        let fixture = try BackupFixture()
        try await library(Self.files, in: fixture)
        // The local file has changed, so the stored one is read.
        try fixture.folder.write("1/a.jpg", Self.jpeg(1, [(0x9003, "2001:01:01 08:00:00"), (0x9011, "+01:00")]))
        let counting = RangeStore(fixture.store)
        let summary = try await refresh(fixture, through: counting, folders: [fixture.folder.path])
        #expect(summary.datedFiles == 4)
        #expect(try await dates(fixture) == Self.found)
        let photo = ContentDigest(of: ByteBuffer(bytes: Self.files[0].bytes))
        let sidecar = ContentDigest(of: ByteBuffer(bytes: Self.files[4].bytes))
        #expect(counting.contents == [photo, sidecar])
        await #expect(throws: DateRefreshError.folder("/nowhere at all", .missing)) {
            try await refresh(fixture, folders: ["/nowhere at all"])
        }
    }

    @Test("an unreadable photo is a failure, and so is a photo whose neighbor is unreadable")
    func failures() async throws {
        let silent = Mutex<String?>(nil)
        let fixture = try BackupFixture { verb, key in
            verb == "read" && silent.withLock { $0 == key } ? .unavailable("silent") : nil
        }
        try await library(Self.files, in: fixture)
        let first = ContentDigest(of: ByteBuffer(bytes: Self.files[0].bytes))
        silent.withLock { $0 = "\(Self.photos)\(first).dat" }
        let summary = try await refresh(fixture)
        // The offset of the second photo comes only from the first one.
        #expect(summary.failures.map(\.path.description).sorted() == ["1/a.jpg", "1/b.jpg"])
        #expect(summary.datedFiles == 2 && summary.undatedFiles == 1)
        silent.withLock { $0 = nil }
        #expect(try await refresh(fixture).datedFiles == 2)
        #expect(try await dates(fixture) == Self.found)
    }

    @Test("archived photos are reported and left in the archive; missing ones are failures")
    func archived() async throws {
        let fixture = try BackupFixture()
        try await library(Array(Self.files.prefix(3)), in: fixture)
        let store = ArchivingObjectStore(fixture.store)
        try await store.archive(below: Self.photos, 3)
        let summary = try await refresh(fixture, through: store)
        #expect(summary.archived.count == 3 && summary.failures.isEmpty && summary.datedFiles == 0)
        let gone = ContentDigest(of: ByteBuffer(bytes: Self.files[0].bytes))
        let key = ObjectKey(known: StorageLayout.photo(.bob, md5: gone.description))
        let tag = try #require(try await fixture.store.memory.head(key)?.etag)
        try await fixture.store.memory.delete(key, if: .matches(tag))
        let missing = try await refresh(fixture)
        #expect(missing.failures.map { "\($0.path) \($0.failure)" } == ["1/a.jpg notStored"])
        // Without its neighbor the other photo has the zone's offset.
        #expect(missing.datedFiles == 2)
    }

    @Test("a failed commit is reported, adds nothing to the count, and is repeated by the next run")
    func failedCommit() async throws {
        let fails = Mutex(false)
        let fixture = try BackupFixture { verb, key in
            verb != "read" && verb != "get" && key.hasPrefix("catalogs/") && fails.withLock { $0 }
                ? .denied("no") : nil
        }
        try await library(Self.files, in: fixture)
        fails.withLock { $0 = true }
        let summary = try await refresh(fixture)
        #expect(summary.ending == .stopped(.catalog(.store(.denied("no")))) && summary.datedFiles == 0)
        fails.withLock { $0 = false }
        #expect(try await refresh(fixture).datedFiles == 4)
        #expect(try await dates(fixture) == Self.found)
    }
}

/// Records which ranges of photos are read.
private final class RangeStore: ObjectStore {
    private let target: FakeObjectStore
    private let reads = Mutex<[String: [Range<Int>]]>([:])

    init(_ target: FakeObjectStore) { self.target = target }

    /// The contents that have been read.
    var contents: Set<ContentDigest> {
        Set(reads.withLock { $0.keys.compactMap { ContentDigest($0.split(separator: "/").last?.dropLast(4) ?? "") } })
    }

    func ranges(_ md5: ContentDigest) -> [Range<Int>] {
        reads.withLock { $0[StorageLayout.photo(.bob, md5: md5.description)] ?? [] }
    }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        let reading = try await target.read(key, range: range)
        if let reading, key.description.hasPrefix("photos/") {
            let offsets = Int(reading.offsets.lowerBound)..<Int(reading.offsets.upperBound)
            reads.withLock { $0[key.description, default: []].append(offsets) }
        }
        return reading
    }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await target.get(key, limit: limit)
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { try await target.head(key) }

    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await target.put(key, bytes, if: condition)
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await target.write(key, body, attributes: attributes, if: condition)
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await target.delete(key, if: condition)
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await target.list(prefix: prefix, after: after, limit: limit)
    }
}
