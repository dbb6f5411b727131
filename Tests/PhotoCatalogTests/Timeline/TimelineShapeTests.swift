import Testing

@testable import PhotoCatalog

/// The days and proportions of a timeline's photos.
@Suite struct TimelineShapeTests {
    @Test(
        "the shown proportion is that of the turned photo, within limits",
        arguments: [
            (400, 300, 1, 4.0 / 3), (400, 300, 6, 0.75), (400, 300, 3, 4.0 / 3), (3000, 100, nil, 12),
            (100, 3000, nil, 0.5), (100, 3000, 8, 12), (800, 100, 1, 8),
        ] as [(Int32, Int32, UInt8?, Double)])
    func proportion(_ width: Int32, _ height: Int32, _ orientation: UInt8?, _ expected: Double) {
        let facts = MediaFacts(width: width, height: height, orientation: orientation)
        #expect(facts.shownProportion == expected)
    }

    @Test("a photo of unknown size has no proportion") func unknown() {
        #expect(MediaFacts(width: 100).shownProportion == nil && MediaFacts().shownProportion == nil)
    }

    @Test("days are those of the local time, also before 1970, and a part of a timeline counts its own")
    func days() throws {
        func entry(_ path: String, _ seed: Int, _ taken: String, width: Int32?) throws -> CatalogEntry {
            let date = try #require(CaptureDate(taken))
            return CatalogEntry(
                path: try #require(LibraryPath(path)), md5: try .seeded(seed), size: 10,
                modified: Timestamp(seconds: 0, nanoseconds: 0), type: .jpeg,
                media: MediaFacts(taken: date, width: width, height: width.map { _ in 100 }))
        }
        let timeline = Timeline(
            Catalog([
                try entry("a.jpg", 1, "2024-03-10T23:59:00+09:00", width: 200),
                try entry("b.jpg", 2, "2024-03-10T00:01:00-10:00", width: 100),
                try entry("c.jpg", 3, "2024-03-09T23:59:59Z", width: nil),
                try entry("d.jpg", 4, "1969-12-31T00:00:00Z", width: 100),
                try entry("e.jpg", 5, "1969-12-30T23:59:59Z", width: 900),
            ]).entries)
        #expect(timeline.days(of: 0..<5) == [0..<2, 2..<3, 3..<4, 4..<5])
        #expect(timeline.days(of: 1..<3) == [1..<2, 2..<3] && timeline.days(of: 2..<2) == [])
        #expect([0, 1, 2, 3, 4].map(timeline.startsDay) == [true, false, true, true, true])
        #expect(timeline.shape(of: 0..<2) == TimelineShape(days: 1, proportions: 3))
        #expect(timeline.shape(of: 4..<5) == TimelineShape(days: 1, proportions: 3), "a panorama counts as a row")
        #expect(timeline.shape(of: 1..<4) == TimelineShape(days: 3, proportions: 2 + MediaFacts.usualProportion))
    }
}
