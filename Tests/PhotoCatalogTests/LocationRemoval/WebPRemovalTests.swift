import Testing

@testable import PhotoCatalog

struct WebPRemovalTests {
    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little32(data.count) + data + [UInt8](repeating: 0, count: data.count % 2)
    }

    static func file(_ chunks: [UInt8], behind: [UInt8] = []) -> [UInt8] {
        Array("RIFF".utf8) + little32(chunks.count + 4) + Array("WEBP".utf8) + chunks + behind
    }

    static func features(_ flags: UInt8) -> [UInt8] { chunk("VP8X", [flags, 0, 0, 0, 1, 0, 0, 1, 0, 0]) }

    static let image = chunk("VP8 ", [1, 2, 3])

    private let junk = chunk("JUNK", [UInt8](repeating: 0, count: secret.utf8.count))
    private let secretBytes = Array(secret.utf8)

    @Test func `EXIF is cleaned and XMP becomes junk without a flag`() async throws {
        let profile = Self.chunk("ICCP", [1, 2])
        let pictures = profile + Self.chunk("ALPH", [1]) + Self.image
        let file = Self.file(
            Self.features(0x3e) + pictures + Self.chunk("EXIF", ExifSample.phone()) + Self.chunk("XMP ", secretBytes))
        let clean = Self.file(
            Self.features(0x3a) + pictures + Self.chunk("EXIF", ExifSample.cleanPhone()) + junk)
        #expect(try await checked(file, .webp) == clean)
    }

    @Test func `malformed EXIF and unknown chunks become junk`() async throws {
        let file = Self.file(
            Self.features(0x08) + Self.chunk("EXIF", secretBytes) + Self.image + Self.chunk("ABCD", secretBytes))
        #expect(try await checked(file, .webp) == Self.file(Self.features(0) + junk + Self.image + junk))
        let prefixed = Self.chunk("EXIF", Array("Exif\0\0".utf8) + ExifSample.phone())
        let copy = try await checked(Self.file(Self.features(0x08) + Self.image + prefixed), .webp)
        #expect(copy.contains("Exif\0\0MM") && copy.contains("2024:05:01"))
    }

    @Test func `unknown parts of a frame become junk`() async throws {
        let head = [UInt8](repeating: 1, count: 16)
        let animation = Self.features(0x02) + Self.chunk("ANIM", [0, 0, 0, 0, 0, 0])
        let parts = Self.chunk("ALPH", [1, 2]) + Self.image
        let file = Self.file(animation + Self.chunk("ANMF", head + parts + Self.chunk("XMP ", secretBytes)))
        #expect(try await checked(file, .webp) == Self.file(animation + Self.chunk("ANMF", head + parts + junk)))
    }

    @Test func `bytes that pad a chunk or follow the file become zeros`() async throws {
        let copy = try await checked(Self.file(Self.image, behind: secretBytes), .webp)
        #expect(copy == Self.file(Self.image, behind: [UInt8](repeating: 0, count: secretBytes.count)))
        let padded = Self.file(Self.image.dropLast() + [0x4e])
        #expect(try await cleaned(padded, .webp) == Self.file(Self.image))
        // The padding of the last chunk is missing.
        let short = Array("RIFF".utf8) + little32(Self.image.count + 3) + Array("WEBP".utf8) + Self.image.dropLast()
        #expect(try await cleaned(short, .webp) == short)
    }

    @Test func `a file that is incomplete or not understood has no copy`() async throws {
        let file = Self.file(Self.features(0) + Self.image)
        for count in 0..<file.count { try await expectRefused(Array(file.prefix(count)), .webp) }
        try await expectRefused(Self.file(Self.features(0)), .webp)
        try await expectRefused(Self.file(Self.features(0) + Self.features(0) + Self.image), .webp)
        try await expectRefused(Self.file(Self.image + Self.chunk("\u{1}\0\0\0", secretBytes)), .webp)
        try await expectRefused(Self.file(Self.image + Self.chunk("ANIM", secretBytes)), .webp)
        try await expectRefused(Self.file(Self.image + Array("XMP ".utf8) + little32(99) + secretBytes), .webp)
        try await expectRefused(Self.file(Self.image + Array("XMP ".utf8) + [255, 255, 255, 255]), .webp)
        try await expectRefused(Self.file(Self.chunk("ANMF", [1, 2, 3, 4])), .webp)
    }
}
