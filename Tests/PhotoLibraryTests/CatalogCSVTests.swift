import NIOCore
import Testing

@testable import PhotoLibrary

struct CatalogCSVTests {
    static let header = "path,md5,size,modified,taken,type\n"
    static let digest = "d41d8cd98f00b204e9800998ecf8427e"

    private func decode(_ text: String, piece: Int = 7) throws(CatalogError) -> Catalog {
        var decoder = CatalogCSV.Decoder()
        var rest = ByteBuffer(string: text)
        while let part = rest.readSlice(length: min(piece, rest.readableBytes)), part.readableBytes > 0 {
            try decoder.consume(part)
        }
        return try decoder.finish()
    }

    private func row(_ path: String) -> String { "\(path),\(Self.digest),5,2024-01-02T03:04:05.6Z,,image/jpeg\n" }

    @Test("Every legal name comes back byte for byte, in whatever pieces the bytes arrive", arguments: [1, 3, 1000])
    func roundTrip(piece: Int) throws {
        let names = [
            "a.jpg", "with,comma.jpg", "with \"quotes\".jpg", "line\nbreak\r.jpg", "=1+1.jpg", "+a", "-b", "@c", "\td",
            "caf\u{e9}", "cafe\u{301}", " leading", "'quoted'", "dir/=x", "🌅/日本.heic", ".hidden", "\"\"", "\r",
            "\n",
        ]
        var catalog = Catalog()
        for (index, name) in names.enumerated() { catalog.insert(try .photo(name, seed: index)) }
        let bytes = CatalogCSV.encode(catalog)
        #expect(catalog.count == names.count)
        #expect(try decode(String(buffer: bytes), piece: piece) == catalog)
    }

    @Test("A name that a spreadsheet would run is written with ./ before it")
    func formulas() throws {
        var catalog = Catalog()
        catalog.insert(try .photo("=HYPERLINK(\"x\")", seed: 1))
        let text = String(buffer: CatalogCSV.encode(catalog))
        #expect(text.contains("\n\"./=HYPERLINK(\"\"x\"\")\","))
    }

    @Test("The text is the documented one")
    func form() throws {
        var catalog = Catalog()
        catalog.insert(try .photo("b/2.jpg", seed: 2, modified: 7, taken: Timestamp(seconds: 0, nanoseconds: 0)))
        catalog.insert(try .photo("a,1.jpg", seed: 1, modified: 7))
        let (first, second) = (try ContentDigest.seeded(1), try ContentDigest.seeded(2))
        #expect(
            String(buffer: CatalogCSV.encode(catalog)) == """
                path,md5,size,modified,taken,type
                "a,1.jpg",\(first),1001,1970-01-01T00:00:07Z,,image/jpeg
                b/2.jpg,\(second),1002,1970-01-01T00:00:07Z,1970-01-01T00:00:00Z,image/jpeg

                """
        )
    }

    @Test("What a spreadsheet saves is read: CRLF, a byte order mark, other column order, no last line end")
    func spreadsheets() throws {
        let crlf = (Self.header + row("a") + row("\"b,c\"")).replacing("\n", with: "\r\n")
        #expect(try decode("\u{feff}" + crlf).count == 2)
        #expect(try decode(Self.header + row("a").dropLast()).count == 1)
        let moved = "type,taken,modified,size,md5,path\nimage/png,,2024-01-02T03:04:05Z,5,\(Self.digest),x\n"
        let catalog = try decode(moved)
        #expect(catalog.entries.map(\.type) == [.png])
    }

    @Test(
        "A hostile or broken catalog is refused with its reason",
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

    @Test("A path that stands twice is refused, not silently chosen from")
    func repeated() {
        #expect(throws: CatalogError.malformedRow(3, .repeatedPath)) { try decode(Self.header + row("a") + row("a")) }
    }
}
