import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// A library ordered by date.
@Suite struct TimelineTests {
    private func day(_ year: Int, _ month: Int, _ day: Int = 1) throws -> Int64 {
        try #require(Timestamp(year: year, month: month, day: day, hour: 12, minute: 0, second: 0)).seconds
    }

    private func names(_ timeline: Timeline) -> [String] { timeline.photos.map(\.path.description) }

    @Test("photos are ordered by date, newest first, and grouped by capture month")
    func months() throws {
        let taken = Timestamp(seconds: try day(2023, 12, 31), nanoseconds: 0)
        let catalog = Catalog([
            try .photo("a.jpg", seed: 1, modified: try day(2024, 3, 5)),
            try .photo("b.jpg", seed: 2, modified: try day(2024, 3, 1)),
            // The capture date is used, not the modification date.
            try .photo("c.jpg", seed: 3, modified: try day(2024, 6), taken: taken),
            try .photo("d.jpg", seed: 4, modified: try day(1969, 12, 31)),
        ])
        let timeline = Timeline(catalog.entries)
        #expect(names(timeline) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
        #expect(
            timeline.months == [
                .init(date: CalendarMonth(year: 2024, month: 3), photos: 0..<2),
                .init(date: CalendarMonth(year: 2023, month: 12), photos: 2..<3),
                .init(date: CalendarMonth(year: 1969, month: 12), photos: 3..<4),
            ])
        #expect(timeline.index(of: try .seeded(3)) == 2)
        #expect(try timeline.index(of: .seeded(9)) == nil)
        #expect(Timeline(Catalog().entries).months.isEmpty)
    }

    @Test("a photo belongs to the month of its local time")
    func localMonths() throws {
        func entry(_ path: String, _ seed: Int, _ taken: String) throws -> CatalogEntry {
            let date = try #require(CaptureDate(taken))
            return CatalogEntry(
                path: try #require(LibraryPath(path)), md5: try .seeded(seed), size: 10,
                modified: Timestamp(seconds: 0, nanoseconds: 0), type: .jpeg, media: MediaFacts(taken: date))
        }
        let timeline = Timeline(
            Catalog([
                try entry("tokyo.jpg", 1, "2026-01-01T08:00:00+09:00"),
                // Half a day later, and still in the previous year.
                try entry("hawaii.jpg", 2, "2025-12-31T22:00:00-10:00"),
                try entry("unknown.jpg", 3, "2025-12-31T23:00:00Z"),
            ]).entries)
        #expect(names(timeline) == ["tokyo.jpg", "unknown.jpg", "hawaii.jpg"])
        #expect(
            timeline.months == [
                .init(date: CalendarMonth(year: 2026, month: 1), photos: 0..<1),
                .init(date: CalendarMonth(year: 2025, month: 12), photos: 1..<3),
            ])
    }

    @Test("a photo at several paths is shown once and without its companions")
    func once() throws {
        func entry(_ path: String, _ seed: Int, _ type: MediaType) throws -> CatalogEntry {
            CatalogEntry(
                path: try #require(LibraryPath(path)), md5: try .seeded(seed), size: 10,
                modified: Timestamp(seconds: Int64(1000 - seed), nanoseconds: 0), type: type, media: MediaFacts())
        }
        let catalog = Catalog([
            try entry("1/IMG_1.HEIC", 1, .heic), try entry("1/IMG_1.MOV", 2, .quickTime),
            try entry("1/IMG_1.xmp", 3, .xmp), try entry("2/copy.HEIC", 1, .heic),
            try entry("2/film.MOV", 5, .quickTime),
            try entry("3/alone.xmp", 6, .xmp),
        ])
        #expect(names(Timeline(catalog.entries)) == ["1/IMG_1.HEIC", "2/film.MOV"])
    }

    @Test("in the trash all contents of a path are shown")
    func trash() throws {
        var catalog = Catalog()
        for seed in 1...3 {
            catalog.apply([.add(try .photo("1/a.jpg", seed: seed, modified: Int64(seed)), replacing: nil)])
            catalog.apply([.trash(try #require(LibraryPath("1/a.jpg")), try .seeded(seed))])
        }
        #expect(Timeline(trash: catalog.trash).photos.map(\.md5) == [try .seeded(3), try .seeded(2), try .seeded(1)])
    }

    @Test("the trash begins with what was moved there last, in months of that time")
    func movedLast() throws {
        let rows = [("old", 2024, 3), ("new", 2020, 9), ("middle", 2022, 5)].enumerated().map { seed, photo in
            let md5 = String(repeating: "\(seed + 1)", count: 32)
            return "\(photo.0).jpg,\(md5),5,\(photo.1)-01-02T03:04:05Z,,image/jpeg,,,,1@0000000a,"
                + "2026-0\(photo.2)-17T10:00:00Z,2@0000000a\n"
        }
        let columns = "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed"
        let catalog = try CatalogCSV.decode(ByteBuffer(string: "\(columns)\n\(rows.joined())")).rows
        let timeline = Timeline(trash: catalog.trash)
        #expect(names(timeline) == ["new.jpg", "middle.jpg", "old.jpg"])
        #expect(timeline.months.map(\.date.month) == [9, 5, 3] && timeline.startsDay(at: 1))
        // The stored date allows 30 minutes for the write.
        #expect(timeline.date(of: 0).description == "2026-09-17T09:30:00Z")
        let found = timeline.limited(to: Set(timeline.photos.prefix(2).map(\.md5)))
        #expect(found.months.map(\.date.year) == [2026, 2026])
    }

    @Test("months beyond the limit are merged into one")
    func manyMonths() throws {
        let entries = try (0..<1300).map { month in
            try CatalogEntry.photo(
                "\(month).jpg", seed: 0x10000 + month, modified: try day(2020 - month / 12, 12 - month % 12))
        }
        let timeline = Timeline(Catalog(of: entries).entries)
        #expect(
            timeline.months.count == Timeline.mostMonths && timeline.months.dropLast().allSatisfy { !$0.hasEarlier })
        let last = try #require(timeline.months.last)
        #expect(last.hasEarlier && last.photos == 1199..<1300)
        #expect(last.date == CalendarMonth(year: 2020 - 1199 / 12, month: 12 - 1199 % 12))
    }

    @Test(
        "thousands of contents at one path are all shown, even with many entries under their conflict name")
    func hostileConflicts() throws {
        var entries: [CatalogEntry] = []
        // All would be displayed as "a (conflict 00000000)", a name that many entries have had.
        for seed in 0..<20_000 {
            let digits = String(seed, radix: 16)
            let md5 = try #require(ContentDigest(String(repeating: "0", count: 32 - digits.count) + digits))
            entries.append(
                CatalogEntry(
                    path: try #require(LibraryPath("a")), md5: md5, size: 1,
                    modified: Timestamp(seconds: Int64(seed), nanoseconds: 0), type: .jpeg, media: MediaFacts()))
        }
        var catalog = Catalog(of: entries)
        let beside = try #require(LibraryPath("a (conflict 00000000)"))
        catalog.join(
            Catalog(try (1...20_000).map { .trash(beside, try .seeded($0)) }, after: 0, by: .none, trashed: 1))
        #expect(catalog.entries.count == 20_000)
    }

    @Test("the month of a date before 1970 is correct")
    func earlyMonths() throws {
        for (year, month, day) in [
            (1, 1, 1), (1900, 2, 28), (1969, 12, 31), (1970, 1, 1), (2000, 2, 29), (9999, 12, 31),
        ] {
            for (hour, second) in [(0, 0), (23, 59)] {
                let moment = try #require(
                    Timestamp(year: year, month: month, day: day, hour: hour, minute: second, second: second))
                #expect(moment.month == CalendarMonth(year: year, month: month), "\(moment)")
            }
        }
    }
}
