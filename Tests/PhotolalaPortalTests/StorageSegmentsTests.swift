import Localization
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaPortal

/// The storage bar of the account page.
@Suite struct StorageSegmentsTests {
    private static func segments(_ usage: UsageByKind, used: Int64, limit: Int64) throws -> [[String: String]] {
        let texts = try TextCatalog(service: "Photos").strings(for: nil, chosen: "en")
        return StorageSegments.content(usage, used: used, limit: limit, texts)
    }

    @Test("each stored kind has a segment with its share, one after the other")
    func shares() throws {
        let usage = UsageByKind(
            photos: StoredObjects(bytes: 500, objects: 2), thumbnails: StoredObjects(bytes: 100, objects: 2),
            catalogs: StoredObjects(bytes: 1, objects: 1), data: StoredObjects(bytes: 0, objects: 0))
        let segments = try Self.segments(usage, used: 601, limit: 2000)
        #expect(segments.map { $0["kind"] } == ["photos", "thumbnails", "catalogs"])
        #expect(segments.map { $0["start"] } == ["0", "2500", "3000"])
        #expect(segments.map { $0["width"] } == ["2500", "500", "5"])
        #expect(segments.first?["text"] == "Photos and videos use 500\u{a0}B (2 items, including the trash).")
    }

    @Test("kinds too small to be seen add nothing to the bar, which is as wide as what is used")
    func tinyKinds() throws {
        let tiny = StoredObjects(bytes: 1, objects: 1)
        let usage = UsageByKind(
            photos: StoredObjects(bytes: 500_000, objects: 2), thumbnails: tiny, previews: tiny, catalogs: tiny,
            data: tiny)
        let segments = try Self.segments(usage, used: 500_004, limit: 1_000_000)
        #expect(segments.map { $0["width"] } == ["5000", "0", "0", "0", "0"])
        #expect(segments.allSatisfy { $0["text"]?.isEmpty == false })
    }

    @Test("above the limit the segments fill the bar and no more")
    func full() throws {
        let usage = UsageByKind(
            photos: StoredObjects(bytes: 2990, objects: 9), thumbnails: StoredObjects(bytes: 9, objects: 9),
            previews: StoredObjects(bytes: 1, objects: 1), catalogs: StoredObjects(bytes: 1, objects: 1),
            data: StoredObjects(bytes: 1, objects: 1))
        let segments = try Self.segments(usage, used: 3002, limit: 1000)
        let last = try #require(segments.last)
        let end = try #require(last["start"].flatMap { Int($0) }) + (try #require(last["width"].flatMap { Int($0) }))
        #expect(segments.count == 5 && end == 10_000)
    }

    @Test(
        "the bar is amber from 80 % and red from 95 %",
        arguments: [(799, "low"), (800, "near"), (949, "near"), (950, "full")])
    func levels(_ used: Int64, _ level: String) throws {
        let texts = try TextCatalog(service: "Photos").strings(for: nil, chosen: "en")
        #expect(StorageBar.content(used: used, limit: 1000, texts)["level"] as? String == level)
    }
}
