import NIOCore
import Testing

@testable import PhotoCatalog

/// Dates with offsets in catalogs of this version and of earlier ones.
@Suite struct CatalogDatesTests {
    private static let header =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed\n"
    private static let older = "path,md5,size,modified,taken,type\n"
    private static let md5 = "d41d8cd98f00b204e9800998ecf8427e"

    private func row(_ taken: String, added: String) -> String {
        "a.jpg,\(Self.md5),5,2026-02-03T04:05:06Z,\(taken),image/jpeg\(added)\n"
    }

    private func decode(_ text: String) throws -> Catalog { try CatalogCSV.decode(ByteBuffer(string: text)).rows }

    private func encode(_ catalog: Catalog) -> String {
        var file = CatalogFile()
        file.rows = catalog
        return String(buffer: CatalogCSV.encode(file))
    }

    @Test("a catalog with offsets is preserved byte for byte")
    func roundTrip() throws {
        for taken in ["2026-01-01T08:00:00+09:00", "2026-01-01T00:00:00+00:00", "2025-12-31T23:00:00.25Z", ""] {
            let text = Self.header + row(taken, added: ",,,,7@0000a1b2,,")
            #expect(encode(try decode(text)) == text)
        }
    }

    @Test("dates in catalogs of the first two formats have no offset")
    func earlier() throws {
        for text in [
            Self.older + row("2025-12-31T23:00:00Z", added: ""),
            Self.header + row("2025-12-31T23:00:00Z", added: ",,,,7@0000a1b2,,"),
        ] {
            let entry = try #require(try decode(text).entries.first)
            #expect(entry.taken?.offset == nil && entry.taken?.description == "2025-12-31T23:00:00Z")
        }
    }

    @Test("earlier versions read a date with an offset as the moment in UTC")
    func readByEarlier() throws {
        // Earlier versions parse the column as a timestamp with any offset and discard the offset.
        #expect(Timestamp("2026-01-01T08:00:00+09:00") == Timestamp("2025-12-31T23:00:00Z"))
        #expect(Timestamp("2026-01-01T00:00:00+00:00") == Timestamp("2026-01-01T00:00:00Z"))
    }

    @Test("dates in years out of range count as unknown and are replaced by a valid date")
    func impossible() throws {
        for taken in ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"] {
            var catalog = try decode(Self.header + row(taken, added: ",,,,7@0000a1b2,,"))
            #expect(catalog.entries.first?.taken == nil)
            #expect(catalog.entries.first?.date.description == "2026-02-03T04:05:06Z")
            catalog.join(try decode(Self.header + row("2020-01-01T00:00:00Z", added: ",,,,7@0000a1b2,,")))
            #expect(catalog.entries.first?.taken?.description == "2020-01-01T00:00:00Z")
        }
    }

    @Test("a date with an offset wins over a later one without an offset in either merge order")
    func merge() throws {
        let known = try decode(Self.header + row("2026-01-01T08:00:00+09:00", added: ",,,,7@0000a1b2,,"))
        // The local time read as UTC is later than the moment.
        for other in ["2026-01-01T08:00:00Z", "2025-12-31T23:00:00Z", ""] {
            // With an older and a newer Lamport timestamp.
            for stamp in ["6@0000a1b2", "8@0000a1b2"] {
                let second = try decode(Self.header + row(other, added: ",,,,\(stamp),,"))
                for (left, right) in [(known, second), (second, known)] {
                    var joined = left
                    joined.join(right)
                    #expect(joined.entries.map { $0.taken?.description } == ["2026-01-01T08:00:00+09:00"], "\(other)")
                }
            }
        }
    }

    @Test("describing a photo adds the new facts and keeps its timestamps, trash date and size")
    func describe() throws {
        let text =
            Self.header
            + "a.jpg,\(Self.md5),5,2026-02-03T04:05:06Z,,image/jpeg,40,30,,7@0000a1b2,2026-03-01T00:00:00Z,9@0000a1b2\n"
        var catalog = try decode(text)
        let media = MediaFacts(taken: CaptureDate("2026-01-01T08:00:00+09:00"))
        let change = catalog.description(of: 0, media: media)
        #expect(catalog.hasEffect(change))
        catalog.apply([change], by: 5)
        #expect(encode(catalog) == text.replacing("06Z,,image", with: "06Z,2026-01-01T08:00:00+09:00,image"))
        #expect(!catalog.hasEffect(change))
        #expect(change.reliesOnStore && !change.movesToTrash)
    }

    @Test("a file that adds facts to a known photo describes it; other changes add it")
    func changes() throws {
        let catalog = try decode(Self.header + row("2025-12-31T23:00:00Z", added: ",,,,7@0000a1b2,,"))
        let known = try #require(catalog.entries.first)
        func change(_ modified: Int64, _ taken: String?) -> CatalogChange? {
            let entry = CatalogEntry(
                path: known.path, md5: known.md5, size: known.size,
                modified: Timestamp(seconds: modified, nanoseconds: 0), type: known.type,
                media: MediaFacts(taken: taken.flatMap { CaptureDate($0) }))
            return catalog.change(adding: entry, replacing: nil)
        }
        let modified = known.modified.seconds
        #expect(change(modified, nil) == nil && change(modified + 5, "2026-01-01T08:00:00Z") == nil)
        guard case .describe(let described, let stamp) = change(modified + 5, "2026-01-01T08:00:00+09:00") else {
            Issue.record("a new offset is not a description")
            return
        }
        #expect(described.modified == known.modified && stamp == LamportTimestamp("7@0000a1b2"))
        guard case .add = change(modified - 5, "2026-01-01T08:00:00+09:00") else {
            Issue.record("an older file is not an addition")
            return
        }
    }

    @Test("a record has 112 bytes with any offset and orientation")
    func record() throws {
        #expect(MemoryLayout<CatalogRecord>.stride == 112)
        let moment = Timestamp(seconds: 5, nanoseconds: 6)
        for offset in [nil, -1439, -1, 0, 1, 345, 1439] {
            for orientation in [nil, 1, 8] as [UInt8?] {
                var record = CatalogRecord()
                let media = MediaFacts(taken: CaptureDate(moment, offset: offset), width: 1, orientation: orientation)
                record.media = media
                #expect(record.media == media)
                record.media = MediaFacts(orientation: orientation)
                #expect(record.media == MediaFacts(orientation: orientation))
            }
        }
    }
}
