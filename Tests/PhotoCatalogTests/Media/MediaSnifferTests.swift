import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct MediaSnifferTests {
    static func ftyp(_ major: String, _ compatible: String = "") -> [UInt8] {
        PhotoBytes.box("ftyp", Array((major + "\0\0\0\0" + compatible).utf8))
    }

    static let known: [(MediaType, [UInt8], String)] = [
        (.jpeg, [0xff, 0xd8, 0xff, 0xe1], "noname"), (.gif, Array("GIF89a".utf8), "x.jpg"),
        (.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "x"),
        (.webp, Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ".utf8), "x"), (.heic, ftyp("heic", "mif1heic"), "x.jpg"),
        (.heic, ftyp("mif1", "mif1heic"), "x"), (.heif, ftyp("mif1", "mif1"), "x"), (.avif, ftyp("avif"), "x"),
        (.avif, ftyp("mif1", "avif"), "x"), (.canonCR3, ftyp("crx ", "isom"), "x"), (.quickTime, ftyp("qt  "), "x"),
        (.mp4, ftyp("isom", "iso2avc1"), "x"), (.mp4, ftyp("zzzz", "mp42"), "x"), (.mobile3GPP, ftyp("3gp5"), "x"),
        (.canonCR2, [0x49, 0x49, 0x2a, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], "x"),
        (.nikonNEF, [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8], "A.NEF"),
        (.sonyARW, [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0], "a.arw"),
        (.adobeDNG, [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0], "a.dng"), (.tiff, [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0], "a.jpg"),
        (.olympusORF, Array("IIRO".utf8), "x"), (.panasonicRW2, [0x49, 0x49, 0x55, 0], "x"),
        (.fujiRAF, Array("FUJIFILMCCD-RAW 0201".utf8), "x"),
        (.avi, Array("RIFF\u{1}\u{1}\u{1}\u{1}AVI LIST".utf8), "x"),
        (.matroska, [0x1a, 0x45, 0xdf, 0xa3, 0x01] + Array("matroska".utf8), "x"),
        (.mpegTransport, (0..<4).flatMap { _ in [UInt8(0x47)] + [UInt8](repeating: 0, count: 187) }, "x"),
        (.quickTime, PhotoBytes.box("moov", [0, 0, 0, 0]), "x.mov"),
    ]

    private static let asf: [UInt8] = [
        0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce, 0x6c,
    ]
    private static let asfVideo: [UInt8] = [
        0xc0, 0xef, 0x19, 0xbc, 0x4d, 0x5b, 0xcf, 0x11, 0xa8, 0xfd, 0x00, 0x80, 0x5f, 0x5c, 0x44, 0x2b,
    ]
    private static let tiff: [UInt8] = [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]

    private static func jp2(_ brand: String) -> [UInt8] {
        PhotoBytes.box("jP  ", [0x0d, 0x0a, 0x87, 0x0a])
            + PhotoBytes.box("ftyp", Array("\(brand)\0\0\0\0\(brand)".utf8))
    }

    static let further: [(MediaType, [UInt8], String)] = [
        (.bitmap, Array("BM".utf8) + [0x36, 0x10, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, 40, 0, 0, 0], "x"),
        (.jpeg2000, jp2("jp2 "), "x.jp2"), (.jpeg2000Extended, jp2("jpx "), "x.jpf"),
        (.motionJPEG2000, jp2("mjp2"), "x"), (.jpeg2000Codestream, [0xff, 0x4f, 0xff, 0x51, 0, 0x29], "x.j2k"),
        (.photoshop, Array("8BPS".utf8) + [0, 1], "x"), (.photoshopLarge, Array("8BPS".utf8) + [0, 2], "x"),
        (.openEXR, [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0], "x"), (.radiance, Array("#?RADIANCE\n".utf8), "x"),
        (.jpegXR, [0x49, 0x49, 0xbc, 0x01], "x"), (.gimp, Array("gimp xcf v011".utf8), "x"),
        (.jpegXL, [0xff, 0x0a, 0xfa], "x.jxl"),
        (.canonCRW, Array("II".utf8) + [0x1a, 0, 0, 0] + Array("HEAPCCDR".utf8), "x"),
        (.minoltaMRW, [0, 0x4d, 0x52, 0x4d, 0, 1], "x"),
        (.phaseOneIIQ, tiff + Array("IIII".utf8) + [1] + Array("waR".utf8), "x"),
        (.phaseOneIIQ, Array("MMMM".utf8) + Array("Raw".utf8) + [1], "x"), (.phaseOneIIQ, tiff, "x.IIQ"),
        (.hasselblad3FR, tiff, "x.3fr"), (.epsonERF, tiff, "x.erf"), (.kodakKDC, tiff, "x.kdc"),
        (.kodakDCR, tiff, "x.dcr"), (.mamiyaMEF, tiff, "x.mef"), (.leafMOS, tiff, "x.mos"), (.nikonNEF, tiff, "x.nrw"),
        (.goProGPR, tiff, "x.gpr"), (.heic, ftyp("hevc", "msf1"), "x.heics"), (.heic, ftyp("msf1", "hevc"), "x"),
        (.heif, ftyp("avci"), "x"), (.mp4, ftyp("iso9"), "x"), (.quickTime, ftyp("zzzz", "qt  "), "x"),
        (.windowsMedia, asf + [0, 0] + asfVideo, "x"), (.windowsMedia, asf, "x.WMV"),
        (.flash, Array("FLV".utf8) + [1, 5], "x"),
        (.ogg, Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + [0x80] + Array("theora".utf8), "x"),
        (.digitalVideo, [0x1f, 0x07, 0x00, 0xbf], "x"), (.mpegProgram, [0, 0, 1, 0xb3], "x.mpg"),
        (.materialExchange, [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0d, 0x01, 0x02, 0x01], "x"),
    ]

    @Test("content identifies formats of older cameras, digital backs and editors", arguments: further)
    func toldToo(type: MediaType, bytes: [UInt8], name: String) {
        #expect(MediaSniffer.type(head: ByteBuffer(bytes: bytes), name: name) == type)
    }

    @Test("each type has a unique file extension that selects it")
    func endings() {
        #expect(Set(FileExtensions.usual.map(\.ending)).count == FileExtensions.usual.count)
        #expect(Set(FileExtensions.usual.map(\.type)).count == FileExtensions.usual.count)
        for (type, ending) in FileExtensions.usual {
            #expect(type.fileExtension == ending)
            #expect(MediaKind(ending) == .type(type))
        }
        for (type, _, _) in Self.known + Self.further { #expect(type.fileExtension != "dat", "\(type)") }
    }

    @Test(
        "the file name decides whether a file looks like a photo",
        arguments: [
            ("a.JPG", true), ("a.tga", true), ("a.mov", true), ("._a.jpg", false), ("a.txt", false), ("jpg", false),
        ]
    )
    func named(name: String, isMedia: Bool) { #expect(FileExtensions.isNamedLikeMedia(name) == isMedia) }

    @Test("photos and videos are identified by content", arguments: known)
    func told(type: MediaType, bytes: [UInt8], name: String) {
        #expect(MediaSniffer.type(head: ByteBuffer(bytes: bytes), name: name) == type)
    }

    private static let others: [[UInt8]] = [
        [], [0xff], [0xff, 0xd8], Array("hello, fixture".utf8), Array("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ".utf8),
        ftyp("M4A ", "isommp42"), ftyp("zzzz", "yyyy"), [0, 0, 0, 3] + Array("ftypheic".utf8),
        [0xff, 0xff, 0xff, 0xff] + Array("ftyp".utf8), [0x47], Array("%PDF-1.7".utf8),
    ]
    private static let furtherOthers: [[UInt8]] = [
        Array("BM is no picture at all".utf8), Array("8BPS".utf8) + [0, 3], [0xff, 0x0a, 0xfa], asf,
        Array("FLV".utf8) + [1, 4], Array("OggS".utf8) + [0x01] + Array("vorbis".utf8), jp2("abcd"),
    ]

    @Test("other files are not media regardless of their name", arguments: others + furtherOthers)
    func other(bytes: [UInt8]) {
        #expect(MediaSniffer.type(head: ByteBuffer(bytes: bytes), name: "photo.jpg") == nil)
    }
}
