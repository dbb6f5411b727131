import Testing

@testable import PhotoCatalog

struct JPEGRemovalTests {
    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xff, marker] + big16(payload.count + 2) + payload
    }

    static func application(_ number: UInt8, _ text: String, _ rest: [UInt8] = Array(secret.utf8)) -> [UInt8] {
        segment(0xe0 + number, Array(text.utf8) + rest)
    }

    static let quantization = segment(0xdb, [0] + [UInt8](repeating: 9, count: 64))
    static let huffman = segment(0xc4, [0, 1] + [UInt8](repeating: 0, count: 15) + [7])
    static let frame = segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    static let scan = segment(0xda, [1, 1, 0, 0, 63, 0]) + [0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xff, 0, 1]

    static func file(_ segments: [UInt8], between: [UInt8] = [], behind: [UInt8] = []) -> [UInt8] {
        [0xff, 0xd8] + segments + quantization + huffman + frame + scan + between + huffman + scan + [0xff, 0xd9]
            + behind
    }

    static let exif = application(1, "Exif\0\0", ExifSample.phone())

    @Test func `only the first of many EXIF blocks is cleaned, and the others become zeros`() async throws {
        let copy = try await checked(Self.file(Self.exif + Self.exif), .jpeg)
        let one = try await checked(Self.file(Self.exif), .jpeg)
        let zeros = Self.segment(0xe1, [UInt8](repeating: 0, count: Self.exif.count - 4))
        #expect(copy.prefix(2 + Self.exif.count) == one.prefix(2 + Self.exif.count))
        #expect(Array(copy.dropFirst(2 + Self.exif.count).prefix(zeros.count)) == zeros)
    }

    @Test func `every application segment and comment with a location becomes zeros`() async throws {
        let metadata = [
            application(0, "JFXX\0"), application(1, "http://ns.adobe.com/xap/1.0/\0"),
            application(1, "http://ns.adobe.com/xmp/extension/\0"), application(2, "MPF\0"),
            application(2, "ICC"), application(4, ""), application(13, "Photoshop 3.0\0"), application(15, ""),
            Self.segment(0xfe, Array(secret.utf8)),
        ]
        for segment in metadata {
            let copy = try await checked(Self.file(segment), .jpeg)
            let zeros = Self.segment(segment[1], [UInt8](repeating: 0, count: segment.count - 4))
            #expect(copy == Self.file(zeros))
            #expect(try await checked(Self.file([], between: segment), .jpeg) == Self.file([], between: zeros))
        }
    }

    private func application(_ number: UInt8, _ text: String) -> [UInt8] { Self.application(number, text) }

    @Test func `EXIF is cleaned and the profile, JFIF and Adobe segments remain`() async throws {
        let profile = Self.application(2, "ICC_PROFILE\0\u{1}\u{1}", big32(8) + [1, 2, 3, 4])
        let kept = Self.application(0, "JFIF\0", [1, 2, 1, 0, 72, 0, 72, 0, 0]) + profile
        let adobe = Self.application(14, "Adobe", [0, 100, 0, 0, 0, 0, 1])
        let exif = Self.application(1, "Exif\0\0", ExifSample.cleanPhone())
        let copy = try await checked(Self.file(kept + Self.exif + adobe), .jpeg)
        #expect(copy == Self.file(kept + exif + adobe))
        #expect(exif.contains("2024:05:01 12:30:45"))
    }

    @Test func `bytes behind the known part of a kept segment become zeros`() async throws {
        let thumbnail = Self.application(0, "JFIF\0", [1, 2, 1, 0, 72, 0, 72, 4, 4] + Array(secret.utf8))
        let copy = try await checked(Self.file(thumbnail), .jpeg)
        #expect(Array(copy[6..<20]) == Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 0, 0])
        _ = try await checked(Self.file(Self.application(14, "Adobe0000000")), .jpeg)
        let profile = Self.application(2, "ICC_PROFILE\0\u{1}\u{1}", big32(8) + [1, 2, 3, 4] + Array(secret.utf8))
        _ = try await checked(Self.file(profile), .jpeg)
    }

    @Test func `everything behind the end of the picture becomes zeros`() async throws {
        let second = Self.file(Self.exif)
        for behind in [second, Array("SEFT\(secret)".utf8), Array("\0\0\0\u{18}ftypmp42\(secret)".utf8)] {
            let copy = try await checked(Self.file([], behind: behind), .jpeg)
            #expect(copy == Self.file([], behind: [UInt8](repeating: 0, count: behind.count)))
        }
    }

    @Test func `bytes between segments become zeros and fill bytes remain`() async throws {
        let copy = try await checked(Self.file(Array(secret.utf8) + [0xff, 0, 1, 0xff, 0xff]), .jpeg)
        let zeros = [UInt8](repeating: 0, count: secret.utf8.count + 3)
        #expect(copy == Self.file(zeros + [0xff, 0xff]))
    }

    @Test func `a file that is incomplete or not understood has no copy`() async throws {
        let file = Self.file([])
        #expect(try await cleaned(file, .jpeg) == file)
        for count in 0..<file.count { try await expectRefused(Array(file.prefix(count)), .jpeg) }
        let secretBytes = Array(secret.utf8)
        let unknown = [
            Self.segment(0xdb, [0] + secretBytes), Self.segment(0xc4, secretBytes), Self.segment(0xdd, secretBytes),
            Self.segment(0xc1, [8, 0, 8, 0, 8, 1, 1, 0x11, 0] + secretBytes), Self.segment(0xf0, secretBytes),
            Self.segment(0x02, secretBytes), [0xff, 0xd8], [0xff, 0xe1, 0, 1],
        ]
        for segment in unknown { try await expectRefused(Self.file(segment), .jpeg) }
        try await expectRefused([0xff, 0xd8, 0xff, 0xd9] + secretBytes, .jpeg)
        try await expectRefused([0xff, 0xd8] + Self.frame + [0xff, 0xd9] + secretBytes, .jpeg)
    }
}
