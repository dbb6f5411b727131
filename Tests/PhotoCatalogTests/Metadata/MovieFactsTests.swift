import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct MovieFactsTests {
    private func facts(_ bytes: [UInt8], _ type: MediaType = .quickTime) -> MediaFacts {
        MediaFacts.read(head: ByteBuffer(bytes: bytes), type: type)
    }

    @Test("QuickTime's creation date with its offset takes precedence over the header's date")
    func creationDate() {
        let moov = MovieBytes.mvhd(3_797_411_445) + MovieBytes.track(1920, 1080)
        #expect(facts(MovieBytes.movie(moov)).taken?.description == "2024-05-01T12:30:45Z")
        let dated = MovieBytes.movie(moov + MovieBytes.creationDate("2024-05-01T12:30:45+0200"))
        #expect(facts(dated).taken?.description == "2024-05-01T12:30:45+02:00")
    }

    @Test(
        "the location is read in degrees",
        arguments: [
            ("+35.6895+139.6917+040.000/", "35.6895 139.6917"), ("-33.8568-070.5/", "-33.8568 -70.5"),
            ("+35+139", "35 139"), ("+91+139/", nil), ("+3541.37+13941.5/", nil), ("35.6+139.7/", nil), ("+35.6/", nil),
            ("+00+000/", nil), ("+ab+139/", nil),
        ] as [(String, String?)])
    func location(text: String, location: String?) {
        let moov = MovieBytes.mvhd(3_797_411_445) + MovieBytes.location(text)
        #expect(facts(MovieBytes.movie(moov)).location?.text == location)
    }

    @Test("dates count from 1904 or 1970, and zero or impossible dates are ignored")
    func epochs() {
        #expect(facts(MovieBytes.movie(MovieBytes.mvhd(1_714_566_645))).taken?.description == "2024-05-01T12:30:45Z")
        #expect(
            facts(MovieBytes.movie(MovieBytes.wideMvhd(3_797_411_445))).taken?.description == "2024-05-01T12:30:45Z")
        for seconds in [0, 1, 2_082_844_800, 1 << 40] {
            #expect(facts(MovieBytes.movie(MovieBytes.wideMvhd(seconds))).taken == nil, "\(seconds)")
        }
    }

    @Test(
        "the orientation comes from the track's matrix",
        arguments: [
            ([1, 0, 0, 1], nil), ([0, 1, -1, 0], 6), ([-1, 0, 0, -1], 3), ([0, -1, 1, 0], 8), ([-1, 0, 0, 1], 2),
            ([2, 0, 0, 2], nil),
        ] as [([Int], UInt8?)]
    )
    func matrix(matrix: [Int], orientation: UInt8?) {
        let sound = MovieBytes.track(0, 0)
        let read = facts(MovieBytes.movie(sound + MovieBytes.track(1920, 1080, matrix: matrix)), .mp4)
        #expect(read.width == 1920 && read.height == 1080)
        #expect(read.orientation == orientation)
    }

    @Test("of a movie of many gigabytes only a few small ranges are read")
    func pieces() {
        let moov = PhotoBytes.box("moov", MovieBytes.mvhd(3_797_411_445) + MovieBytes.track(3840, 2160))
        let start = Int64(20) << 30
        let head =
            PhotoBytes.box("ftyp", Array("qt  ".utf8) + PhotoBytes.big32(0)) + PhotoBytes.big32(1)
            + Array("mdat".utf8) + PhotoBytes.big32(Int((start - 16) >> 32))
            + PhotoBytes.big32(Int((start - 16) & 0xffff_ffff))
        var read = 0
        let bytes = MediaBytes(head: ByteBuffer(bytes: head), size: start + Int64(moov.count)) { offset, count in
            read += count
            let from = Int(offset - start)
            return moov.indices.contains(from) ? ByteBuffer(bytes: moov[from..<min(moov.count, from + count)]) : nil
        }
        let facts = MediaFacts.read(bytes, type: .mp4)
        #expect(facts.taken?.description == "2024-05-01T12:30:45Z")
        #expect(facts.width == 3840)
        #expect(read < 400)
    }

    @Test("boxes with wrong lengths never trap")
    func hostile() {
        let bytes = MovieBytes.movie(
            MovieBytes.mvhd(3_797_411_445) + MovieBytes.track(1920, 1080)
                + MovieBytes.creationDate("2024-05-01T12:30:45+0200"))
        var dates = 0
        for index in bytes.indices {
            for value: UInt8 in [0x00, 0x01, 0x7f, 0xff] {
                var turned = bytes
                turned[index] = value
                dates += facts(turned).taken == nil ? 0 : 1
            }
        }
        #expect(dates > 100, "most turned bytes do not touch the date")
    }
}
