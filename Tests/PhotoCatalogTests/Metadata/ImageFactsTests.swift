import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct ImageFactsTests {
    private func facts(_ bytes: [UInt8], _ type: MediaType) -> MediaFacts {
        MediaFacts.read(head: ByteBuffer(bytes: bytes), type: type)
    }

    private func little16(_ value: Int) -> [UInt8] { PhotoBytes.big16(value).reversed() }
    private func little32(_ value: Int) -> [UInt8] { PhotoBytes.big32(value).reversed() }

    /// A TIFF folder with numbers; a value above 65,535 is stored as a long.
    private func tiff(_ fields: [(tag: Int, value: Int)]) -> [UInt8] {
        var bytes: [UInt8] = [0x49, 0x49, 0x2a, 0] + little32(8) + little16(fields.count)
        for field in fields {
            let isLong = field.value > 65_535
            bytes += little16(field.tag) + little16(isLong ? 4 : 3) + little32(1)
            bytes += isLong ? little32(field.value) : little16(field.value) + [0, 0]
        }
        return bytes + little32(0)
    }

    @Test("the size of a JPEG is read from its frame and its orientation from EXIF")
    func jpeg() {
        let exif = Array("Exif\0\0".utf8) + tiff([(0x112, 6)])
        let tables: [UInt8] = [0xff, 0xc4] + PhotoBytes.big16(5) + [1, 2, 3]
        let frame: [UInt8] =
            [0xff, 0xff, 0xc2] + PhotoBytes.big16(11) + [8] + PhotoBytes.big16(3024)
            + PhotoBytes.big16(4032) + [1, 1, 1, 1]
        let bytes = [0xff, 0xd8, 0xff, 0xe1] + PhotoBytes.big16(exif.count + 2) + exif + tables + frame + [0xff, 0xda]
        #expect(facts(bytes, .jpeg) == MediaFacts(width: 4032, height: 3024, orientation: 6))
    }

    @Test(
        "the location is read from EXIF, in both byte orders",
        arguments: [
            ("NE", "35.6895 139.6917"), ("SW", "-35.6895 -139.6917"), ("NW", "35.6895 -139.6917"), ("XE", nil),
            ("EN", nil),
        ] as [(String, String?)])
    func located(directions: String, location: String?) {
        for bigEndian in [false, true] {
            let exif = PhotoBytes.positioned(
                north: [(35, 1), (41, 1), (2220, 100)], east: [(139, 1), (415_020, 10_000), (0, 1)], directions,
                bigEndian: bigEndian)
            #expect(facts(PhotoBytes.jpeg(1, exif: exif), .jpeg).location?.text == location)
            #expect(facts(PhotoBytes.png(exif: exif), .png).location?.text == location)
            #expect(facts(PhotoBytes.heic(exif: exif), .heic).location?.text == location)
            #expect(facts(exif, .tiff).location?.text == location)
        }
    }

    @Test(
        "an impossible or missing position is unknown",
        arguments: [
            [(91, 1), (0, 1), (0, 1)], [(1, 1), (0, 0), (0, 1)], [(1, 1), (2, 1)], [(0, 1), (0, 1), (0, 1)],
            [(4_294_967_295, 1), (0, 1), (0, 1)],
        ])
    func nowhere(north: [(Int, Int)]) {
        let exif = PhotoBytes.positioned(north: north, east: [(0, 1), (0, 1), (0, 1)], "NE")
        #expect(facts(PhotoBytes.jpeg(1, exif: exif), .jpeg).location == nil)
    }

    @Test("the sizes of PNG, GIF and the three WebP formats are read from their headers")
    func heads() {
        let png = PhotoBytes.png(exif: tiff([(0x112, 3)]))
        var sized = png
        sized.replaceSubrange(16..<24, with: PhotoBytes.big32(640) + PhotoBytes.big32(480))
        #expect(facts(sized, .png) == MediaFacts(width: 640, height: 480, orientation: 3))
        #expect(facts(png, .png).width == nil, "nothing is 0 wide")
        #expect(
            facts(Array("GIF89a".utf8) + little16(320) + little16(200), .gif) == MediaFacts(width: 320, height: 200))
        let riff = Array("RIFF".utf8) + little32(100) + Array("WEBP".utf8)
        let extended = riff + Array("VP8X".utf8) + little32(10) + [0, 0, 0, 0, 0xff, 0x0f, 0, 0x37, 0x0a, 0]
        #expect(facts(extended, .webp) == MediaFacts(width: 4096, height: 2616))
        let lossless = riff + Array("VP8L".utf8) + little32(9) + [0x2f] + little32(99 | 49 << 14)
        #expect(facts(lossless, .webp) == MediaFacts(width: 100, height: 50))
        let lossy =
            riff + Array("VP8 ".utf8) + little32(20) + [0, 0, 0, 0x9d, 0x01, 0x2a] + little16(640 | 0x4000)
            + little16(480)
        #expect(facts(lossy, .webp) == MediaFacts(width: 640, height: 480))
    }

    @Test("the size of a RAW file is that of its picture and not of a preview")
    func raw() {
        let main = Array(tiff([(0xfe, 0), (0x100, 6000), (0x101, 4000)]).dropFirst(8))
        var bytes = tiff([(0xfe, 1), (0x100, 160), (0x101, 120), (0x112, 8), (0x14a, 70_000)])
        // The sub-folder follows the first one.
        bytes.replaceSubrange(bytes.count - 8..<bytes.count - 4, with: little32(bytes.count))
        #expect(facts(bytes + main, .nikonNEF) == MediaFacts(width: 6000, height: 4000, orientation: 8))
    }

    @Test("cyclic TIFF folders end")
    func loop() {
        var bytes = tiff([(0x100, 10), (0x101, 10)])
        bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: little32(8))
        #expect(facts(bytes, .tiff) == MediaFacts(width: 10, height: 10))
    }

    @Test(
        "the orientation of a HEIC file comes from the properties of its primary item",
        arguments: [
            ([], [], nil), ([1], [], 8), ([2], [], 3), ([3], [], 6), ([], [0], 4), ([], [1], 2), ([1], [0], 5),
            ([1], [1], 7), ([2], [0], 2), ([2], [1], 4), ([3], [0], 7), ([3], [1], 5),
        ] as [([UInt8], [UInt8], UInt8?)]
    )
    func heic(turn: [UInt8], mirror: [UInt8], orientation: UInt8?) {
        let ispe = PhotoBytes.box("ispe", PhotoBytes.big32(0) + PhotoBytes.big32(4032) + PhotoBytes.big32(3024))
        let thumbnail = PhotoBytes.box("ispe", PhotoBytes.big32(0) + PhotoBytes.big32(320) + PhotoBytes.big32(240))
        let irot = turn.isEmpty ? [] : [PhotoBytes.box("irot", turn)]
        let imir = mirror.isEmpty ? [] : [PhotoBytes.box("imir", mirror)]
        let moves = irot + imir
        let ipco = PhotoBytes.box("ipco", thumbnail + ispe + Array(moves.joined()))
        let ofThumbnail = PhotoBytes.big16(8) + [1, 1]
        let places = (0...moves.count).map { UInt8(0x82 + $0) }
        let ofPrimary = PhotoBytes.big16(7) + [UInt8(places.count)] + places
        let ipma = PhotoBytes.box("ipma", PhotoBytes.big32(0) + PhotoBytes.big32(2) + ofThumbnail + ofPrimary)
        let pitm = PhotoBytes.box("pitm", PhotoBytes.big32(0) + PhotoBytes.big16(7))
        let meta = PhotoBytes.box("meta", PhotoBytes.big32(0) + pitm + PhotoBytes.box("iprp", ipco + ipma))
        let bytes = PhotoBytes.box("ftyp", Array("heic".utf8) + PhotoBytes.big32(0) + Array("mif1heic".utf8)) + meta
        #expect(facts(bytes, .heic) == MediaFacts(width: 4032, height: 3024, orientation: orientation))
    }

    @Test("the eight orientations compose as a group")
    func orientations() {
        #expect(Orientation.turnedLeft.then(.turnedLeft).exif == 3)
        #expect(Orientation.turnedLeft.then(.turnedLeft).then(.turnedLeft).exif == 6)
        #expect(Orientation.mirrored.then(.flipped).exif == 3)
        #expect(Orientation.mirrored.then(.turnedLeft).exif == 5)
        #expect(Orientation.turnedLeft.then(.mirrored).exif == 7)
    }
}
