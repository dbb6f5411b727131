import NIOCore
import Testing

@testable import PhotoCatalog

/// Limits of time and memory, with files that are not in memory.
struct RemovalLimitTests {
    private struct ReadFailure: Error {}

    /// Plans for a file that begins with some bytes, followed by one byte repeated.
    private func removal(
        _ type: MediaType, size: Int64, _ head: [UInt8], then byte: UInt8 = 0
    ) async throws -> LocationRemoval? {
        var (reads, total) = (0, 0)
        let limit = 1 << 18
        let removal = try await LocationRemoval.plan(of: type, size: size, readLimit: limit) { range in
            reads += 1
            total += range.count
            #expect(range.lowerBound >= 0 && range.upperBound <= size && range.count <= 1 << 20)
            let start = Int(min(range.lowerBound, Int64(head.count)))
            let known = head[start..<Int(min(range.upperBound, Int64(head.count)))]
            var bytes = ByteBuffer(bytes: known)
            bytes.writeRepeatingByte(byte, count: range.count - known.count)
            return bytes
        }
        #expect(reads <= 4096 && total <= limit)
        return removal
    }

    @Test(arguments: [0, 0xff, 0x0b] as [UInt8])
    func `a JPEG larger than the limit has no copy`(byte: UInt8) async throws {
        let head = [0xff, 0xd8] + JPEGRemovalTests.frame
        #expect(try await removal(.jpeg, size: 1 << 40, head, then: byte) == nil)
        #expect(try await removal(.jpeg, size: 1 << 40, head + JPEGRemovalTests.scan, then: byte) == nil)
    }

    @Test func `endless chunks of other formats have no copy`() async throws {
        let png = PNGRemovalTests.file([]).dropLast(12)
        #expect(try await removal(.png, size: 1 << 40, Array(png) + big32(1 << 30) + Array("IDAT".utf8)) == nil)
        #expect(try await removal(.png, size: 1 << 40, Array(png) + big32(1 << 30) + Array("tEXt".utf8)) == nil)
        let gif = GIFRemovalTests.file([]).dropLast()
        #expect(
            try await removal(
                .gif, size: 1 << 40, gif + GIFRemovalTests.application("ICCRGBG1012", []).dropLast(), then: 1) == nil)
        #expect(
            try await removal(
                .webp, size: 1 << 40, Array("RIFF".utf8) + [255, 255, 255, 255] + Array("WEBP".utf8), then: 32) == nil)
    }

    @Test func `a long movie needs few reads, and a long description has no copy`() async throws {
        // Free space of one terabyte behind the movie.
        let movie = MovieSample(behind: big32(1) + Array("free".utf8) + big32(256) + big32(16)).bytes
        #expect(try await removal(.mp4, size: Int64(movie.count) + 1 << 40, movie) != nil)
        let long = box("ftyp", zeros(8)) + big32(17 << 20) + Array("moov".utf8)
        #expect(try await removal(.mp4, size: 1 << 30, long) == nil)
        let items = HEIFSample().bytes.prefix(20) + big32(9 << 20) + Array("meta".utf8)
        #expect(try await removal(.heic, size: 1 << 30, Array(items)) == nil)
    }

    @Test func `the limit of bytes is the documented one`() { #expect(RemovalReader.readLimit == 64 << 20) }

    @Test func `endless boxes have no copy`() async throws {
        let free = box("free", [])
        #expect(try await cleaned(MovieSample(behind: (0..<1100).flatMap { _ in free }).bytes, .mp4) == nil)
        #expect(try await cleaned(MovieSample(extra: (0..<17_000).flatMap { _ in free }).bytes, .mp4) == nil)
        let media = (0..<40).flatMap { _ in box("mdat", []) }
        #expect(try await cleaned(MovieSample(behind: media).bytes, .mp4) == nil)
    }

    @Test func `of many EXIF items only the first is read, and the others become zeros`() async throws {
        let items = (0..<4200).map { HEIFSample.Item(id: $0 + 10, type: "Exif", data: [0, 0, 0, 0] + secret.utf8) }
        let file = HEIFSample(items: [HEIFSample.image] + items).bytes
        #expect(try #require(try await cleaned(file, .heic)).contains(secret) == false)
    }

    @Test func `an error of a read is thrown, and a read of another length has no copy`() async throws {
        let file = JPEGRemovalTests.file([])
        for type in [MediaType.jpeg, .png, .webp, .gif, .heic, .mp4] {
            await #expect(throws: ReadFailure.self) {
                _ = try await LocationRemoval.plan(of: type, size: 100) { _ in throw ReadFailure() }
            }
            let removal = try await LocationRemoval.plan(of: type, size: 100) { _ in ByteBuffer(bytes: [0xff, 0xd8]) }
            #expect(removal == nil)
            let longer = try await LocationRemoval.plan(of: .jpeg, size: Int64(file.count)) { range in
                ByteBuffer(bytes: file[Int(range.lowerBound)..<Int(range.upperBound)] + [0])
            }
            #expect(longer == nil)
            #expect(try await LocationRemoval.plan(of: type, size: -1) { _ in ByteBuffer() } == nil)
        }
    }

    @Test func `memory grows with the changes`() async throws {
        let few = try #require(try await removal(of: MovieSample().bytes))
        let many = try #require(try await removal(of: MovieSample(gap: [1]).bytes))
        #expect(few.bytesInMemory < many.bytesInMemory)
        #expect((1..<1000).contains(many.bytesInMemory))
    }

    private func removal(of bytes: [UInt8]) async throws -> LocationRemoval? {
        try await PhotoCatalogTests.removal(of: bytes, .mp4)
    }
}
