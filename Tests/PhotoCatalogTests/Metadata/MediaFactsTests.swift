import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct MediaFactsTests {
    private func taken(_ bytes: [UInt8], _ type: MediaType) -> String? {
        MediaFacts.read(head: ByteBuffer(bytes: bytes), type: type).taken?.description
    }

    @Test("the original date is read with its fraction and offset", arguments: [false, true])
    func original(bigEndian: Bool) {
        let exif = PhotoBytes.exif(
            [(0x9003, "2024:05:01 12:30:45"), (0x9011, "+02:00"), (0x9291, "25")], bigEndian: bigEndian
        )
        #expect(taken(PhotoBytes.jpeg(1, exif: exif), .jpeg) == "2024-05-01T12:30:45.25+02:00")
        #expect(taken(PhotoBytes.png(exif: exif), .png) == "2024-05-01T12:30:45.25+02:00")
        #expect(taken(PhotoBytes.heic(exif: exif), .heic) == "2024-05-01T12:30:45.25+02:00")
        #expect(taken(exif, .nikonNEF) == "2024-05-01T12:30:45.25+02:00")
    }

    @Test("a local time without an offset is recorded unchanged")
    func withoutOffset() {
        let exif = PhotoBytes.exif([(0x9003, "1999:12:31 23:59:59")])
        #expect(taken(PhotoBytes.jpeg(1, exif: exif), .jpeg) == "1999-12-31T23:59:59Z")
    }

    @Test("without the original date the digitized one is used")
    func digitized() {
        let exif = PhotoBytes.exif([(0x9004, "2001:02:03 04:05:06")])
        #expect(taken(PhotoBytes.jpeg(1, exif: exif), .jpeg) == "2001-02-03T04:05:06Z")
    }

    @Test(
        "an invalid date is omitted",
        arguments: [
            "0000:00:00 00:00:00", "0001:01:01 00:00:00", "9999:12:31 23:59:59", "1825:12:31 23:59:59",
            "    :  :     :  :  ", "2024:02:30 00:00:00", "2024:05:01", "2024-05-01 12:30:45",
        ]
    )
    func noDate(text: String) {
        #expect(taken(PhotoBytes.jpeg(1, exif: PhotoBytes.exif([(0x9003, text)])), .jpeg) == nil)
    }

    @Test("a truncated file or one with a changed byte never traps")
    func hostile() {
        let exif = PhotoBytes.exif([(0x9003, "2024:05:01 12:30:45"), (0x9011, "+02:00"), (0x9291, "25")])
        let files: [([UInt8], MediaType)] = [
            (PhotoBytes.jpeg(1, exif: exif, length: 0), .jpeg), (PhotoBytes.png(exif: exif), .png),
            (PhotoBytes.heic(exif: exif), .heic), (exif, .tiff), (exif, .webp), (exif, .fujiRAF),
        ]
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
        #expect(dates > 100, "most turned bytes do not touch the date")
    }
}
