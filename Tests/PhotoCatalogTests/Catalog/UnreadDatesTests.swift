import NIOCore
import Testing

@testable import PhotoCatalog

/// Invalid capture dates in a catalog.
@Suite struct UnreadDatesTests {
    private static let header =
        "path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed\n"
    private static let texts = [
        "2026-01-01T08:00:00", "yesterday", "2026-01-01T08:00:00+24:00", "2026-02-30T08:00:00Z", "9999-12-31T23:59:59Z",
        "\"1, 2 \"\"and\"\" 3\"", "\"two\nlines\"", " ", "2026-01-01T08:00:00Z ", "日本",
    ]

    private func row(_ path: String = "a.jpg", _ taken: String, _ stamp: String = "7@0000a1b2") -> String {
        "\(path),d41d8cd98f00b204e9800998ecf8427e,5,2026-02-03T04:05:06Z,\(taken),image/jpeg,,,,\(stamp),,\n"
    }

    private func decode(_ rows: String...) throws -> Catalog {
        try CatalogCSV.decode(ByteBuffer(string: Self.header + rows.joined())).rows
    }

    private func encode(_ catalog: Catalog) -> String {
        var file = CatalogFile()
        file.rows = catalog
        return String(buffer: CatalogCSV.encode(file))
    }

    @Test(arguments: texts)
    func `an invalid date counts as unknown and is preserved`(_ taken: String) throws {
        let catalog = try decode(row("a.jpg", taken), row("b.jpg", "2026-01-01T08:00:00+09:00"))
        #expect(catalog.entries.first?.taken == nil)
        #expect(catalog.entries.first?.date.description == "2026-02-03T04:05:06Z")
        #expect(catalog.unreadDateCount == 1)
        #expect(encode(catalog) == Self.header + row("a.jpg", taken) + row("b.jpg", "2026-01-01T08:00:00+09:00"))
    }

    @Test func `bytes that are not UTF-8 are preserved`() throws {
        var bytes = ByteBuffer(string: Self.header + "a.jpg,d41d8cd98f00b204e9800998ecf8427e,5,2026-02-03T04:05:06Z,")
        bytes.writeBytes([0xFF, 0x00, 0xC3])
        bytes.writeString(",image/jpeg,,,,7@0000a1b2,,\n")
        let file = try CatalogCSV.decode(bytes)
        #expect(CatalogCSV.encode(file) == bytes)
    }

    @Test func `rows in separate blocks keep their texts`() throws {
        let rows = (0..<40).map { row("\(10 + $0).jpg", $0 % 3 == 0 ? "" : "text \($0 % 7)") }.joined()
        let file = try CatalogCSV.decode(ByteBuffer(string: Self.header + rows), blockLength: 300)
        #expect(String(buffer: CatalogCSV.encode(file)) == Self.header + rows)
    }

    @Test func `a merge in either order keeps each text unless a date is known`() throws {
        let values = ["", "zero", "nought", "2020-01-01T00:00:00Z", "2019-01-01T00:00:00+01:00"]
        // Each value wins over all previous ones.
        let order = ["", "nought", "zero", "2020-01-01T00:00:00Z", "2019-01-01T00:00:00+01:00"]
        for one in values {
            for other in values {
                let (left, right) = (try decode(row("a.jpg", one)), try decode(row("a.jpg", other, "9@0000a1b2")))
                let winner = try #require(order.last { $0 == one || $0 == other })
                for joined in [Catalog.join(of: [left, right]), Catalog.join(of: [right, left])] {
                    #expect(encode(joined) == Self.header + row("a.jpg", winner, "9@0000a1b2"), "\(one) \(other)")
                }
            }
        }
    }

    @Test func `merging many catalogs of other photos keeps every text with its photo`() throws {
        let rows = (0..<30).map { row("\(10 + $0).jpg", "text \($0 % 4)") }
        let catalogs = try rows.map { try decode($0) }
        #expect(encode(Catalog.join(of: catalogs)) == Self.header + rows.joined())
        #expect(encode(Catalog.join(of: catalogs.reversed())) == Self.header + rows.joined())
    }

    @Test func `a different text is a change and makes catalogs unequal`() throws {
        let (one, other) = (try decode(row("a.jpg", "nought")), try decode(row("a.jpg", "zero")))
        let same = try decode(row("a.jpg", "nought"))
        #expect(one != other && one == same)
        #expect(encode(other.difference(over: one)) == encode(other))
        #expect(one.difference(over: other).isEmpty && one.difference(over: one).isEmpty)
    }

    @Test func `entries that remain after a purge keep their text`() throws {
        let catalog = try decode(row("a.jpg", "nought"))
        let md5 = try #require(catalog.entries.first?.md5)
        #expect(encode(catalog.restricted(to: [md5])) == encode(catalog))
        #expect(encode(catalog.withoutPresent([])) == encode(catalog))
    }

    @Test func `describing a photo replaces the text with its date`() throws {
        var catalog = try decode(row("a.jpg", "nought"))
        let change = catalog.description(of: 0, media: MediaFacts(taken: CaptureDate("2026-01-01T08:00:00+09:00")))
        #expect(catalog.hasEffect(change))
        catalog.apply([change], by: 5)
        #expect(encode(catalog) == Self.header + row("a.jpg", "2026-01-01T08:00:00+09:00"))
        #expect(catalog.unreadDateCount == 0)
    }

    @Test(arguments: ["-23:59", "-14:00", "-12:01", "+14:01", "+23:59"])
    func `an offset outside real time zones is read and preserved`(_ offset: String) throws {
        let text = row("a.jpg", "2026-01-02T08:00:00\(offset)")
        let catalog = try decode(text)
        #expect(catalog.entries.first?.taken?.description == "2026-01-02T08:00:00\(offset)")
        #expect(encode(catalog) == Self.header + text && catalog.unreadDateCount == 0)
    }
}
