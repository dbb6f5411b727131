import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Secrets
import Testing

@testable import ForeignExports

struct ICloudTableTests {
    private func read(_ text: String) -> ICloudTable { ICloudTable(ByteBuffer(string: text)) }

    private static let header = "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate"

    @Test(
        "dates of exports are read",
        arguments: [
            ("Saturday July 8,2017 5:24 PM GMT", "2017-07-08T17:24:00Z"),
            ("Friday October 06,2023 12:11 PM GMT", "2023-10-06T12:11:00Z"),
            ("Sunday February 9,2025 12:36 AM GMT", "2025-02-09T00:36:00Z"),
            ("Saturday June 18,2022 14:00 PM GMT", "2022-06-18T14:00:00Z"),
            ("Monday January 2, 2023 4:05\u{202f}PM GMT", "2023-01-02T16:05:00Z"),
            ("June 5,2021 2:48:07 PM UTC", "2021-06-05T14:48:07Z"),
            ("Thursday December 31,1899 11:59 PM GMT", "1899-12-31T23:59:00Z"),
        ])
    func dates(_ text: String, _ expected: String) {
        #expect(ICloudDate.moment(text)?.description == expected)
    }

    @Test(
        "other texts are no dates",
        arguments: [
            "", "GMT", "Saturday", "Samstag Juli 8,2017 5:24 PM GMT", "Saturday July 8,2017 5:24 PM CET",
            "Saturday July 32,2017 5:24 PM GMT", "Saturday July 8,17 5:24 PM GMT", "Saturday July 8,2017 25:24 GMT",
            "Saturday July 8,2017 5 PM GMT", "Saturday July 8,2017 5:24 PM PM GMT", "Monday January 1,1601 1:00 AM GMT",
            String(repeating: "July ", count: 1000),
        ])
    func noDates(_ text: String) { #expect(ICloudDate.moment(text) == nil) }

    @Test("a table of photos has names, dates and marks, with any line ends and column order")
    func photos() {
        let row = #"IMG_1.HEIC,AfQj,yes,no,no,"Saturday July 8,2017 5:24 PM GMT",10,"Saturday July 8,2017 5:24 PM GMT""#
        let expected = ICloudTable.Content.photos([
            ICloudTable.Photo(
                name: "IMG_1.HEIC", taken: Timestamp("2017-07-08T17:24:00Z"), isDateUnreadable: false, isFavorite: true,
                isHidden: false, isTrashed: false)
        ])
        for text in ["\(Self.header)\n\(row)", "\u{feff}\(Self.header)\r\n\(row)\r\n", "\(Self.header)\n\n\(row)\n\n"] {
            #expect(read(text).content == expected)
        }
        let moved = "originalCreationDate,favorite,imgName\n\"Saturday July 8,2017 5:24 PM GMT\",YES,IMG_1.HEIC\n"
        #expect(read(moved).content == expected)
    }

    @Test(
        "names with commas and quotes, and rows that are too short, are read; a date in words of another kind is reported"
    )
    func quirks() {
        let text = """
            \(Self.header)
            "a, ""b"".jpg",x,no,yes,yes,,0,
            short.jpg
            ,x,no,no,no,,0,
            c.jpg,x,no,no,no,yesterday,0,
            """
        guard case .photos(let photos) = read(text).content else {
            Issue.record("no photos")
            return
        }
        #expect(photos.map(\.name) == [#"a, "b".jpg"#, "short.jpg", "c.jpg"])
        #expect(photos.map(\.isDateUnreadable) == [false, false, true])
        #expect(photos[0].isHidden && photos[0].isTrashed && !photos[1].isHidden)
    }

    @Test(
        "lists are recognized by their header",
        arguments: [
            ("Images\na.jpg\nb, c.jpg\n", ["a.jpg", "b"], .album), ("imgName\r\na.jpg", ["a.jpg"], .marked),
            ("imageName\n\n", [], .memory),
        ] as [(String, [String], ICloudTable.ListKind)])
    func lists(_ text: String, _ names: [String], _ kind: ICloudTable.ListKind) {
        #expect(read(text).content == .names(names, kind))
    }

    @Test("other files are neither, and a malformed row keeps those before it")
    func others() {
        for text in ["", "\n", "a,b\n1,2\n", "imgName,x\n1,2\n"] { #expect(read(text) == read("")) }
        let damaged = read("Images\na.jpg\n\"b.jpg\nc.jpg\n")
        #expect(damaged.isDamaged && damaged.content == .names(["a.jpg"], .album))
        #expect(read(String(repeating: "x", count: 100_000)).isDamaged)
        #expect(read(String(repeating: ",", count: 1000)).isDamaged)
    }

    @Test("mutated tables never crash")
    func mutated() {
        let valid = Array("\(Self.header)\na.jpg,x,no,yes,yes,\"Saturday July 8,2017 5:24 PM GMT\",0,\n".utf8)
        let (random, known) = (Randomness.seeded(1), Array(",\"\r\n0AM é".utf8))
        var found = 0
        for _ in 0..<5000 {
            var bytes = valid
            for _ in 0..<3 {
                let draw = random.bytes(3).map { Int($0) }
                bytes[draw[0] % bytes.count] = draw[1] % 2 == 0 ? UInt8(draw[2]) : known[draw[2] % known.count]
            }
            if case .photos(let photos) = ICloudTable(ByteBuffer(bytes: bytes)).content { found += photos.count }
        }
        #expect((1..<5000).contains(found))
    }
}
