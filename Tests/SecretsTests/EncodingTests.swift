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

    @Test("every text of two or three characters decodes as Foundation's strict decoder does, or not at all")
    func reference() {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for first in digits {
            for second in digits {
                let two = String(decoding: [first, second], as: UTF8.self)
                #expect(Base64URL.decode(two) == Self.decoded(two), "\(two)")
                // The last digit decides whether bits are left over.
                for third in digits where first == second {
                    let three = String(decoding: [first, second, third], as: UTF8.self)
                    #expect(Base64URL.decode(three) == Self.decoded(three), "\(three)")
                }
            }
        }
        for byte in UInt8.min...UInt8.max where !digits.contains(byte) {
            #expect([byte, digits[0], digits[0], digits[0]].withUnsafeBufferPointer { Base64URL.decode($0) } == nil)
        }
    }

    /// Decodes with Foundation and rejects a text that is not the encoding of the result.
    private static func decoded(_ text: String) -> Data? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding) else { return nil }
        let encoded = data.base64EncodedString().replacing("=", with: "")
        return encoded == standard ? data : nil
    }

    @Test("random bytes have the requested count and differ", arguments: [0, 1, 7, 8, 9, 16, 31])
    func randomness(count: Int) {
        let (first, second) = (Randomness.system.bytes(count), Randomness.system.bytes(count))
        #expect(first.count == count && (count < 7 || first != second))
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
