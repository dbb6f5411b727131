import Testing

@testable import PhotoCatalog

/// The boxes that describe images.
struct HEIFBoxTests {
    private let secretBytes = Array(secret.utf8)

    @Test(arguments: ["meta", "iprp", "ipco", "grpl", "file"])
    func `unknown boxes become free space at every level`(level: String) async throws {
        for kind in ["uuid", "udes", "xml ", "mpvd", "Abcd"] {
            let secretBox = box(kind, secretBytes)
            let copy = try await checked(HEIFSample(extra: [level: secretBox]).bytes, .heic)
            #expect(copy == HEIFSample(extra: [level: freed(secretBox)]).bytes)
        }
    }

    @Test func `bytes behind the numbers of a box become zeros`() async throws {
        let table = full(
            "iloc", version: 1, [0x44, 0] + big16(1) + big16(1) + zeros(4) + big16(1) + big32(0) + big32(4))
        let start = HEIFSample(items: [HEIFSample.image], replaced: ["iloc": table + secretBytes]).mediaStart
        let located = table.replacing(at: table.count - 8, with: big32(start))
        for (type, contents) in [
            ("pitm", full("pitm", big16(1))), ("iloc", located),
            ("iref", full("iref", box("thmb", big16(1) + big16(2) + big16(2) + big16(3)))),
            ("iprp", box("iprp", box("ipco", []) + full("ipma", flags: 1, big32(1) + big16(1) + [1, 0, 1]))),
            ("grpl", box("grpl", full("altr", big32(1) + big32(2) + big32(1) + big32(2)))),
        ] {
            func sample(_ tail: [UInt8]) -> [UInt8] {
                // The length of the outer and of the last inner box grows.
                var grown = big32(contents.count + tail.count) + contents.dropFirst(4) + tail
                let inner = ["iref": 12, "iprp": 16, "grpl": 8][type]
                if let inner {
                    let count = contents.count - inner + tail.count
                    grown = grown.replacing(at: inner, with: big32(count))
                }
                var sample = HEIFSample(items: [HEIFSample.image])
                if type == "iref" { sample.extra["meta"] = grown } else { sample.replaced[type] = grown }
                return sample.bytes
            }
            #expect(try await checked(sample(secretBytes), .heic) == sample(zeros(secretBytes.count)), "\(type)")
        }
    }

    @Test func `a sequence keeps its pictures, of which the first may be an item`() async throws {
        var movie = MovieSample(tracks: [.init(handler: "pict", codec: "av01"), .secret()])
        movie.extra = box("udta", secretBytes)
        func meta(_ start: Int) -> [UInt8] {
            var image = HEIFSample.Item(id: 1, type: "av01", data: [])
            image.extents = [[start, 3]]
            let file = HEIFSample(items: [image]).bytes
            return Array(file[20..<file.count - 8])
        }
        movie.meta = meta(0)
        movie.meta = meta(16 + movie.meta.count + 8)
        let copy = try await checked(movie.bytes, .avif)
        let start = 16 + movie.meta.count + 8
        #expect(copy[start..<start + 3] == [1, 2, 3])
        #expect(copy.contains("av01") && !copy.contains("mebx"))
    }
}
