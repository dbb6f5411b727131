import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Cameras and durations in the metadata of files.
struct CameraFactsTests {
    private static let exif = PhotoBytes.exif([], first: [(0x010f, "NIKON CORPORATION"), (0x0110, "NIKON D850")])

    private func facts(_ bytes: [UInt8], _ type: MediaType) -> MediaFacts {
        MediaFacts.read(head: ByteBuffer(bytes: bytes), type: type)
    }

    @Test(
        "the camera is read from EXIF",
        arguments: [
            (PhotoBytes.jpeg(1, exif: exif), .jpeg), (PhotoBytes.png(exif: exif), .png),
            (PhotoBytes.webp(exif: exif, xmp: ""), .webp), (PhotoBytes.heic(exif: exif), .heic), (exif, .nikonNEF),
            (exif, .tiff), (PhotoBytes.cr3([("CMT1", exif)]), .canonCR3),
        ] as [([UInt8], MediaType)])
    func photos(bytes: [UInt8], type: MediaType) {
        #expect(facts(bytes, type).camera?.description == "NIKON D850")
        #expect(facts(bytes, type).duration == nil)
    }

    @Test("a photo without a model has the maker, and one without either has no camera")
    func incomplete() {
        let maker = PhotoBytes.exif([], first: [(0x010f, "Canon")])
        #expect(facts(PhotoBytes.jpeg(1, exif: maker), .jpeg).camera?.description == "Canon")
        let neither = PhotoBytes.exif([(0x9003, "2021:07:04 10:20:30")])
        #expect(facts(PhotoBytes.jpeg(1, exif: neither), .jpeg).camera == nil)
    }

    @Test("the duration is in the movie's header", arguments: [MediaType.quickTime, .mp4, .mobile3GPP])
    func durations(type: MediaType) {
        for header in [
            MovieBytes.mvhd(0, timescale: 600, duration: 1500), MovieBytes.wideMvhd(0, timescale: 600, duration: 1500),
        ] {
            #expect(facts(MovieBytes.movie(header), type).duration?.milliseconds == 2500)
        }
        let long = MovieBytes.wideMvhd(0, timescale: 1_000_000_000, duration: 5_000_000_000)
        #expect(facts(MovieBytes.movie(long), type).duration?.milliseconds == 5000)
    }

    @Test(
        "an unknown duration is not read",
        arguments: [
            MovieBytes.mvhd(0), MovieBytes.mvhd(0, timescale: 600, duration: 0xffff_ffff),
            MovieBytes.wideMvhd(0, timescale: 600, duration: -1), MovieBytes.mvhd(0, timescale: 0, duration: 5),
            PhotoBytes.box("mvhd", PhotoBytes.big32(0)),
        ])
    func unknown(header: [UInt8]) {
        #expect(facts(MovieBytes.movie(header), .mp4).duration == nil)
    }

    @Test("the camera of a movie is in the list of keys, or else in the older user data")
    func movies() {
        let keys = MovieBytes.camera(make: "Apple", model: "iPhone 15 Pro")
        let fields = MovieBytes.cameraFields(make: "Canon", model: "Canon EOS R5")
        #expect(facts(MovieBytes.movie(keys), .quickTime).camera?.description == "Apple iPhone 15 Pro")
        #expect(facts(MovieBytes.movie(fields), .mp4).camera?.description == "Canon EOS R5")
        for both in [keys + fields, fields + keys] {
            #expect(facts(MovieBytes.movie(both), .mp4).camera?.description == "Apple iPhone 15 Pro")
        }
        let date = MovieBytes.creationDate("2024-05-01T12:30:45+0200")
        let dated = facts(MovieBytes.movie(fields + date), .mp4)
        #expect(dated.camera?.description == "Canon EOS R5" && dated.taken?.offset == 120)
    }

    @Test("a truncated movie or one with a changed byte never traps")
    func hostile() {
        let bytes = MovieBytes.movie(
            MovieBytes.wideMvhd(0, timescale: 600, duration: 1500)
                + MovieBytes.cameraFields(make: "Canon", model: "EOS")
                + MovieBytes.camera(make: "Apple", model: "iPhone"), mediaLength: 3)
        var cameras: Set<String> = []
        for index in bytes.indices {
            _ = facts(Array(bytes.prefix(index)), .mp4)
            for value: UInt8 in [0x00, 0x7f, 0xff] {
                var turned = bytes
                turned[index] = value
                if let camera = facts(turned, .mp4).camera { cameras.insert(camera.description) }
            }
        }
        #expect(cameras.count > 1)
    }
}
