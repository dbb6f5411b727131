import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct LocationRemovalTests {
    static let samples: [(type: MediaType, bytes: [UInt8])] = [
        (.jpeg, JPEGRemovalTests.file(JPEGRemovalTests.exif, behind: Array(secret.utf8))),
        (.png, PNGRemovalTests.file(PNGRemovalTests.chunk("eXIf", ExifSample.phone()))),
        (
            .webp,
            WebPRemovalTests.file(
                WebPRemovalTests.features(0x08) + WebPRemovalTests.image
                    + WebPRemovalTests.chunk("EXIF", ExifSample.phone()))
        ),
        (.gif, GIFRemovalTests.file(GIFRemovalTests.comment(Array(secret.utf8)))),
        (
            .heic,
            HEIFSample(items: [
                HEIFSample.image, .init(id: 2, type: "Exif", data: big32(0) + ExifSample.phone()),
            ]).bytes
        ),
        (.mp4, MovieSample(tracks: [.init(), .secret()], extra: box("udta", Array(secret.utf8))).bytes),
    ]

    @Test(arguments: samples)
    func `parts of a copy are the same as the whole, in any chunks`(type: MediaType, bytes: [UInt8]) async throws {
        let whole = try await checked(bytes, type)
        let removal = try #require(try await removal(of: bytes, type))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let start = Int.random(in: 0...bytes.count, using: &generator)
            let end = Int.random(in: start...bytes.count, using: &generator)
            var offset = start
            var part: [UInt8] = []
            while offset < end {
                let count = Int.random(in: 1...min(40, end - offset), using: &generator)
                // Bytes before the reader's index remain.
                var chunk = ByteBuffer(bytes: [1, 2, 3] + bytes[offset..<offset + count])
                chunk.moveReaderIndex(forwardBy: 3)
                removal.apply(to: &chunk, at: Int64(offset))
                #expect(chunk.readableBytes == count)
                part += chunk.readableBytesView
                chunk.moveReaderIndex(to: 0)
                #expect(chunk.readableBytesView.prefix(3) == [1, 2, 3])
                offset += count
            }
            #expect(part == Array(whole[start..<end]))
        }
    }

    @Test(arguments: samples)
    func `no change of bytes lets a secret through`(type: MediaType, bytes: [UInt8]) async throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                changed.removeLast(Int.random(in: 0..<changed.count, using: &generator))
            }
            #expect(try await cleaned(changed, type)?.contains(secret) != true)
        }
    }

    @Test(
        arguments: [
            .tiff, .canonCR2, .canonCR3, .adobeDNG, .avi, .webm, .matroska, .jpegXL, .bitmap, .photoshop, .unread, .xmp,
        ] as [MediaType])
    func `other types have no copy, and are not read`(type: MediaType) async throws {
        let removal = try await LocationRemoval.plan(of: type, size: 100) { _ in
            Issue.record("must not be read")
            return ByteBuffer()
        }
        #expect(removal == nil)
    }

    @Test(arguments: samples)
    func `a file of another type has no copy`(type: MediaType, bytes: [UInt8]) async throws {
        for other in Self.samples where other.type != type && (other.type, type) != (.mp4, .heic) {
            try await expectRefused(bytes, other.type)
        }
        try await expectRefused([], type)
    }

    @Test func `bytes outside of the file are not changed`() async throws {
        let removal = try #require(try await removal(of: Self.samples[0].bytes, .jpeg))
        for offset in [Int64.min, -1, Int64(Self.samples[0].bytes.count), .max] {
            var bytes = ByteBuffer(bytes: [1, 2, 3])
            removal.apply(to: &bytes, at: offset)
            #expect(bytes == ByteBuffer(bytes: [1, 2, 3]))
        }
        var empty = ByteBuffer()
        removal.apply(to: &empty, at: 0)
        #expect(empty.readableBytes == 0)
    }
}
