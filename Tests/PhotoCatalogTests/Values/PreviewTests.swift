import NIOCore
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

    @Test("a preview is a complete JPEG of at most 4 MiB")
    func format() {
        func jpeg(_ length: Int) -> ByteBuffer {
            ByteBuffer(bytes: [0xff, 0xd8, 0xff] + [UInt8](repeating: 0, count: length - 5) + [0xff, 0xd9])
        }
        #expect(Preview(jpeg: jpeg(4 << 20)) != nil && Preview(jpeg: jpeg(4 << 20 + 1)) == nil)
        #expect(Preview(jpeg: jpeg(300 << 10)) != nil && Thumbnail(jpeg: jpeg(300 << 10)) == nil)
        #expect(Preview(jpeg: ByteBuffer(bytes: [0xff, 0xd8, 0xff, 0, 0, 0])) == nil)
        #expect(Preview(jpeg: ByteBuffer(string: "no picture")) == nil)
    }
}
