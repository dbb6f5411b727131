import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Files of one folder with given capture clues.
private final class FakeDateSource: DateSource {
    var files: [(path: LibraryPath, type: MediaType)] = []
    var clues: [LibraryPath: CaptureClues] = [:]
    var sidecars: [LibraryPath: String] = [:]
    private let reads = Mutex<[LibraryPath]>([])

    /// The photos that were read, in order.
    var log: [LibraryPath] { reads.withLock { $0 } }

    /// Adds a picture with the local time of its camera.
    func add(_ name: String, _ clock: String?, offset: Int? = nil, camera: String? = "A", type: MediaType = .jpeg)
        throws
    {
        let path = try #require(LibraryPath(name))
        var said = CaptureClues()
        if let clock {
            let time = try #require(Timestamp(clock))
            said.dates = [offset.map { .dated(clock: time, offset: $0) } ?? .clock(time)]
        }
        said.camera = camera
        files.append((path, type))
        clues[path] = said
    }

    func add(sidecar name: String, _ text: String) throws {
        let path = try #require(LibraryPath(name))
        files.append((path, name.hasSuffix(".xmp") ? .xmp : .takeoutDescription))
        sidecars[path] = text
    }

    func clues(of path: LibraryPath, type: MediaType) async throws -> CaptureClues? {
        reads.withLock { $0.append(path) }
        return clues[path]
    }

    func sidecar(_ path: LibraryPath, limit: Int) async throws -> ByteBuffer? {
        sidecars[path].map { ByteBuffer(string: $0) }
    }

    func date(_ name: String, zone: Int? = nil, reversed: Bool = false) async throws -> String? {
        let dates = FolderDates(
            of: reversed ? files.reversed() : files, source: self,
            zone: zone.map { CaptureZone(TimeZone(secondsFromGMT: $0 * 60)!) },
            until: Timestamp(seconds: 1_800_000_000, nanoseconds: 0))
        let path = try #require(LibraryPath(name))
        return try await dates.date(of: path, clues[path] ?? CaptureClues())?.description
    }
}

extension FakeDateSource: @unchecked Sendable {}

@Suite("Dates of the photos of one folder") struct FolderDatesTests {
    @Test("a local time without an offset has the offset of the nearest photo of the same camera, or of the zone")
    func neighbours() async throws {
        let folder = FakeDateSource()
        try folder.add("1.jpg", "2026-01-01T02:00:00Z", offset: 60)
        try folder.add("2.jpg", "2026-01-01T08:00:00Z")
        try folder.add("3.jpg", "2026-01-01T09:00:00Z", offset: 540)
        try folder.add("4.jpg", "2026-01-01T08:01:00Z", offset: 120, camera: "B")
        try folder.add("5.jpg", "2026-01-01T08:01:00Z")
        try folder.add("6.jpg", "2026-01-01T08:00:30Z", camera: nil)
        for reversed in [false, true] {
            #expect(try await folder.date("2.jpg", zone: -300, reversed: reversed) == "2026-01-01T08:00:00+09:00")
            #expect(try await folder.date("6.jpg", zone: -300, reversed: reversed) == "2026-01-01T08:00:30-05:00")
            #expect(try await folder.date("6.jpg", reversed: reversed) == "2026-01-01T08:00:30Z")
        }
    }

    @Test("the earlier of two equally near neighbors is used, and none more than 12 hours away")
    func nearest() async throws {
        let folder = FakeDateSource()
        try folder.add("1.jpg", "2026-01-01T10:00:00Z", offset: 120)
        try folder.add("2.jpg", "2026-01-01T09:00:00Z")
        try folder.add("3.jpg", "2026-01-01T08:00:00Z", offset: 60)
        try folder.add("4.jpg", "2026-01-01T22:00:01Z")
        #expect(try await folder.date("2.jpg") == "2026-01-01T09:00:00+01:00")
        #expect(try await folder.date("4.jpg", zone: 0) == "2026-01-01T22:00:01+00:00")
        try folder.add("5.jpg", "2026-01-01T10:00:01Z", offset: 180)
        #expect(try await folder.date("4.jpg", zone: 0) == "2026-01-01T22:00:01+03:00")
    }

    @Test("neighbors are the 16 pictures before and after, and each is read once")
    func reach() async throws {
        let folder = FakeDateSource()
        func name(_ number: Int) -> String { "\(100 + number).jpg" }
        for number in 0..<40 { try folder.add(name(number), "2026-01-01T08:00:00Z", offset: number == 0 ? 540 : nil) }
        try folder.add("110.mov", "2026-01-01T08:00:00Z", offset: 60, type: .quickTime)
        #expect(try await folder.date(name(16), zone: 0) == "2026-01-01T08:00:00+09:00")
        #expect(try await folder.date(name(17), zone: 0) == "2026-01-01T08:00:00+00:00")
        let dates = FolderDates(
            of: folder.files, source: folder, zone: nil, until: Timestamp(seconds: 1_800_000_000, nanoseconds: 0))
        let before = folder.log.count
        for (path, clues) in folder.clues { _ = try await dates.date(of: path, clues) }
        #expect(folder.log.count - before == 40)
    }

    @Test("an inferred offset is not passed on to neighbors")
    func noChains() async throws {
        let folder = FakeDateSource()
        for number in 0..<5 {
            try folder.add("\(number).jpg", "2026-01-01T\(10 + number * 2):00:00Z", offset: number == 0 ? 540 : nil)
        }
        #expect(try await folder.date("4.jpg", zone: 0) == "2026-01-01T18:00:00+09:00")
        try folder.add("5.jpg", "2026-01-01T22:30:00Z")
        #expect(try await folder.date("5.jpg", zone: 0) == "2026-01-01T22:30:00+00:00")
    }

    @Test("sidecars are used if the photo has no valid date, XMP before Takeout")
    func sidecars() async throws {
        let folder = FakeDateSource()
        try folder.add("a.jpg", nil)
        try folder.add("b.jpg", "2020-01-01T00:00:00Z", offset: 60)
        try folder.add("c.jpg", "2199-01-01T00:00:00Z")
        for name in ["a", "b", "c"] {
            try folder.add(
                sidecar: "\(name).jpg.supplemental-metadata.json", #"{"photoTakenTime":{"timestamp":"1767222000"}}"#)
        }
        try folder.add(sidecar: "a.xmp", #"<x xmp:CreateDate="2026-01-01T08:00:00+09:00"/>"#)
        #expect(try await folder.date("a.jpg") == "2026-01-01T08:00:00+09:00")
        #expect(try await folder.date("b.jpg") == "2020-01-01T00:00:00+01:00")
        // Takeout's timestamp is in UTC: the local time requires a zone.
        #expect(try await folder.date("c.jpg") == "2025-12-31T23:00:00Z")
        #expect(try await folder.date("c.jpg", zone: 540) == "2026-01-01T08:00:00+09:00")
    }

    @Test("a sidecar without a date is skipped for the next one")
    func emptySidecars() async throws {
        let folder = FakeDateSource()
        try folder.add("a.jpg", nil)
        try folder.add(sidecar: "a.xmp", "<x/>")
        #expect(try await folder.date("a.jpg", zone: 540) == nil)
        try folder.add(sidecar: "a.jpg.json", #"{"photoTakenTime":{"timestamp":"1767222000"}}"#)
        #expect(try await folder.date("a.jpg", zone: 540) == "2026-01-01T08:00:00+09:00")
    }
}

/// Dates in the catalog after a backup.
@Suite struct BackupDatesTests {
    private func dates(_ fixture: BackupFixture) async throws -> [String] {
        try await fixture.catalog().entries.map { "\($0.path) \($0.taken?.description ?? "-")" }
    }

    @Test("a backup records local time and offset from the photo, its neighbors, sidecars or the zone")
    func sources() async throws {
        var fixture = try BackupFixture()
        fixture.settings.zone = CaptureZone(try #require(TimeZone(secondsFromGMT: -5 * 3600)))
        let camera = [(tag: 0x0110, text: "Model A")]
        let own = PhotoBytes.exif([(0x9003, "2026:01:01 08:00:00"), (0x9011, "+09:00")], first: camera)
        try fixture.folder.write("1/a.jpg", PhotoBytes.jpeg(1, exif: own))
        try fixture.folder.write(
            "1/b.jpg", PhotoBytes.jpeg(2, exif: PhotoBytes.exif([(0x9003, "2026:01:01 09:00:00")], first: camera)))
        // The same camera in another folder.
        try fixture.folder.write(
            "2/c.jpg", PhotoBytes.jpeg(3, exif: PhotoBytes.exif([(0x9003, "2026:01:01 10:00:00")], first: camera)))
        try fixture.folder.write("2/d.jpg", PhotoBytes.jpeg(4))
        try fixture.folder.write("2/d.jpg.json", Array(#"{"photoTakenTime":{"timestamp":"1767222000"}}"#.utf8))
        try fixture.folder.write("2/e.mov", MovieBytes.movie(MovieBytes.mvhd(3_797_411_445)))
        try fixture.folder.write("2/f.jpg", PhotoBytes.jpeg(6))
        #expect(try await fixture.backUp().isComplete)
        #expect(
            try await dates(fixture) == [
                "1/a.jpg 2026-01-01T08:00:00+09:00", "1/b.jpg 2026-01-01T09:00:00+09:00",
                "2/c.jpg 2026-01-01T10:00:00-05:00", "2/d.jpg 2025-12-31T18:00:00-05:00", "2/d.jpg.json -",
                "2/e.mov 2024-05-01T07:30:45-05:00", "2/f.jpg -",
            ])
    }

    @Test("an offset lost in a commit by an older version is restored by the next backup")
    func restored() async throws {
        let fixture = try BackupFixture()
        let exif = PhotoBytes.exif([(0x9003, "2026:01:01 08:00:00"), (0x9011, "+09:00")])
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1, exif: exif))
        _ = try await fixture.backUp()
        let before = try await fixture.catalog()
        // An older version reads the moment and writes it in UTC.
        let catalogs = CatalogStore(store: fixture.store, user: .bob, pause: .none)
        let head = try await catalogs.head()
        let text = String(buffer: CatalogCSV.encode(head.file))
        #expect(text.contains(",2026-01-01T08:00:00+09:00,"))
        let older = ByteBuffer(
            string: text.replacing("2026-01-01T08:00:00+09:00", with: "2025-12-31T23:00:00Z"))
        let digest = ContentDigest(of: older).description
        _ = try await fixture.store.memory.put(
            ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest)), older, if: .always)
        _ = try await fixture.store.memory.put(
            ObjectKey(known: StorageLayout.catalogPointer(.bob)), ByteBuffer(string: digest), if: .always)
        #expect(try await dates(fixture) == ["a.jpg 2025-12-31T23:00:00Z"])
        let summary = try await fixture.backUp()
        #expect(summary.isComplete && summary.progress.uploadedFiles == 0)
        #expect(try await dates(fixture) == ["a.jpg 2026-01-01T08:00:00+09:00"])
        // The Lamport timestamp is unchanged.
        #expect(try await fixture.catalog() == before)
        fixture.store.clearLog()
        _ = try await fixture.backUp()
        #expect(fixture.store.count("write") + fixture.store.count("put") == 0)
    }

    @Test("an edit with another spelling of the same date counts as an edit")
    func edits() throws {
        func facts(_ text: String) throws -> MediaFacts {
            let date = try #require(CaptureDate(text))
            return MediaFacts(taken: date)
        }
        // As recorded by an older version: the moment, or the local time as UTC.
        #expect(try facts("2026-01-01T08:00:00+09:00").mayBeEditOf(facts("2025-12-31T23:00:00Z")))
        #expect(try facts("2026-01-01T08:00:00.5+09:00").mayBeEditOf(facts("2026-01-01T08:00:00Z")))
        #expect(try !facts("2026-01-01T08:00:00+09:00").mayBeEditOf(facts("2026-01-01T07:00:00Z")))
        #expect(try !facts("2026-01-01T08:00:00+09:00").mayBeEditOf(MediaFacts()))
        #expect(MediaFacts().mayBeEditOf(MediaFacts()))
    }
}
