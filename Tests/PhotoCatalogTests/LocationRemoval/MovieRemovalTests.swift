import Testing

@testable import PhotoCatalog

struct MovieRemovalTests {
    private let secretBytes = Array(secret.utf8)
    private let kinds = ["udta", "meta", "uuid", "Xtra", "free"]

    @Test(arguments: [MediaType.quickTime, .mp4, .mobile3GPP])
    func `a movie without metadata is unchanged`(type: MediaType) async throws {
        let file = MovieSample(tracks: [.init(), .init(handler: "soun", codec: "mp4a")]).bytes
        #expect(try await cleaned(file, type) == file)
    }

    @Test func `boxes that are not needed become free space at every level`() async throws {
        for kind in kinds + ["tref", "gmhd", "sgpX"] {
            let secretBox = box(kind, secretBytes)
            var (sample, clean) = (MovieSample(extra: secretBox), MovieSample(extra: freed(secretBox)))
            #expect(try await checked(sample.bytes, .mp4) == clean.bytes)
            for level in ["trak", "mdia", "minf", "stbl", "stsd"] {
                sample = MovieSample(tracks: [.init(extra: [level: secretBox])])
                clean = MovieSample(tracks: [.init(extra: [level: freed(secretBox)])])
                #expect(try await checked(sample.bytes, .mp4) == clean.bytes, "\(kind) in \(level)")
            }
            guard kind != "meta" else { continue }
            let behind = try await checked(MovieSample(behind: secretBox).bytes, .quickTime)
            #expect(behind == MovieSample(behind: freed(secretBox)).bytes)
        }
    }

    @Test(arguments: ["meta", "tmcd", "text", "sbtl", "subt", "camm", "data", "auxv", "pict"])
    func `a track of another kind becomes free space, and its samples become zeros`(handler: String) async throws {
        let sample = MovieSample(tracks: [.init(), .secret(handler), .init(handler: "soun", codec: "mp4a")])
        let copy = try await checked(sample.bytes, .quickTime)
        let media = Array(copy[24..<24 + sample.media.count])
        let hidden = zeros(secretBytes.count)
        #expect(media == [1, 2, 3] + hidden + [1, 2, 3, 4] + hidden + [4])
        #expect(!copy.contains(handler) && !copy.contains("mebx"))
        #expect(copy.contains("avc1") && copy.contains("mp4a"))
    }

    @Test func `media data that belongs to no track becomes zeros`() async throws {
        let copy = try await checked(MovieSample(gap: secretBytes).bytes, .mp4)
        #expect(copy == MovieSample(gap: zeros(secretBytes.count)).bytes)
    }

    @Test func `names of handlers and texts of references become zeros`() async throws {
        let named = MovieSample(tracks: [
            .init(
                extra: ["minf": full("hdlr", zeros(20) + secretBytes)], name: secretBytes,
                reference: full("alis", flags: 1, secretBytes))
        ])
        #expect(try await checked(named.bytes, .mp4).contains("alis"))
    }

    @Test func `bytes behind the fields or rows of a box become zeros`() async throws {
        let rows = big32(1) + big32(1)
        for table in [
            full("stss", rows + secretBytes), full("stps", rows + secretBytes), full("cslg", zeros(20) + secretBytes),
            full("sbgp", Array("roll".utf8) + big32(0) + secretBytes), full("sdtp", [1, 2, 3] + secretBytes),
        ] {
            let sample = MovieSample(tracks: [.init(extra: ["stbl": table])])
            #expect(try await checked(sample.bytes, .mp4).contains(String(decoding: table[4..<8], as: UTF8.self)))
        }
        let sizes = full("stsz", big32(0) + big32(3) + big32(2) + big32(1) + big32(1) + secretBytes)
        _ = try await checked(MovieSample(tracks: [.init(sizes: sizes)]).bytes, .mp4)
        // Groups of samples of an unknown kind.
        let groups = full("sgpd", Array("roll".utf8)) + full("sgpd", Array("Abcd\(secret)".utf8))
        let grouped = try await checked(MovieSample(tracks: [.init(extra: ["stbl": groups])]).bytes, .mp4)
        #expect(grouped.contains("roll") && !grouped.contains("Abcd"))
        // Dimensions and the end of a list.
        let aperture = box("tapt", full("clef", zeros(8)) + full("prof", zeros(8) + secretBytes))
        let copy = try await checked(MovieSample(tracks: [.init(extra: ["trak": aperture])]).bytes, .quickTime)
        #expect(copy.contains("clef") && !copy.contains("prof"))
        _ = try await checked(MovieSample(tracks: [.init(extra: ["stsd": zeros(4) + secretBytes])]).bytes, .quickTime)
    }

    @Test func `a trailer becomes free space`() async throws {
        let sample = MovieSample(behind: Array("a trailer with \(secret)".utf8))
        let copy = try await checked(sample.bytes, .mp4)
        #expect(copy == MovieSample(behind: zeros(4) + Array("free".utf8) + zeros(sample.behind.count - 8)).bytes)
        _ = try await checked(MovieSample(behind: box("free", secretBytes) + [1, 2, 3]).bytes, .mp4)
    }
}
