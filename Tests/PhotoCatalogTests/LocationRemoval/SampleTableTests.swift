import Testing

@testable import PhotoCatalog

/// Tables of samples that are rare or wrong.
struct SampleTableTests {
    private let secretBytes = Array(secret.utf8)

    private func file(_ track: MovieSample.Track, gap: [UInt8] = []) -> [UInt8] {
        MovieSample(tracks: [track], gap: gap).bytes
    }

    @Test func `every form of tables is read`() async throws {
        let byte: [UInt8] = [9]
        let even: [[[UInt8]]] = [[byte, byte], [byte]]
        for track: MovieSample.Track in [
            .init(isWide: true),
            .init(chunks: even, sizes: full("stsz", big32(1) + big32(3))),
            .init(sizes: full("stz2", big32(4) + big32(3) + [0x21, 0x10])),
            .init(sizes: full("stz2", big32(8) + big32(3) + [2, 1, 1])),
            .init(sizes: full("stz2", big32(16) + big32(3) + [0, 2, 0, 1, 0, 1])),
        ] {
            let copy = try await checked(file(track, gap: secretBytes), .mp4)
            #expect(copy == file(track, gap: zeros(secretBytes.count)))
        }
    }

    @Test func `sound whose table counts bytes as samples remains whole`() async throws {
        // Two samples of four bytes each.
        let samples: [[[UInt8]]] = [[[1, 2, 3, 4], [5, 6, 7, 8]]]
        let sizes = full("stsz", big32(1) + big32(2))
        let plain = zeros(16) + big16(2) + big16(16) + zeros(8)
        let version1 = zeros(8) + big16(1) + zeros(6) + big16(2) + big16(16) + zeros(8)
        let packets = big32(1) + big32(2) + big32(4) + big32(2)
        for description in [plain, version1 + packets] {
            let sound = MovieSample.Track(
                handler: "soun", codec: "sowt", chunks: samples, sizes: sizes, description: description)
            let copy = try await checked(MovieSample(tracks: [sound, .secret()], gap: []).bytes, .quickTime)
            #expect(Array(copy[24..<32]) == [1, 2, 3, 4, 5, 6, 7, 8])
        }
    }

    @Test func `tables that contradict each other or leave the media data have no copy`() async throws {
        for track: MovieSample.Track in [
            .init(sizes: full("stsz", big32(0) + big32(2) + big32(2) + big32(1))),
            .init(sizes: full("stsz", big32(0) + big32(4) + big32(2) + big32(1) + big32(1) + big32(1))),
            .init(sizes: full("stsz", big32(0) + big32(3) + big32(2) + big32(1))),
            .init(sizes: full("stsz", big32(0) + big32(3) + big32(2) + big32(2) + big32(1))),
            .init(sizes: full("stsz", big32(0x7fff_ffff) + big32(3))),
            .init(sizes: full("stz2", big32(5) + big32(3) + zeros(8))),
            .init(sizes: []),
            .init(extra: ["stbl": full("stsz", big32(1) + big32(3))]),
            .init(extra: ["stbl": full("co64", big32(0))]),
            .init(extra: ["stbl": full("stco", big32(0))]),
            .init(extra: ["stbl": full("stss", big32(9))]),
        ] { try await expectRefused(file(track), .mp4) }
        let end = MovieSample().bytes.count
        for offset in [0, 8, 23, 24, 28, end - 1, end, 0xffff_ffff] {
            var sample = MovieSample(tracks: [.init(), .init(handler: "soun", codec: "mp4a")])
            sample.lastOffset = offset
            try await expectRefused(sample.bytes, .mp4)
            sample.tracks[1] = .secret()
            sample.lastOffset = offset
            try await expectRefused(sample.bytes, .mp4)
        }
    }

    @Test func `a plan of too many changes is refused`() async throws {
        for (count, isPlanned) in [(19_999, true), (20_001, false)] {
            let chunks = [[[UInt8]]](repeating: [[7]], count: count)
            let sizes = full("stsz", big32(1) + big32(count))
            let file = MovieSample(tracks: [.init(chunks: chunks, sizes: sizes)], gap: [1]).bytes
            #expect((try await removal(of: file, .mp4) != nil) == isPlanned)
        }
    }
}
