import Testing

@testable import PhotoCatalog

/// The dimensions of thumbnails.
@Suite struct ThumbnailSizeTests {
    @Test(
        "a thumbnail fits in 512 pixels, and of a panorama its shorter side has 256 unless the longer would exceed 1,024",
        arguments: [
            (1, 1, 512), (256, 256, 512), (511, 512, 512), (4000, 3000, 512), (1024, 512, 512), (1025, 512, 513),
            (1170, 2532, 554), (3000, 1000, 768), (1000, 3000, 768), (4000, 1000, 1024), (4001, 1000, 1024),
            (12000, 500, 1024), (500, 12000, 1024), (1_000_000, 1, 1024), (0, 0, 512), (Int.max, 1, 1024),
        ])
    func edge(width: Int, height: Int, expected: Int) {
        #expect(Thumbnail.edge(ofPicture: width, height) == expected)
        let known = MediaFacts(width: Int32(clamping: width), height: Int32(clamping: height))
        #expect(PictureKind.thumbnail.edge(of: known) == expected)
        #expect(PictureKind.preview.edge(of: known) == 2048)
    }

    @Test("of a photo whose dimensions are not known, a thumbnail of 512 pixels is asked")
    func unknown() {
        #expect(PictureKind.thumbnail.edge(of: MediaFacts(width: 9000)) == 512)
    }
}
