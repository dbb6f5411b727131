import NIOCore
import Testing

@testable import PhotoLibrary

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

    @Test("Photos and videos are told by content", arguments: known)
    func told(type: MediaType, bytes: [UInt8], name: String) {
        #expect(MediaSniffer.type(head: ByteBuffer(bytes: bytes), name: name) == type)
    }

    @Test(
        "Other files are not media whatever their name says",
        arguments: [
            [], [0xff], [0xff, 0xd8], Array("hello, world".utf8), Array("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ".utf8),
            ftyp("M4A ", "isommp42"), ftyp("zzzz", "yyyy"), [0, 0, 0, 3] + Array("ftypheic".utf8),
            [0xff, 0xff, 0xff, 0xff] + Array("ftyp".utf8), [0x47], Array("%PDF-1.7".utf8),
        ]
    )
    func other(bytes: [UInt8]) {
        #expect(MediaSniffer.type(head: ByteBuffer(bytes: bytes), name: "photo.jpg") == nil)
    }
}
