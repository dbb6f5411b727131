import NIOCore
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// What is a profile picture, by the header of a file.
@Suite struct ProfilePictureTests {
    private func picture(_ bytes: [UInt8]) throws(ProfilePicture.Refusal) -> ProfilePicture {
        try ProfilePicture(ByteBuffer(bytes: bytes))
    }

    @Test func `the type is that of the bytes, up to 512 pixels and 64 KiB`() throws {
        #expect(try picture(PhotoBytes.picture(1, width: 512, height: 512, length: 64 << 10)).type == .jpeg)
        #expect(try picture(PhotoBytes.png(width: 512, height: 1)).type == .png)
        #expect(try picture(PhotoBytes.webP(width: 1, height: 512)).type == .webp)
    }

    @Test func `a byte or a pixel more is refused`() {
        #expect(throws: ProfilePicture.Refusal.tooLarge) {
            try picture(PhotoBytes.picture(1, length: (64 << 10) + 1))
        }
        for bytes in [
            PhotoBytes.picture(1, width: 513, height: 1), PhotoBytes.png(width: 1, height: 513),
            PhotoBytes.webP(width: 513, height: 513),
        ] {
            #expect(throws: ProfilePicture.Refusal.tooManyPixels) { try picture(bytes) }
        }
    }

    @Test func `an animation is refused, and a chunk's name among the pixels is none`() throws {
        for bytes in [
            PhotoBytes.png(width: 9, height: 9, isAnimated: true),
            PhotoBytes.webP(width: 9, height: 9, isAnimated: true),
        ] {
            #expect(throws: ProfilePicture.Refusal.animated) { try picture(bytes) }
        }
        #expect(try picture(PhotoBytes.png(width: 9, height: 9)).type == .png)
    }

    @Test(arguments: [
        "", "GIF89a\u{1}\0\u{1}\0", #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#,
        "<!doctype html><title>x</title>", "%PDF-1.7", "BM",
    ])
    func `another format is refused`(text: String) {
        #expect(throws: ProfilePicture.Refusal.otherFormat) { try picture(Array(text.utf8)) }
    }

    @Test func `a file without a size or without pixels is refused`() {
        for bytes in [
            PhotoBytes.jpeg(1), PhotoBytes.png(width: 0, height: 9),
            Array(PhotoBytes.png(width: 9, height: 9).prefix(18)),
            PhotoBytes.heic(exif: []),
        ] {
            #expect(throws: ProfilePicture.Refusal.otherFormat) { try picture(bytes) }
        }
    }

    @Test func `a size beyond what a photo can have is one of too many pixels`() {
        for (width, height) in [(2_000_000, 9), (9, Int(Int32.max))] {
            #expect(throws: ProfilePicture.Refusal.tooManyPixels) {
                try picture(PhotoBytes.png(width: width, height: height))
            }
        }
    }

    @Test func `a picture whose parts state different sizes is refused`() throws {
        let small = PhotoBytes.picture(1)
        let large = Array(PhotoBytes.picture(1, width: 60_000, height: 60_000).dropFirst(2))
        for between: [UInt8] in [
            // Behind the first scan, a marker that has no length, and bytes that decoders skip.
            Array(small.dropLast(2)), Array(small.prefix(33)) + [0xff, 0xd0, 0, 2], Array(small.prefix(33)) + [7, 7],
        ] {
            #expect(throws: ProfilePicture.Refusal.contradictory) { try picture(between + large) }
        }
        #expect(try picture(PhotoBytes.webP(width: 9, height: 8, picture: (9, 8))).type == .webp)
        #expect(throws: ProfilePicture.Refusal.contradictory) {
            try picture(PhotoBytes.webP(width: 9, height: 8, picture: (9_000, 8)))
        }
    }

    @Test func `the version depends on the bytes`() throws {
        let (first, second) = (try picture(PhotoBytes.picture(1)), try picture(PhotoBytes.picture(2)))
        #expect(first.version != second.version && first.version.utf8.count == 32)
        #expect(try picture(PhotoBytes.picture(1)) == first)
    }
}
