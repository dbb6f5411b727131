import NIOCore
import PhotoCatalog
import Testing

@testable import VipsThumbnails

/// The replies of a worker, as bytes.
@Suite struct WorkerReplyTests {
    private func decoder(_ bytes: [UInt8]) -> WorkerReplyDecoder {
        var decoder = WorkerReplyDecoder()
        bytes.withUnsafeBytes { decoder.append($0) }
        return decoder
    }

    @Test("replies are assembled from pieces of any size", arguments: [1, 2, 3, 100])
    func pieces(size: Int) throws {
        let bytes: [UInt8] = [
            1, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0xef, 6, 0, 0, 0, 3, 1, 2, 3, 7, 0, 0, 0, 4, 0, 1, 0, 2, 3, 0, 0, 0, 2, 0xab,
            0xcd, 4, 0, 0, 0, 0, 2, 0,
            0, 0, 0,
        ]
        var (decoder, replies) = (decoder([]), [WorkerReply]())
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { decoder.append($0) }
            while let reply = try decoder.next() { replies.append(reply) }
        }
        #expect(
            replies == [
                .ready, .preview(ByteBuffer(bytes: [0xef])), .color(PictureColor(red: 1, green: 2, blue: 3)),
                .duration(try #require(MediaDuration(milliseconds: 65_538))), .made(ByteBuffer(bytes: [0xab, 0xcd])),
                .notMade, .libraryMissing,
            ])
    }

    @Test("an incomplete reply is none")
    func incomplete() throws {
        for bytes: [UInt8] in [
            [], [3], [3, 0, 0, 0], [3, 0, 0, 0, 2], [3, 0, 0, 0, 2, 0xab], [6, 0, 0, 0, 3, 1, 2],
            [7, 0, 0, 0, 4, 0, 0, 1],
        ] {
            var decoder = decoder(bytes)
            #expect(try decoder.next() == nil)
        }
    }

    @Test("an unknown kind, a thumbnail above the limit and content after another kind are invalid at once")
    func invalid() {
        // 0x040001 and 0x400001 are one byte more than the limits.
        let invalid: [[UInt8]] = [
            [0, 0, 0, 0, 0], [8, 0, 0, 0, 0], [7, 0, 0, 0, 0], [7, 0, 0, 0, 5], [7, 0, 0, 0, 4, 0, 0, 0, 0],
            [6, 0, 0, 0, 2], [6, 0, 0, 0, 4], [5, 0, 0x40, 0, 1], [3, 0, 4, 0, 1],
            [3, 0xff, 0xff, 0xff, 0xff],
            [4, 0, 0, 0, 1],
            [1, 0, 0, 0, 1],
        ]
        for bytes in invalid {
            var decoder = decoder(bytes)
            #expect(throws: InvalidWorkerReply.self, "\(bytes)") { try decoder.next() }
        }
        #expect(Thumbnail.sizeLimit == 0x040000)
    }
}
