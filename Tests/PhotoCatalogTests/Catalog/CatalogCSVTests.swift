import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct CatalogCSVTests {
    static let header = LegacyCatalog.header
    static let digest = "d41d8cd98f00b204e9800998ecf8427e"

    private func decode(_ text: String, block: Int = 7) throws(CatalogError) -> Catalog {
        try CatalogCSV.decode(ByteBuffer(string: text), blockLength: block).rows
    }

    private func encode(_ entries: [CatalogEntry]) -> ByteBuffer {
        var file = CatalogFile()
        file.rows = Catalog(entries)
        return CatalogCSV.encode(file)
    }

    private func row(_ path: String) -> String { "\(path),\(Self.digest),5,2024-01-02T03:04:05.6Z,,image/jpeg\n" }

    @Test("every valid name is preserved byte for byte with any block length", arguments: [1, 3, 1000])
    func roundTrip(block: Int) throws {
        let names = [
            "a.jpg", "with,comma.jpg", "with \"quotes\".jpg", "line\nbreak\r.jpg", "=1+1.jpg", "+a", "-b", "@c", "\td",
            "caf\u{e9}", "cafe\u{301}", " leading", "'quoted'", "dir/=x", "🌅/日本.heic", ".hidden", "\"\"", "\r",
            "\n", "...", "a/..b", "a./b", "x/.photolala.md5",
        ]
        let entries = try names.enumerated().map { try CatalogEntry.photo($1, seed: $0) }
        let catalog = Catalog(entries)
        #expect(catalog.count == names.count)
        #expect(Set(catalog.entries) == Set(entries))
        #expect(try decode(String(buffer: encode(entries)), block: block) == catalog)
    }

    @Test("a name that a spreadsheet would run as a formula is prefixed with ./")
    func formulas() throws {
        let text = String(buffer: encode([try .photo("=HYPERLINK(\"x\")", seed: 1)]))
        #expect(text.contains("\n\"./=HYPERLINK(\"\"x\"\")\","))
    }

    @Test("the encoded text matches the documented format")
    func form() throws {
        var file = CatalogFile()
        let taken = CaptureDate(Timestamp(seconds: 0, nanoseconds: 0), offset: 540)
        let media = MediaFacts(taken: taken, width: 4000, height: 3000, orientation: 6)
        let dated = CatalogEntry(
            path: try #require(LibraryPath("b/2.jpg")), md5: try .seeded(2), size: 1002,
            modified: Timestamp(seconds: 7, nanoseconds: 0), type: .jpeg, media: media
        )
        let changes: [CatalogChange] = [
            .add(dated, replacing: nil), try .photo("a,1.jpg", seed: 1, modified: 7, replacing: 3),
        ]
        file.rows = Catalog(changes, after: 8, by: DeviceTag(value: 0xa1b2), trashed: 60)
        file.generation = try .seeded(4)
        file.purge = CatalogPurge(id: try .seeded(6), until: Timestamp(seconds: 90, nanoseconds: 0))
        let gone = try CatalogChange.trash(#require(LibraryPath("c.jpg")), .seeded(7))
        file.rows.join(Catalog([gone], after: 11, by: DeviceTag(value: 0xa1b2), trashed: 60).purged([try .seeded(7)]))
        file.parts = [CatalogPart(digest: try .seeded(5), size: 70_000, counter: 6)]
        let (one, two, old) = (try ContentDigest.seeded(1), try ContentDigest.seeded(2), try ContentDigest.seeded(3))
        let (origin, part) = (try ContentDigest.seeded(4), try ContentDigest.seeded(5))
        let (purge, purged) = (try ContentDigest.seeded(6), try ContentDigest.seeded(7))
        let text = """
            path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed
            .photolala.\(part).csv,\(part),70000,,,text/csv,,,,6@00000000,,
            .photolala.origin,\(origin),,,,,,,,,,
            .photolala.purge,\(purge),,1970-01-01T00:01:30Z,,,,,,,,
            "a,1.jpg",\(one),1001,1970-01-01T00:00:07Z,,image/jpeg,,,,10@0000a1b2,,10@0000a1b2
            "a,1.jpg",\(old),,,,,,,,,1970-01-01T00:01:00Z,10@0000a1b2
            b/2.jpg,\(two),1002,1970-01-01T00:00:07Z,1970-01-01T09:00:00+09:00,image/jpeg,4000,3000,6,9@0000a1b2,,
            c.jpg,\(purged),,,,,,,,,purged,12@0000a1b2

            """
        #expect(String(buffer: CatalogCSV.encode(file)) == text)
        #expect(try CatalogCSV.decode(ByteBuffer(string: text)) == file)
    }

    @Test("CRLF, a byte order mark, reordered columns and a missing final line end are accepted")
    func spreadsheets() throws {
        let crlf = (Self.header + row("a") + row("\"b,c\"")).replacing("\n", with: "\r\n")
        #expect(try decode("\u{feff}" + crlf).count == 2)
        #expect(try decode(Self.header + row("a").dropLast()).count == 1)
        let moved = "type,taken,modified,size,md5,path\nimage/png,,2024-01-02T03:04:05Z,5,\(Self.digest),x\n"
        let catalog = try decode(moved)
        #expect(catalog.entries.map(\.type) == [.png])
    }

    @Test(
        "a hostile or malformed catalog is refused with its reason",
        arguments: [
            ("", .missingColumn("path")), ("path,md5\n", .missingColumn("size")),
            (header.replacing("\n", with: ",extra\n"), .unknownColumns(["extra"])),
            (header.replacing("\n", with: ",md5\n"), .missingColumn("md5")),
            (header + "../x,\(digest),5,2024-01-02T03:04:05Z,,image/jpeg\n", .malformedRow(2, .value(column: "path"))),
            (header + "/x,\(digest),5,2024-01-02T03:04:05Z,,image/jpeg\n", .malformedRow(2, .value(column: "path"))),
            (header + "././x,\(digest),5,2024-01-02T03:04:05Z,,image/jpeg\n", .malformedRow(2, .value(column: "path"))),
            (
                header + "x,\(digest.uppercased()),5,2024-01-02T03:04:05Z,,a/b\n",
                .malformedRow(2, .value(column: "md5"))
            ),
            (header + "x,\(digest),-5,2024-01-02T03:04:05Z,,a/b\n", .malformedRow(2, .value(column: "size"))),
            (
                header + "x,\(digest),99999999999999999999,2024-01-02T03:04:05Z,,a/b\n",
                .malformedRow(2, .value(column: "size"))
            ),
            (header + "x,\(digest),5,yesterday,,a/b\n", .malformedRow(2, .value(column: "modified"))),
            (header + "x,\(digest),5,2024-01-02T03:04:05Z,,<script>\n", .malformedRow(2, .value(column: "type"))),
            (header + "x,\(digest),5,2024-01-02T03:04:05Z,,\n", .malformedRow(2, .value(column: "type"))),
            (header + "x,\(digest),5\n", .malformedRow(2, .fieldCount)), (header + "\n", .malformedRow(2, .fieldCount)),
            (header + "\"x\"y,\(digest)\n", .malformedRow(2, .quoting)),
            (header + "\"never ends", .malformedRow(2, .quoting)),
            (header + "x\"y\n", .malformedRow(2, .quoting)), (header + "a\rb\n", .malformedRow(2, .quoting)),
            (header + String(repeating: "y", count: 40_000), .malformedRow(2, .fieldTooLong)),
            (header + String(repeating: ",", count: 100), .malformedRow(2, .fieldTooLong)),
        ] as [(String, CatalogError)]
    )
    func refused(text: String, error: CatalogError) {
        #expect(throws: error) { try decode(text) }
    }

    @Test("a content repeated at a path is refused with its row number")
    func repeated() {
        #expect(throws: CatalogError.malformedRow(3, .repeatedPath)) { try decode(Self.header + row("a") + row("a")) }
        #expect(throws: CatalogError.malformedRow(4, .repeatedPath)) {
            try decode(Self.header + row("b") + row("a") + row("b"), block: 1000)
        }
    }

    @Test("rows without timestamps have counter zero")
    func older() throws {
        let catalog = try decode(Self.header + row("a"))
        #expect(catalog.records.map(\.added) == [.zero])
        #expect(catalog.highestCounter == 0)
    }
}

/// The later columns, and the rows that are not photos.
struct CatalogColumnTests {
    private static let header = (CatalogCSV.columns + CatalogCSV.optionalColumns).joined(separator: ",") + "\n"
    private static let digest = CatalogCSVTests.digest
    private static let start = "a.jpg,\(digest),5,2024-01-02T03:04:05Z,,image/jpeg"
    private static let part = ".photolala.\(digest).csv,\(digest)"

    private func decode(_ rows: String) throws(CatalogError) -> CatalogFile {
        try CatalogCSV.decode(ByteBuffer(string: Self.header + rows + "\n"))
    }

    @Test(
        "a value out of range is refused with its column",
        arguments: [
            (",0,,,,,", "width"), (",1000001,,,,,", "width"), (",,-1,,,,", "height"), (",,,9,,,", "orientation"),
            (",,,,1,,", "added"), (",,,,1@123,,", "added"), (",,,,1@0000000G,,", "added"),
            (",,,,99999999999999999999@00000000,,", "added"), (",,,,,soon,", "trashed"),
            (",,,,,1969-12-31T23:59:59Z,", "trashed"), (",,,,,2107-01-01T00:00:00Z,", "trashed"),
            (",,,,,2106-02-07T06:28:15Z,", "trashed"),
            (",,,,,,1.5e3", "trash_changed"),
        ])
    func ranges(rest: String, column: String) {
        #expect(throws: CatalogError.malformedRow(2, .value(column: column))) { try decode(Self.start + rest) }
    }

    @Test(
        "a reserved name that is neither a part nor an origin is refused",
        arguments: [
            (".photolala.x,\(digest),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,", "path"),
            ("\(part),5,,,image/jpeg,,,,,,", "path"), ("\(part),,,,text/csv,,,,,,", "path"),
            ("\(part),-5,,,text/csv,,,,,,", "path"), ("\(part),5,,,text/csv,,,,x,,", "path"),
            (".photolala.00000000000000000000000000000000.csv,\(digest),5,,,text/csv,,,,,,", "path"),
            ("\(part),9223372036854775807,,,text/csv,,,,,,", "size"), ("\(part),1073741825,,,text/csv,,,,,,", "size"),
        ])
    func ownNames(row: String, column: String) {
        #expect(throws: CatalogError.malformedRow(2, .value(column: column))) { try decode(row) }
    }

    @Test("parts of the largest accepted size are added without overflow")
    func largestParts() throws {
        let rows = try (16...35).map { seed in
            let digest = try ContentDigest.seeded(seed)
            return ".photolala.\(digest).csv,\(digest),\(CatalogSizes.longest),,,text/csv,,,,,,"
        }
        let file = try decode(rows.joined(separator: "\n"))
        let head = CatalogHead(snapshot: nil, pointer: nil, file: file, generation: .legacyGeneration)
        #expect(head.bytes == 20 * CatalogSizes.longest)
        #expect(CatalogSizes().partsToJoin(file.parts, with: 1 << 20, upTo: 1 << 20).isEmpty)
        #expect(CatalogSizes().partsToJoin(file.parts, with: 1 << 20, upTo: .max).count == 20)
    }

    @Test("parts are refused in a catalog without the later columns")
    func ownNamesBefore() {
        let row = "\(Self.part),5,2024-01-02T03:04:05Z,,text/csv\n"
        #expect(throws: CatalogError.malformedRow(2, .value(column: "path"))) {
            try CatalogCSV.decode(ByteBuffer(string: CatalogCSVTests.header + row))
        }
    }

    @Test("an incomplete set of later columns is refused")
    func someColumns() {
        let header = CatalogCSVTests.header.replacing("\n", with: ",width\n")
        #expect(throws: CatalogError.missingColumn("height")) { try CatalogCSV.decode(ByteBuffer(string: header)) }
    }

    @Test(
        "a counter beyond the limit counts as zero", arguments: ["4503599627370496", "9007199254740991"])
    func hugeCounter(counter: String) throws {
        let file = try decode("\(Self.start),,,,\(counter)@ffffffff,2024-01-02T03:04:05Z,\(counter)@ffffffff")
        #expect(file.highestCounter == 0)
        var catalog = file.rows
        let (path, md5) = (try #require(LibraryPath("a.jpg")), try #require(ContentDigest(Self.digest)))
        catalog.apply([.restoreFromTrash(path, md5)])
        #expect(catalog.holds(path, md5))
    }

    @Test(
        "at the largest counter a further change does not overflow, and an untrashed photo stays out of the trash")
    func largestCounter() throws {
        let row = "\(Self.start),,,,1@00000000,2024-01-02T03:04:05Z,4503599627370495@ffffffff"
        var catalog = try decode(row).rows
        let (path, md5) = (try #require(LibraryPath("a.jpg")), try #require(ContentDigest(Self.digest)))
        catalog.apply([.restoreFromTrash(path, md5)])
        #expect(catalog.holds(path, md5))
        catalog.apply([.trash(path, md5), .restoreFromTrash(path, md5)])
        #expect(catalog.holds(path, md5))
    }

    @Test("a file of many blocks with rows in any order decodes equally in sequence and in parallel")
    func parallel() async throws {
        let entries = try (0..<20_000).map { try CatalogEntry.photo("\($0 % 97)/IMG \($0).jpg", seed: $0 + 1) }
        var file = CatalogFile()
        file.rows = Catalog(entries)
        file.generation = try .seeded(3)
        let bytes = CatalogCSV.encode(file)
        #expect(CSVBlocks.divide(bytes).count > 2)
        var shuffled = String(buffer: bytes).split(separator: "\n")
        var generator = SeededGenerator(seed: 5)
        shuffled[1...].shuffle(using: &generator)
        let other = ByteBuffer(string: shuffled.joined(separator: "\n"))
        #expect(try CatalogCSV.decode(bytes) == file)
        #expect(try await CatalogCSV.decode(bytes, parallel: 3) == file)
        #expect(try await CatalogCSV.decode(other, parallel: 3).rows == file.rows)
        #expect(try CatalogCSV.decode(other, blockLength: 100).rows == file.rows)
    }

    @Test("a damaged row far into a file is reported by its number in sequence and in parallel")
    func damagedRow() async throws {
        let rows = (0..<40_000).map {
            "\($0).jpg,\(Self.digest),5,2024-01-02T03:04:05Z,,image/jpeg\($0 == 35_000 ? ",x" : "")"
        }
        let bytes = ByteBuffer(string: CatalogCSVTests.header + rows.joined(separator: "\n"))
        #expect(throws: CatalogError.malformedRow(35_002, .fieldCount)) { try CatalogCSV.decode(bytes) }
        await #expect(throws: CatalogError.malformedRow(35_002, .fieldCount)) {
            try await CatalogCSV.decode(bytes, parallel: 2)
        }
    }
}
