import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Dates in XMP packets of PNG, WebP and HEIC files, and in the boxes of CR3 files.
@Suite struct EmbeddedDatesTests {
    private static let packet = "<a exif:DateTimeOriginal=\"2026-01-01T08:00:00+09:00\"/>"
    private static let exif = PhotoBytes.exif([(0x9003, "2020:01:01 00:00:00")])

    private func taken(_ bytes: [UInt8], _ type: MediaType) -> String? {
        MediaFacts.read(head: ByteBuffer(bytes: bytes), type: type).taken?.description
    }

    private static let bare: [([UInt8], MediaType)] = [
        (PhotoBytes.png(xmp: packet), .png), (PhotoBytes.webp(xmp: packet), .webp),
        (PhotoBytes.heic(xmp: packet), .heic),
        (PhotoBytes.heic(xmp: packet), .avif),
    ]

    @Test(arguments: bare)
    func `an XMP date is used if EXIF has none`(_ bytes: [UInt8], _ type: MediaType) {
        #expect(taken(bytes, type) == "2026-01-01T08:00:00+09:00")
    }

    @Test(
        arguments: [
            (PhotoBytes.png(exif: exif, xmp: packet), .png), (PhotoBytes.webp(exif: exif, xmp: packet), .webp),
            (PhotoBytes.heic(exif: exif, xmp: packet), .heic),
        ] as [([UInt8], MediaType)])
    func `an EXIF date takes precedence over one in XMP`(_ bytes: [UInt8], _ type: MediaType) {
        #expect(taken(bytes, type) == "2020-01-01T00:00:00Z")
    }

    @Test func `a compressed packet and an item of another media type have no date`() {
        #expect(taken(PhotoBytes.png(xmp: Self.packet, isCompressed: true), .png) == nil)
        #expect(taken(PhotoBytes.heic(xmp: Self.packet, mediaType: "application/rdf+xml2"), .heic) == nil)
        #expect(taken(PhotoBytes.heic(xmp: Self.packet, mediaType: "text/plain"), .heic) == nil)
    }

    @Test func `the camera, dates and offset of a CR3 file are read from its boxes`() {
        let main = PhotoBytes.exif([], first: [(0x010f, "Canon"), (0x0110, "EOS R5"), (0x0132, "2021:01:01 00:00:00")])
        let photo = PhotoBytes.exif([], first: [(0x9003, "2026:01:01 08:00:00"), (0x9291, "25"), (0xa431, "42")])
        let bytes = PhotoBytes.cr3([("CMT1", main), ("CMT2", photo)])
        let reading = MediaReading(head: ByteBuffer(bytes: bytes), type: .canonCR3)
        #expect(reading.clues.camera == "Canon\nEOS R5\n42")
        #expect(reading.clues.dates.count == 2)
        #expect(taken(bytes, .canonCR3) == "2026-01-01T08:00:00.25Z")
        let zoned = PhotoBytes.exif([], first: [(0x9003, "2026:01:01 08:00:00"), (0x9011, "+09:00")])
        #expect(taken(PhotoBytes.cr3([("CMT1", main), ("CMT2", zoned)]), .canonCR3) == "2026-01-01T08:00:00+09:00")
        #expect(MediaSniffer.type(head: ByteBuffer(bytes: bytes), name: "a.cr3") == .canonCR3)
    }

    @Test func `GPS time of a CR3 file gives its offset`() {
        let main = PhotoBytes.exif([], first: [(0x0110, "EOS R5")])
        let photo = PhotoBytes.exif([], first: [(0x9003, "2026:01:01 08:00:30")])
        // The GPS folder of a complete structure, moved to its beginning.
        var place = PhotoBytes.located([], day: "2025:12:31", time: [(23, 1), (0, 1), (30, 1)])
        let pointers = TIFFStructure(ByteWindow(ByteBuffer(bytes: place)))
        guard let start = pointers?.first.number(0x8825) else {
            Issue.record("the structure has a folder with satellite time")
            return
        }
        place.replaceSubrange(4..<8, with: PhotoBytes.big32(start).reversed())
        let bytes = PhotoBytes.cr3([("CMT1", main), ("CMT2", photo), ("CMT4", place)])
        #expect(taken(bytes, .canonCR3) == "2026-01-01T08:00:30+09:00")
    }

    @Test func `a box with another name or without the first folder has no date`() {
        let photo = PhotoBytes.exif([], first: [(0x9003, "2026:01:01 08:00:00")])
        let boxes = [("CMT1", photo), ("CMT2", photo)]
        #expect(taken(PhotoBytes.cr3(boxes, name: [UInt8](repeating: 1, count: 16)), .canonCR3) == nil)
        #expect(taken(PhotoBytes.cr3([("CMT2", photo)]), .canonCR3) == nil)
        #expect(taken(PhotoBytes.cr3(boxes), .canonCR3) != nil)
    }

    @Test func `a truncated file or one with a changed byte never traps`() {
        let photo = PhotoBytes.exif([], first: [(0x9003, "2026:01:01 08:00:00")])
        let files = Self.bare + [(PhotoBytes.cr3([("CMT1", Self.exif), ("CMT2", photo)]), .canonCR3)]
        var dates = 0
        for (bytes, type) in files {
            for index in bytes.indices {
                dates += taken(Array(bytes.prefix(index)), type) == nil ? 0 : 1
                for value: UInt8 in [0x00, 0x7f, 0x80, 0xff] {
                    var turned = bytes
                    turned[index] = value
                    dates += taken(turned, type) == nil ? 0 : 1
                }
            }
        }
        #expect(dates > 0)
    }
}
