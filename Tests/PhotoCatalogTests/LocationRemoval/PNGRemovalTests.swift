import ObjectStorage
import Testing

@testable import PhotoCatalog

struct PNGRemovalTests {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        var checksum = CRC32()
        checksum.add(Array(type.utf8) + data)
        return big32(data.count) + Array(type.utf8) + data + checksum.bytes
    }

    static func file(_ chunks: [UInt8], behind: [UInt8] = []) -> [UInt8] {
        signature + chunk("IHDR", big32(1) + big32(1) + [8, 0, 0, 0, 0]) + chunks + chunk("IDAT", [1, 2, 3])
            + chunk("IEND", []) + behind
    }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    @Test func `the checksum is that of the standard`() {
        var checksum = CRC32()
        checksum.add(Array("123456789".utf8))
        #expect(checksum.value == 0xcbf4_3926)
        var (zeros, one) = (CRC32(), CRC32())
        zeros.addZeros(200_001)
        one.add(Self.zeros(200_001))
        #expect(zeros.value == one.value)
    }

    @Test(arguments: ["tEXt", "zTXt", "iTXt", "tIME", "caBX", "iDOT", "sPLT", "prVt"])
    func `a chunk that is not needed becomes one that decoders ignore`(type: String) async throws {
        let copy = try await checked(Self.file(Self.chunk(type, Array(secret.utf8))), .png)
        #expect(copy == Self.file(Self.chunk("zeRo", Self.zeros(secret.utf8.count))))
    }

    @Test func `chunks for display remain`() async throws {
        let types = [
            "PLTE", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "pHYs", "tRNS", "acTL",
            "fcTL", "fdAT", "hIST",
        ]
        let file = Self.file(types.flatMap { Self.chunk($0, [1]) })
        #expect(try await cleaned(file, .png) == file)
        // Longer than any of its kind.
        _ = try await checked(Self.file(Self.chunk("gAMA", Array(secret.utf8))), .png)
    }

    @Test func `EXIF is cleaned, or removed if it is malformed`() async throws {
        let copy = try await checked(Self.file(Self.chunk("eXIf", ExifSample.phone(isBig: false))), .png)
        #expect(copy == Self.file(Self.chunk("eXIf", ExifSample.cleanPhone(isBig: false))))
        let malformed = try await checked(Self.file(Self.chunk("eXIf", Array(secret.utf8))), .png)
        #expect(malformed == Self.file(Self.chunk("zeRo", Self.zeros(secret.utf8.count))))
    }

    @Test func `bytes behind the last chunk become zeros`() async throws {
        let copy = try await checked(Self.file([], behind: Array(secret.utf8)), .png)
        #expect(copy == Self.file([], behind: Self.zeros(secret.utf8.count)))
    }

    @Test func `a file that is incomplete or not understood has no copy`() async throws {
        let file = Self.file([])
        for count in 0..<file.count { try await expectRefused(Array(file.prefix(count)), .png) }
        // A chunk that a decoder must know.
        try await expectRefused(Self.file(Self.chunk("CgBI", Array(secret.utf8))), .png)
        try await expectRefused(Self.file(Self.chunk("IHDR", Self.zeros(13))), .png)
        try await expectRefused(Self.file(Self.chunk("PLTE", Self.zeros(769))), .png)
        try await expectRefused(Self.signature + Self.chunk("tEXt", []) + Self.file([]).dropFirst(8), .png)
        // The length of the picture is wrong and includes a text.
        let text = Self.chunk("tEXt", Array(secret.utf8))
        let hidden = Self.signature + Self.file([]).dropFirst(8).prefix(25) + big32(3 + 4 + text.count)
        let picture = Array("IDAT".utf8) + [1, 2, 3, 0, 0, 0, 0]
        try await expectRefused(hidden + picture + text + [1, 2, 3, 4] + Self.chunk("IEND", []), .png)
    }
}
