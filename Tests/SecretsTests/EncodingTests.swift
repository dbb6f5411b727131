import Foundation
import Secrets
import Testing

/// Strict encodings: each value has exactly one text.
@Suite struct EncodingTests {
    @Test("base64url decodes what it encodes", arguments: [0, 1, 2, 3, 31, 32, 33])
    func roundTrip(count: Int) {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) })
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test(
        "padding, the other alphabet, white space and stray bits are rejected",
        arguments: [
            "QQ==", "+/+/", "QQ ", "QR", "A", "QUI\n", "Ä",
        ])
    func strictness(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("hex is lower case")
    func hex() {
        #expect(Hex.encode([0x00, 0xab, 0x0f, 0xff]) == "00ab0fff")
        #expect(Hex.isLowercase("00ab", count: 4))
        #expect(!Hex.isLowercase("00AB", count: 4))
        #expect(!Hex.isLowercase("00ab", count: 3))
        #expect(Hex.decode("00ab0fff") == Data([0x00, 0xab, 0x0f, 0xff]))
        #expect(Hex.decode("") == Data())
        for text in ["0", "0g", "AB", "0x00", "é"] { #expect(Hex.decode(text) == nil) }
    }
}
