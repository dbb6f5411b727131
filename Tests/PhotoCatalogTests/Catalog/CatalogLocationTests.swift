import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// The columns of locations.
struct CatalogLocationTests {
    private static let header =
        (CatalogCSV.columns + CatalogCSV.optionalColumns + CatalogCSV.locationColumns).joined(separator: ",") + "\n"

    private func catalog(_ location: String?) throws -> Catalog {
        let plain = try CatalogEntry.photo("a.jpg", seed: 1, modified: 7)
        let entry = CatalogEntry(
            path: plain.path, md5: plain.md5, size: plain.size, modified: plain.modified, type: plain.type,
            media: MediaFacts(location: location.flatMap { GeoLocation($0) }))
        return Catalog([.add(entry, replacing: nil)], after: 8, by: DeviceTag(value: 0xa1b2), trashed: 60)
    }

    private func file(_ rows: Catalog) throws -> CatalogFile {
        var file = CatalogFile()
        file.rows = rows
        file.generation = try .seeded(4)
        return file
    }

    @Test("a file with a location has its columns, in all rows")
    func form() throws {
        let file = try file(try catalog("-33.8567844 151.25"))
        let (md5, origin) = (try ContentDigest.seeded(1), try ContentDigest.seeded(4))
        let text = """
            path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude
            .photolala.origin,\(origin),,,,,,,,,,,,
            a.jpg,\(md5),1001,1970-01-01T00:00:07Z,,image/jpeg,,,,9@0000a1b2,,,-33.8567844,151.25

            """
        #expect(String(buffer: CatalogCSV.encode(file)) == text)
        #expect(try CatalogCSV.decode(CatalogCSV.encode(file)) == file)
        #expect(try CatalogCSV.hasTimestamps(CatalogCSV.encode(file)))
    }

    @Test("a file without a location can be read by earlier versions")
    func compatible() throws {
        let text = String(buffer: CatalogCSV.encode(try file(try catalog(nil))))
        #expect(!text.contains("latitude") && text.hasSuffix("9@0000a1b2,,\n"))
    }

    @Test(
        "an invalid or incomplete location is refused",
        arguments: ["91,1", "1,181", "1,", ",1", "x,1", "1,1e2", "0,0", "1.12345678,1"])
    func refused(fields: String) throws {
        let row = "a.jpg,\(CatalogCSVTests.digest),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,,\(fields)\n"
        #expect(throws: CatalogError.malformedRow(2, .value(column: "latitude"))) {
            try CatalogCSV.decode(ByteBuffer(string: Self.header + row))
        }
    }

    @Test("the columns of locations require all others")
    func incomplete() {
        let some = CatalogCSV.columns + CatalogCSV.locationColumns
        #expect(throws: CatalogError.missingColumn("width")) {
            try CatalogCSV.decode(ByteBuffer(string: some.joined(separator: ",") + "\n"))
        }
        let half = CatalogCSV.columns + CatalogCSV.optionalColumns + ["latitude"]
        #expect(throws: CatalogError.missingColumn("longitude")) {
            try CatalogCSV.decode(ByteBuffer(string: half.joined(separator: ",") + "\n"))
        }
    }

    @Test("a known location stays, and of two the larger one")
    func joined() throws {
        let texts: [String?] = [nil, "1 2", "1 3", "-5 170"]
        for one in texts {
            for other in texts {
                var left = try catalog(one)
                left.join(try catalog(other))
                let larger = [one, other].compactMap { $0.flatMap { GeoLocation($0) } }.max()
                #expect(left.entries.map(\.media.location) == [larger])
            }
        }
    }

    @Test("a device that finds the location of a known photo adds it")
    func described() throws {
        let (plain, located) = (try catalog(nil), try catalog("1 2"))
        let entry = try #require(located.entries.first)
        let change = try #require(plain.change(adding: entry, replacing: nil))
        #expect(change == plain.description(of: 0, media: entry.media))
        #expect(located.change(adding: try #require(plain.entries.first), replacing: nil) == nil)
    }
}
