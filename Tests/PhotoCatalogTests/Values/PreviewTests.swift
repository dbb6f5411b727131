import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Which photos have a preview.
@Suite struct PreviewTests {
    @Test(
        "a preview is useful of what browsers do not show, and of what is large",
        arguments: [
            (MediaType.jpeg, 5_000_000, 4000, true), (.jpeg, 900_000, 2048, false), (.jpeg, 900_000, 2049, true),
            (.jpeg, 1_048_577, 2048, true), (.jpeg, 262_144, 4000, false), (.jpeg, 262_145, nil, true),
            (.webp, 900_000, 1000, false), (.png, 900_000, 1000, false), (.heic, 1000, 10, true),
            (.tiff, 1000, 10, true), (.adobeDNG, 1000, nil, true), (.mp4, 1000, nil, true),
            (.gif, 5_000_000, 4000, false),
            (.xmp, 5_000_000, nil, false),
        ] as [(MediaType, Int64, Int32?, Bool)])
    func isUseful(type: MediaType, size: Int64, side: Int32?, expected: Bool) {
        for facts in [
            MediaFacts(width: side, height: side.map { _ in 1 }), MediaFacts(width: side.map { _ in 1 }, height: side),
        ] {
            #expect(Preview.isUseful(for: type, size: size, facts) == expected)
        }
    }

    private func picture(_ bytes: [UInt8]) -> ByteBuffer { ByteBuffer(bytes: bytes) }

    @Test("a preview is a complete JPEG of at most 4 MiB and 2,048 pixels, a thumbnail of 256 KiB and 1,024 pixels")
    func format() {
        func jpeg(_ length: Int, _ width: Int = 1, _ height: Int = 1) -> ByteBuffer {
            picture(PhotoBytes.picture(1, width: width, height: height, length: length))
        }
        #expect(jpeg(4 << 20).readableBytes == 4 << 20)
        #expect(Preview(jpeg: jpeg(4 << 20)) != nil && Preview(jpeg: jpeg(4 << 20 + 1)) == nil)
        #expect(Preview(jpeg: jpeg(300 << 10)) != nil && Thumbnail(jpeg: jpeg(300 << 10)) == nil)
        for (width, height) in [(2048, 1), (1, 2048)] {
            #expect(Preview(jpeg: jpeg(0, width, height)) != nil && Thumbnail(jpeg: jpeg(0, width, height)) == nil)
            #expect(PictureKind.thumbnail.accepts(jpeg(0, width, height)))
            #expect(Preview(jpeg: jpeg(0, width + height, height)) == nil)
        }
        for (width, height) in [(256, 256), (512, 512), (1024, 43), (43, 1024)] {
            #expect(Thumbnail(jpeg: jpeg(0, width, height)) != nil)
        }
        #expect(Thumbnail(jpeg: jpeg(0, 1025, 1)) == nil && Thumbnail(jpeg: jpeg(0, 1, 1025)) == nil)
        #expect(Preview(jpeg: jpeg(0, 1, 0)) == nil && Preview(jpeg: jpeg(0, 0, 1)) == nil)
        #expect(Preview(jpeg: ByteBuffer(string: "no picture")) == nil)
    }

    @Test("a picture has one frame that precedes its scans, and ends with them")
    func markers() throws {
        let (start, end): ([UInt8], [UInt8]) = ([0xff, 0xd8], [0xff, 0xd9])
        let frame: [UInt8] = [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xff, 0, 0xff, 0xd7, 3]
        let comment: [UInt8] = [0xff, 0xff, 0xfe, 0, 4, 0xff, 0xd9]
        func isPicture(_ parts: [UInt8]...) -> Bool { Preview(jpeg: picture(Array(parts.joined()))) != nil }
        #expect(isPicture(start, frame, scan, end) && isPicture(start, comment, frame, scan, comment, scan, end))
        #expect(!isPicture(start, frame, end) && !isPicture(start, scan, end) && !isPicture(start, scan, frame, end))
        #expect(!isPicture(start, frame, frame, scan, end) && !isPicture(start, frame, scan, frame, end))
        #expect(!isPicture(start, frame, scan) && !isPicture(start, frame, scan, end, end))
        #expect(!isPicture(start, frame, scan, end, [0]) && !isPicture(start, start, frame, scan, end))
        for (index, value) in [(1, UInt8(0xc3)), (1, 0xc9), (1, 0xdc), (3, 12), (4, 12), (9, 2), (9, 0)] {
            var other = frame
            other[index] = value
            #expect(!isPicture(start, other, scan, end), "\(index) \(value)")
        }
        for (index, value) in [(3, UInt8(9)), (4, 0), (4, 2)] {
            var other = scan
            other[index] = value
            #expect(!isPicture(start, frame, other, end), "\(index) \(value)")
        }
        let whole = PhotoBytes.picture(3, scans: 3)
        #expect(isPicture(whole))
        for length in 0..<whole.count { #expect(!isPicture(Array(whole.prefix(length)))) }
    }
}
