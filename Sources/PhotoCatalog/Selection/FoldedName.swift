import Foundation

/// A name in the form in which names are compared: in lower case and NFC. It is made once for all patterns.
struct FoldedName {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The folded text of a name with letters that have a case or several compositions; the bytes of others are folded
    /// when they are compared.
    private let folded: String?

    /// - Parameter bytes: The name in UTF-8, which must outlive this.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        folded = NameFolding.isPlain(bytes) ? nil : NameFolding.folded(String(decoding: bytes, as: UTF8.self))
    }

    var text: String { folded ?? NameFolding.folded(String(decoding: bytes, as: UTF8.self)) }

    /// Calls a closure with the name's bytes, in which ASCII letters may have either case.
    func withBytes<Result>(_ work: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard var folded else { return work(bytes) }
        return folded.withUTF8(work)
    }
}

enum NameFolding {
    static func folded(_ text: String) -> String { text.lowercased().precomposedStringWithCanonicalMapping }

    static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Returns whether all letters that are not ASCII are as they would be folded: the lower case and the signs of
    /// Latin-1, U+3000 to U+9FFF without the combining sound marks U+3099 and U+309A, and the Hangul syllables from U+AC00
    /// to U+D77F. None of them is followed by a mark with which it would be composed, as no mark is among them.
    static func isPlain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in name { all |= byte }
        if all < 0x80 { return true }
        var index = 0
        while index < name.count {
            let lead = name[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            // U+0080 to U+00BF, and U+00DF to U+00FF.
            if lead == 0xC2 || lead == 0xC3, index + 1 < name.count, lead == 0xC2 || name[index + 1] >= 0x9F {
                index += 2
                continue
            }
            guard (0xE3...0xED).contains(lead), index + 2 < name.count else { return false }
            let (second, third) = (name[index + 1], name[index + 2])
            switch lead {
            case 0xE3: if second == 0x82, third == 0x99 || third == 0x9A { return false }
            case 0xEA: if second < 0xB0 { return false }
            case 0xED: if second > 0x9D { return false }
            default: break
            }
            index += 3
        }
        return true
    }
}
