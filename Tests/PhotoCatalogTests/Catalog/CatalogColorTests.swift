import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// The column of colors.
struct CatalogColorTests {
    private static let header =
        CatalogCSV.columns + CatalogCSV.optionalColumns + CatalogCSV.locationColumns + CatalogCSV.colorColumns

    private func catalog(_ color: String?, location: String? = nil) throws -> Catalog {
        let plain = try CatalogEntry.photo("a.jpg", seed: 1, modified: 7)
        let media = MediaFacts(
            width: 1_000_000, height: 999_999, location: location.flatMap { GeoLocation($0) },
            color: color.flatMap { PictureColor($0) })
        let entry = CatalogEntry(
            path: plain.path, md5: plain.md5, size: plain.size, modified: plain.modified, type: plain.type, media: media
        )
        return Catalog([.add(entry, replacing: nil)], after: 8, by: DeviceTag(value: 0xa1b2), trashed: 60)
    }

    private func file(_ rows: Catalog) throws -> CatalogFile {
        var file = CatalogFile()
        file.rows = rows
        file.generation = try .seeded(4)
        return file
    }

    @Test("a file with a color has its column and those of locations, in all rows", arguments: [nil, "1 2"])
    func form(location: String?) throws {
        let file = try file(try catalog("ffffff", location: location))
        let lines = String(buffer: CatalogCSV.encode(file)).split(separator: "\n")
        #expect(lines[0] == Self.header.joined(separator: ","))
        #expect(lines[1] == ".photolala.origin,\(try ContentDigest.seeded(4)),,,,,,,,,,,,,")
        #expect(lines[2].hasSuffix(location == nil ? ",9@0000a1b2,,,,,ffffff" : ",9@0000a1b2,,,1,2,ffffff"))
        #expect(try CatalogCSV.decode(CatalogCSV.encode(file)) == file)
    }

    @Test("a file without a color can be read by earlier versions")
    func compatible() throws {
        #expect(!String(buffer: CatalogCSV.encode(try file(try catalog(nil, location: "1 2")))).contains("color"))
    }

    @Test(
        "an invalid color is refused",
        arguments: ["000000", "a1b2c", "a1b2c3d", "A1B2C3", "#a1b2c", "a1b2cg", "+a1b2c", " "])
    func refused(field: String) throws {
        let row = "a.jpg,\(CatalogCSVTests.digest),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,,,,\(field)\n"
        #expect(throws: CatalogError.malformedRow(2, .value(column: "color"))) {
            try CatalogCSV.decode(ByteBuffer(string: Self.header.joined(separator: ",") + "\n" + row))
        }
    }

    @Test("the column of colors requires those of locations")
    func incomplete() {
        let some = CatalogCSV.columns + CatalogCSV.optionalColumns + CatalogCSV.colorColumns
        #expect(throws: CatalogError.missingColumn("latitude")) {
            try CatalogCSV.decode(ByteBuffer(string: some.joined(separator: ",") + "\n"))
        }
    }

    @Test("a known color stays, of two the larger one, and the size in pixels is unaffected")
    func joined() throws {
        let texts: [String?] = [nil, "000001", "7f8081", "ffffff"]
        for one in texts {
            for other in texts {
                var left = try catalog(one)
                left.join(try catalog(other))
                let media = try #require(left.entries.first).media
                #expect(media.color == [one, other].compactMap { $0.flatMap { PictureColor($0) } }.max())
                #expect(media.width == 1_000_000 && media.height == 999_999)
            }
        }
    }

    @Test(
        "a size in pixels out of the range counts as unknown, and leaves the color", arguments: [-1, 1_000_001, .max])
    func outOfRange(side: Int32) {
        var record = CatalogRecord()
        record.media = MediaFacts(width: side, height: side, color: PictureColor("a1b2c3"))
        #expect(record.media == MediaFacts(color: PictureColor("a1b2c3")))
    }

    @Test("a device that finds the color of a known photo adds it")
    func described() throws {
        let (plain, colored) = (try catalog(nil), try catalog("a1b2c3"))
        let entry = try #require(colored.entries.first)
        let change = try #require(plain.change(adding: entry, replacing: nil))
        #expect(change == plain.description(of: 0, media: entry.media))
        #expect(colored.change(adding: try #require(plain.entries.first), replacing: nil) == nil)
    }

    @Test("black is written as the darkest blue, because zero means unknown")
    func black() {
        #expect(PictureColor(red: 0, green: 0, blue: 0).description == "000001")
        let color = PictureColor(red: 161, green: 2, blue: 195)
        #expect(color.description == "a102c3" && PictureColor("a102c3") == color)
        #expect((color.red, color.green, color.blue) == (161, 2, 195))
    }
}
