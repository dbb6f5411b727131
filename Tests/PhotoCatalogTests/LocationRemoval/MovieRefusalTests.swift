import Testing

@testable import PhotoCatalog

struct MovieRefusalTests {
    private func expectRefused(_ track: MovieSample.Track) async throws {
        try await PhotoCatalogTests.expectRefused(MovieSample(tracks: [track]).bytes, .mp4)
    }

    @Test func `a movie of fragments has no copy`() async throws {
        try await PhotoCatalogTests.expectRefused(MovieSample(extra: box("mvex", [])).bytes, .mp4)
        for type in ["moof", "mfra", "styp"] {
            try await PhotoCatalogTests.expectRefused(MovieSample(behind: box(type, zeros(8))).bytes, .mp4)
        }
    }

    @Test func `a movie without a track that can be played has no copy`() async throws {
        try await expectRefused(.secret())
        try await expectRefused(.init(handler: "pict"))
        try await PhotoCatalogTests.expectRefused(MovieSample(tracks: []).bytes, .mp4)
        try await PhotoCatalogTests.expectRefused(box("ftyp", zeros(8)) + box("mdat", Array(secret.utf8)), .mp4)
    }

    @Test(arguments: ["jpeg", "mjpa", "mjpb", "mebx", "encv", "Abcd", "mp4a"])
    func `pictures of an unknown codec have no copy`(codec: String) async throws {
        try await expectRefused(.init(codec: codec))
        if codec != "mp4a" { try await expectRefused(.init(handler: "soun", codec: codec)) }
    }

    @Test func `media data in other files has no copy`() async throws {
        for reference in [full("url ", Array(secret.utf8)), full("urn ", flags: 1, []), full("rsrc", flags: 1, [])] {
            try await expectRefused(.init(reference: reference))
            var dropped = MovieSample.Track.secret()
            dropped.reference = reference
            try await PhotoCatalogTests.expectRefused(MovieSample(tracks: [.init(), dropped]).bytes, .mp4)
        }
    }

    @Test func `data of samples that the tables do not describe has no copy`() async throws {
        for type in ["saiz", "saio", "senc"] { try await expectRefused(.init(extra: ["stbl": full(type, zeros(8))])) }
    }

    @Test func `boxes that occur twice or are too short have no copy`() async throws {
        let file = MovieSample().bytes
        let media = MovieSample().media.count
        let second = MovieSample(extra: box("udta", Array(secret.utf8))).bytes + file.dropFirst(24 + media)
        try await PhotoCatalogTests.expectRefused(second, .mp4)
        try await PhotoCatalogTests.expectRefused(file + box("ftyp", []), .mp4)
        for (level, type) in [("trak", "mdia"), ("mdia", "hdlr"), ("mdia", "minf"), ("minf", "stbl"), ("minf", "dinf")]
        {
            try await expectRefused(.init(extra: [level: box(type, zeros(24))]))
        }
        for (level, type) in [("trak", "tkhd"), ("mdia", "mdhd"), ("minf", "vmhd"), ("stbl", "cslg"), ("stbl", "stss")]
        {
            try await expectRefused(.init(extra: [level: box(type, zeros(4))]))
            try await expectRefused(.init(extra: [level: box(type, [9] + zeros(200))]))
        }
    }

    @Test func `an incomplete movie has no copy`() async throws {
        let sample = MovieSample(tracks: [.init(), .secret()])
        let file = sample.bytes
        for count in 0..<file.count { try await PhotoCatalogTests.expectRefused(Array(file.prefix(count)), .mp4) }
        // The length of a box is changed, at every place.
        let movie = 24 + sample.media.count
        for offset in stride(from: movie, to: file.count - 4, by: 3) {
            for byte: UInt8 in [1, 40, 255] {
                let copy = try await cleaned(file.replacing(at: offset, with: [byte]), .mp4)
                #expect(copy?.contains(secret) != true)
            }
        }
    }
}
