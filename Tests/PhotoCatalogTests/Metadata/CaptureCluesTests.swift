import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Capture dates in photos and sidecars.
@Suite struct CaptureCluesTests {
    private static let limit = Timestamp(seconds: 1_800_000_000, nanoseconds: 0)

    private func date(_ exif: [UInt8]) -> String? {
        date(MediaReading(head: ByteBuffer(bytes: exif), type: .tiff).clues)
    }

    private func date(_ clues: CaptureClues) -> String? { clues.date(until: Self.limit)?.captureDate?.description }

    private func date(_ clues: [CaptureClues.Clue]) -> String? {
        var all = CaptureClues()
        all.dates = clues
        return date(all)
    }

    @Test("the offset of a date comes from its own field, or from a field with the same local time")
    func offsets() {
        let original = (0x9003, "2026:01:01 08:00:00")
        #expect(date(PhotoBytes.exif([original, (0x9011, "+09:00")])) == "2026-01-01T08:00:00+09:00")
        let digitized = [original, (0x9004, "2026:01:01 08:00:00"), (0x9012, "-03:30")]
        #expect(date(PhotoBytes.exif(digitized)) == "2026-01-01T08:00:00-03:30")
        // The file was edited later, in another time zone.
        let edited = PhotoBytes.exif(
            [original, (0x9010, "+02:00")], first: [(0x0132, "2026:01:05 10:00:00")])
        #expect(date(edited) == "2026-01-01T08:00:00Z")
        let same = PhotoBytes.exif([original, (0x9010, "+02:00")], first: [(0x0132, "2026:01:01 08:00:00")])
        #expect(date(same) == "2026-01-01T08:00:00+02:00")
    }

    @Test("an impossible offset is ignored", arguments: ["+14:15", "-12:15", "+23:59", "   :  ", "+9:00", ""])
    func impossibleOffset(text: String) {
        #expect(date(PhotoBytes.exif([(0x9003, "2026:01:01 08:00:00"), (0x9011, text)])) == "2026-01-01T08:00:00Z")
    }

    @Test("an impossible date is skipped in favor of the next one")
    func fallback() {
        for text in ["0001:01:01 00:00:00", "9999:12:31 23:59:59", "2200:01:01 00:00:00", "2028:01:01 00:00:00"] {
            let exif = PhotoBytes.exif([(0x9003, text), (0x9011, "+09:00"), (0x9004, "2020:02:03 04:05:06")])
            #expect(date(exif) == "2020-02-03T04:05:06Z", "\(text)")
            #expect(date(PhotoBytes.exif([(0x9003, text)])) == nil, "\(text)")
        }
    }

    @Test("a date up to a day ahead of the clock is accepted in any zone")
    func ahead() throws {
        let now = try #require(Timestamp("2026-01-01T00:00:00Z"))
        let limit = Timestamp.latestCapture(at: now)
        func clues(_ text: String, _ offset: String) -> CaptureClues {
            let exif = PhotoBytes.exif([(0x9003, text), (0x9011, offset)])
            return MediaReading(head: ByteBuffer(bytes: exif), type: .tiff).clues
        }
        #expect(clues("2026:01:02 14:00:00", "+14:00").date(until: limit) != nil)
        #expect(clues("2026:01:02 14:00:01", "+14:00").date(until: limit) == nil)
        #expect(clues("2026:01:02 00:00:01", "+00:00").date(until: limit) == nil)
        // Without an offset the date may be in the zone that is furthest ahead.
        #expect(clues("2026:01:02 14:00:00", "").date(until: limit) != nil)
        #expect(clues("2026:01:02 14:00:01", "").date(until: limit) == nil)
    }

    @Test(
        "GPS time gives the offset to the nearest quarter of an hour",
        arguments: [
            ("2026:01:01 08:00:00", "2025:12:31", [23, 0, 3], "+09:00"),
            ("2026:01:01 08:06:00", "2025:12:31", [23, 0, 3], "+09:00"),
            ("2026:01:01 08:00:00", "2026:01:01", [2, 15, 0], "+05:45"),
            ("2025:12:31 20:30:00", "2026:01:01", [0, 0, 0], "-03:30"),
            ("2026:01:01 14:00:00", "2026:01:01", [0, 0, 0], "+14:00"),
            ("2025:12:31 12:00:00", "2026:01:01", [0, 0, 0], "-12:00"),
            ("2026:01:01 14:30:00", "2026:01:01", [0, 0, 0], "Z"),
            ("2026:01:03 08:00:00", "2025:12:31", [23, 0, 3], "Z"),
            ("2026:01:01 08:00:00", "2025:13:31", [23, 0, 3], "Z"),
            ("2026:01:01 08:00:00", "2025:12:31", [24, 0, 0], "Z"),
        ])
    func satellites(clock: String, day: String, time: [Int], offset: String) {
        let exif = PhotoBytes.located([(0x9003, clock)], day: day, time: time.map { ($0, 1) })
        let day = clock.prefix(10).replacing(":", with: "-")
        let expected = "\(day)T\(clock.suffix(8))"
        #expect(date(exif) == "\(expected)\(offset)")
    }

    @Test("GPS time with a zero denominator is ignored, and an EXIF offset takes precedence over GPS time")
    func satelliteTrouble() {
        let zero = PhotoBytes.located(
            [(0x9003, "2026:01:01 08:00:00")], day: "2025:12:31", time: [(23, 1), (0, 0), (3, 1)])
        #expect(date(zero) == "2026-01-01T08:00:00Z")
        let both = PhotoBytes.located(
            [(0x9003, "2026:01:01 08:00:00"), (0x9011, "+08:00")], day: "2025:12:31", time: [(23, 1), (0, 1), (3, 1)])
        #expect(date(both) == "2026-01-01T08:00:00+08:00")
    }

    @Test(
        "XMP dates are read from attributes and elements in every accepted format",
        arguments: [
            ("<a exif:DateTimeOriginal=\"2026-01-01T08:00:00+09:00\"/>", "2026-01-01T08:00:00+09:00"),
            ("<a\n exif:DateTimeOriginal = '2026-01-01T08:00:00.25-03:30'>", "2026-01-01T08:00:00.25-03:30"),
            ("<xmp:CreateDate>2026-01-01T08:00</xmp:CreateDate>", "2026-01-01T08:00:00Z"),
            ("<photoshop:DateCreated> 2026-01-01 </photoshop:DateCreated>", "2026-01-01T00:00:00Z"),
            (
                "<a xmp:CreateDate=\"2020-01-01T00:00:00Z\" exif:DateTimeOriginal=\"2026-01-01T08:00:00+09:00\"/>",
                "2026-01-01T08:00:00+09:00"
            ),
            (
                "<a exif:DateTimeOriginal=\"0001-01-01T00:00:00\" xmp:CreateDate=\"2020-01-01T00:00:00+01:00\"/>",
                "2020-01-01T00:00:00+01:00"
            ),
            ("<a exif:DateTimeOriginal=\"2026:01:01 08:00:00.123\"/>", "2026-01-01T08:00:00Z"),
            ("<a xmp:CreateDate=\"2026-01\"/>", nil), ("<a notxmp:CreateDate=\"2026-01-01\"/>", nil),
            ("<a xmp:CreateDate=2026-01-01>", nil), ("<a xmp:CreateDate=\"2026-01-01T25:00:00\"/>", nil),
            ("<a xmp:CreateDate=\"2026-01-01T08:00:00", nil), ("", nil),
        ] as [(String, String?)])
    func xmp(packet: String, expected: String?) {
        #expect(date(XMPDates.clues(in: Array(packet.utf8))) == expected)
    }

    @Test("XMP in a JPEG file is used if EXIF has no date")
    func embedded() {
        let packet = "<a exif:DateTimeOriginal=\"2026-01-01T08:00:00+09:00\"/>"
        let bare = PhotoBytes.jpeg(1, xmp: packet)
        #expect(date(MediaReading(head: ByteBuffer(bytes: bare), type: .jpeg).clues) == "2026-01-01T08:00:00+09:00")
        let both = PhotoBytes.jpeg(1, exif: PhotoBytes.exif([(0x9003, "2020:01:01 00:00:00")]), xmp: packet)
        #expect(date(MediaReading(head: ByteBuffer(bytes: both), type: .jpeg).clues) == "2020-01-01T00:00:00Z")
    }

    @Test("Takeout's timestamp is in UTC, and other JSON files have no date")
    func takeout() {
        func clue(_ text: String) -> CaptureClues.Clue? { TakeoutDates.clue(in: ByteBuffer(string: text)) }
        let moment = Timestamp(seconds: 1_767_222_000, nanoseconds: 0)
        #expect(
            clue(#"{"title":"a","photoTakenTime":{"timestamp":"1767222000","formatted":"x"}}"#) == .moment(moment))
        let others = [
            #"{"photoTakenTime":{"timestamp":"soon"}}"#, #"{"photoTakenTime":{"timestamp":"0"}}"#,
            #"{"creationTime":{"timestamp":"5"}}"#, "{", "[]",
        ]
        for text in others {
            #expect(clue(text) == nil, "\(text)")
        }
        #expect(date([.moment(Timestamp(seconds: 9_000_000_000, nanoseconds: 0))]) == nil)
    }

    @Test("a movie's creation date keeps its offset, and the date of the header is in UTC")
    func film() {
        func clues(_ moov: [UInt8]) -> CaptureClues {
            MediaReading(head: ByteBuffer(bytes: MovieBytes.movie(moov)), type: .quickTime).clues
        }
        let header = MovieBytes.mvhd(3_797_411_445)
        let moment = CaptureClues.Clue.moment(Timestamp(seconds: 1_714_566_645, nanoseconds: 0))
        #expect(clues(header).dates == [moment])
        let own = clues(header + MovieBytes.creationDate("2024-05-01T21:30:45+0900"))
        #expect(own.dates.count == 2 && date(own) == "2024-05-01T21:30:45+09:00")
        #expect(date(clues(header + MovieBytes.creationDate("0001-01-01T00:00:00Z"))) == "2024-05-01T12:30:45Z")
    }
}
