import Foundation

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5), decoded strictly: each value has exactly
/// one encoding.
package enum Base64URL {
    package static func encode(_ bytes: some DataProtocol) -> String {
        let standard = Data(bytes).base64EncodedData()
        return String(unsafeUninitializedCapacity: standard.count) { text in
            var count = 0
            for byte in standard where byte != UInt8(ascii: "=") {
                text[count] =
                    switch byte {
                    case UInt8(ascii: "+"): UInt8(ascii: "-")
                    case UInt8(ascii: "/"): UInt8(ascii: "_")
                    default: byte
                    }
                count += 1
            }
            return count
        }
    }

    /// Returns `nil` for padding, the other alphabet, white space, impossible lengths and stray trailing bits.
    package static func decode(_ text: some StringProtocol) -> Data? {
        var standard = [UInt8]()
        standard.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                standard.append(byte)
            default: return nil
            }
        }
        guard standard.count % 4 != 1 else { return nil }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        guard let data = Data(base64Encoded: Data(standard)), encode(data).utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return data
    }
}
