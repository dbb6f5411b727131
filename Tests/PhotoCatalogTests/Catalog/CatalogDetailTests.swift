import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// The columns of durations and cameras.
struct CatalogDetailTests {
    private static let header = CatalogCSV.columns + CatalogCSV.allOptionalColumns.joined()

    private func catalog(_ duration: UInt32?, _ camera: String?, path: String = "a.jpg") throws -> Catalog {
        let plain = try CatalogEntry.photo(path, seed: 1, modified: 7)
        let media = MediaFacts(
            width: 5, duration: duration.flatMap { MediaDuration(milliseconds: $0) },
            camera: camera.flatMap { CameraName($0) })
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

    @Test(
        "a file with a duration or camera has both columns and those before, in all rows",
        arguments: [(.max, nil, "4294967295,"), (nil, "A, \"B\"", #","A, ""B""""#), (1, "'1", "1,'1")]
            as [(UInt32?, String?, String)])
    func form(duration: UInt32?, camera: String?, fields: String) throws {
        let file = try file(try catalog(duration, camera))
        let lines = String(buffer: CatalogCSV.encode(file)).split(separator: "\n")
        #expect(lines[0] == Self.header.joined(separator: ","))
        #expect(lines[1] == ".photolala.origin,\(try ContentDigest.seeded(4)),,,,,,,,,,,,,,,")
        #expect(lines[2].hasSuffix(",9@0000a1b2,,,,,,\(fields)"))
        for length in [1, 1 << 20] {
            #expect(try CatalogCSV.decode(CatalogCSV.encode(file), blockLength: length) == file)
        }
    }

    @Test("a file without either can be read by earlier versions")
    func compatible() throws {
        let text = String(buffer: CatalogCSV.encode(try file(try catalog(nil, nil))))
        #expect(!text.contains("duration") && !text.contains("camera") && !text.contains("color"))
    }

    @Test(
        "an invalid duration or camera is refused",
        arguments: [
            ("0,", "duration"), ("4294967296,", "duration"), ("-1,", "duration"), ("1.5,", "duration"),
            ("+1,", "duration"), (" 1,", "duration"), (",=1", "camera"), (", a", "camera"), (",a  b", "camera"),
            (",\"a\tb\"", "camera"), (",\u{85}", "camera"), (",\(String(repeating: "a", count: 65))", "camera"),
        ])
    func refused(fields: String, column: String) {
        let row = "a.jpg,\(CatalogCSVTests.digest),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,,,,,\(fields)\n"
        #expect(throws: CatalogError.malformedRow(2, .value(column: column))) {
            try CatalogCSV.decode(ByteBuffer(string: Self.header.joined(separator: ",") + "\n" + row))
        }
    }

    @Test("a camera that is not UTF-8 is refused")
    func notText() {
        let row = "a.jpg,\(CatalogCSVTests.digest),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,,,,,,"
        var bytes = ByteBuffer(string: Self.header.joined(separator: ",") + "\n" + row)
        bytes.writeBytes([0x43, 0xe9, 0x0a])
        #expect(throws: CatalogError.malformedRow(2, .value(column: "camera"))) { try CatalogCSV.decode(bytes) }
    }

    @Test("one column requires the other one")
    func incomplete() {
        for column in ["duration", "camera"] {
            let some = Self.header.filter { $0 != column }
            #expect(throws: CatalogError.missingColumn(column)) {
                try CatalogCSV.decode(ByteBuffer(string: some.joined(separator: ",") + "\n"))
            }
        }
    }

    @Test("known facts stay, and of two the larger")
    func joined() throws {
        let facts: [(UInt32?, String?)] = [(nil, nil), (7, "B"), (1000, nil), (nil, "\u{e9}"), (.max, "a")]
        for one in facts {
            for other in facts {
                var left = try catalog(one.0, one.1)
                left.join(try catalog(other.0, other.1))
                let media = try #require(left.entries.first).media
                #expect(media.duration?.milliseconds == [one.0, other.0].compactMap(\.self).max())
                #expect(media.camera == [one.1, other.1].compactMap { $0.flatMap { CameraName($0) } }.max())
                #expect(media.width == 5)
            }
        }
    }

    @Test("cameras have indices of their own in each catalog, and each name is there once")
    func indices() throws {
        var left = try catalog(nil, "B")
        left.join(try catalog(2, "A", path: "b.jpg"))
        var right = try catalog(3, "A", path: "c.jpg")
        right.join(try catalog(nil, nil, path: "d.jpg"))
        let before = left
        left.join(right)
        #expect(left.cameras.map(\.description).sorted() == ["A", "B"])
        let found = left.records.map { $0.camera.map { left.cameras[$0].description } }
        #expect(found == ["B", "A", "A", nil])
        #expect(left.records.map(\.duration?.milliseconds) == [nil, 2, 3, nil])
        let content = try ContentDigest.seeded(1)
        #expect(left.restricted(to: [content]) == left && left.bytesInMemory > before.bytesInMemory)
        let news = left.difference(over: before)
        #expect(news.entries.map(\.media.camera?.description) == ["A", nil])
        let (one, other) = (try catalog(nil, "A"), try catalog(nil, "B"))
        #expect(one != other && one.difference(over: left).isEmpty)
    }

    @Test("a device that finds the duration or the camera of a known photo adds it")
    func described() throws {
        let plain = try catalog(nil, nil)
        for known in [try catalog(5, nil), try catalog(nil, "A")] {
            let entry = try #require(known.entries.first)
            let change = try #require(plain.change(adding: entry, replacing: nil))
            #expect(change == plain.description(of: 0, media: entry.media))
            #expect(known.change(adding: try #require(plain.entries.first), replacing: nil) == nil)
            #expect(known.change(adding: entry, replacing: nil) == nil)
        }
    }

    @Test("more than 65,536 cameras are kept")
    func many() throws {
        var text = Self.header.joined(separator: ",") + "\n"
        let count = 65_540
        for index in 0..<count {
            text += "\(1_000_000 + index).jpg,\(CatalogCSVTests.digest),5,2024-01-02T03:04:05Z,,image/jpeg"
            text += ",,,,,,,,,,,Camera \(index)\n"
        }
        let file = try CatalogCSV.decode(ByteBuffer(string: text))
        #expect(file.rows.cameras.count == count)
        #expect(file.rows.entries[count - 1].media.camera?.description == "Camera \(count - 1)")
        #expect(String(buffer: CatalogCSV.encode(file)) == text)
    }
}
