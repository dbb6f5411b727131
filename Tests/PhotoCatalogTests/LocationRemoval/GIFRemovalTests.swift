import Testing

@testable import PhotoCatalog

struct GIFRemovalTests {
    private static let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [1, 2, 3, 4, 5, 6]
    private static let image: [UInt8] =
        [0x21, 0xf9, 4, 0, 1, 0, 0, 0] + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80] + [1, 2, 3, 4, 5, 6] + [2, 2, 0x4c, 1, 0]

    static func file(_ blocks: [UInt8], behind: [UInt8] = []) -> [UInt8] { head + blocks + image + [0x3b] + behind }

    static func application(_ name: String, _ data: [UInt8]) -> [UInt8] {
        [0x21, 0xff, 11] + Array(name.utf8) + data + [0]
    }

    static func comment(_ text: [UInt8]) -> [UInt8] { [0x21, 0xfe, UInt8(text.count)] + text + [0] }

    private let secretBytes = Array(secret.utf8)
    private let zeros = [UInt8](repeating: 0, count: secret.utf8.count)

    @Test func `comments and bytes behind the end become zeros`() async throws {
        let copy = try await checked(Self.file(Self.comment(secretBytes), behind: secretBytes), .gif)
        #expect(copy == Self.file(Self.comment(zeros), behind: zeros))
    }

    @Test func `repetitions and profiles remain`() async throws {
        let file = Self.file(
            Self.application("NETSCAPE2.0", [3, 1, 0, 0]) + Self.application("ANIMEXTS1.0", [3, 1, 0, 0])
                + Self.application("ICCRGBG1012", [9] + Array("a profile".utf8)))
        #expect(try await cleaned(file, .gif) == file)
    }

    @Test func `a file that is incomplete or not understood has no copy`() async throws {
        let file = Self.file([])
        #expect(try await cleaned(file, .gif) == file)
        for count in 0..<file.count { try await expectRefused(Array(file.prefix(count)), .gif) }
        let block = [UInt8(secretBytes.count)] + secretBytes
        try await expectRefused(Self.file(Self.application("XMP DataXMP", block)), .gif)
        try await expectRefused(Self.file(Self.application("NETSCAPE2.0", block)), .gif)
        try await expectRefused(Self.file([0x21, 0xff, 3, 1, 2, 3, 0]), .gif)
        try await expectRefused(Self.file([0x21, 0x01] + block + [0]), .gif)
        try await expectRefused(Self.file([0x21, 0xf9] + block + [0]), .gif)
        try await expectRefused(Self.file([0]), .gif)
        try await expectRefused(Self.head + [0x3b] + secretBytes, .gif)
    }
}
