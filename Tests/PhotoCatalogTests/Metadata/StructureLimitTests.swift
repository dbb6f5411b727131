import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// How many parts of a file are read, so that a file of very small parts takes little time.
@Suite struct StructureLimitTests {
    private func window(_ bytes: [UInt8]) -> ByteWindow { ByteWindow(ByteBuffer(bytes: bytes)) }

    private func repeated(_ part: [UInt8], _ count: Int) -> [UInt8] {
        Array(repeatElement(part, count: count).joined())
    }

    @Test func `boxes are read with their types, and the last one may be truncated`() {
        let bytes =
            PhotoBytes.box("ftyp", [1, 2]) + PhotoBytes.box("meta", [3]) + PhotoBytes.box("meta", [4, 5]).dropLast()
        let boxes = Array(ISOBoxes(window(bytes)))
        #expect(boxes.map(\.kind) == ["ftyp", "meta", "meta"] && BoxKind("ftyp").number == 0x6674_7970)
        #expect(boxes.map(\.payload.array) == [[1, 2], [3], [4]])
        #expect(ISOBoxes(window(bytes)).first("meta")?.array == [3])
        #expect(ISOBoxes(window(bytes)).first("moov") == nil && Array(ISOBoxes(window([0, 0, 0, 7]))).isEmpty)
    }

    @Test func `at most 4,096 boxes of a level are read`() {
        let bytes = repeated(PhotoBytes.box("free", []), 4095)
        let last = PhotoBytes.box("meta", [1])
        #expect(ISOBoxes(window(bytes + last)).first("meta")?.array == [1])
        #expect(ISOBoxes(window(bytes + PhotoBytes.box("free", []) + last)).first("meta") == nil)
        #expect(Array(ISOBoxes(window(bytes + bytes))).count == 4096)
    }

    @Test func `at most 4,096 segments or chunks of a picture are read`() {
        let segment: [UInt8] = [0xff, 0xe0, 0, 2]
        let frame =
            [0xff, 0xc0] + PhotoBytes.big16(11) + [8] + PhotoBytes.big16(30) + PhotoBytes.big16(40) + [1, 1, 1, 1]
        let exif = [0xff, 0xe1] + PhotoBytes.big16(9) + Array("Exif\0\0".utf8) + [9]
        let chunk = PhotoBytes.big32(0) + Array("IDAT".utf8) + PhotoBytes.big32(0)
        let pngExif = PhotoBytes.big32(1) + Array("eXIf".utf8) + [9] + PhotoBytes.big32(0)
        let riffChunk = Array("ALPH".utf8) + [0, 0, 0, 0]
        let riffExif = Array("EXIF".utf8) + [1, 0, 0, 0, 9, 0]
        for (count, isRead) in [(4095, true), (4096, false)] {
            let jpeg = [0xff, 0xd8] + repeated(segment, count)
            #expect((JPEGStructure.dimensions(in: window(jpeg + frame)) != nil) == isRead)
            #expect((JPEGStructure.exif(in: window(jpeg + exif)) != nil) == isRead)
            let png = [UInt8](repeating: 0, count: 8) + repeated(chunk, count) + pngExif
            #expect((PNGStructure.exif(in: window(png)) != nil) == isRead)
            let webp = [UInt8](repeating: 0, count: 12) + repeated(riffChunk, count) + riffExif
            #expect((WebPStructure.exif(in: window(webp)) != nil) == isRead)
        }
    }
}
