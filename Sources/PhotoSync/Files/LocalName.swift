/// The conversion between file names in the file system and their encoding in a library.
///
/// Both are equal for UTF-8 names. Linux allows arbitrary bytes: a name that is not UTF-8 is encoded as `%%` followed
/// by the name, in which each byte that is not part of a UTF-8 character, and each `%`, is replaced by `%` and two
/// hexadecimal digits. The encoding is unique in both directions, so a restore on Linux reproduces the bytes. Other
/// systems have no such names; an encoded name is an ordinary name there.
package enum LocalName {
    private static let escapePrefix = Array("%%".utf8)
    private static let percent = UInt8(ascii: "%")
    private static let slash = UInt8(ascii: "/")

    /// Returns the encoding of a name; `nil` for a UTF-8 name that is the encoding of another one.
    static func text(of bytes: [UInt8]) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) {
            return decodedName(encodedAs: bytes[...]) == nil ? text : nil
        }
        return encoding(of: bytes)
    }

    /// Returns a path whose names are encoded; `nil` if one of them is UTF-8 and the encoding of another name.
    package static func path(of bytes: [UInt8]) -> String? {
        var names: [String] = []
        for name in bytes.split(separator: slash, omittingEmptySubsequences: false) {
            guard let text = text(of: Array(name)) else { return nil }
            names.append(text)
        }
        return names.joined(separator: "/")
    }

    /// Calls a C library function with a path in which encoded names are decoded.
    static func withPath<Result>(_ path: String, _ call: (UnsafePointer<CChar>) -> Result) -> Result {
        isPlain(path) ? path.withCString(call) : call(bytes(of: path).map(CChar.init(bitPattern:)))
    }

    /// Returns the bytes of a path for the system, with a terminating NUL.
    package static func bytes(of path: String) -> [UInt8] {
        guard !isPlain(path) else { return Array(path.utf8) + [0] }
        let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        let names = segments.map { decodedName(encodedAs: Array($0)[...]) ?? Array($0) }
        return Array(names.joined(separator: [slash])) + [0]
    }

    /// Returns whether no component of a path is the encoding of another name.
    static func isPlain(_ path: String) -> Bool {
        #if os(Linux)
            guard zip(path.utf8, path.utf8.dropFirst()).contains(where: { $0 == percent && $1 == percent }) else {
                return true
            }
            let segments = path.utf8.split(separator: slash)
            return !segments.contains { $0.starts(with: escapePrefix) && decodedName(encodedAs: Array($0)[...]) != nil }
        #else
            return true
        #endif
    }

    private static func encoding(of bytes: [UInt8]) -> String {
        var (text, remaining) = (escapePrefix, bytes[...])
        while let first = remaining.first {
            if let length = characterLength(remaining), first != percent {
                text += remaining.prefix(length)
                remaining = remaining.dropFirst(length)
            } else {
                text += [percent, digit(first >> 4), digit(first & 15)]
                remaining = remaining.dropFirst()
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the name that a text encodes; `nil` if the text is not an encoded name.
    private static func decodedName(encodedAs text: ArraySlice<UInt8>) -> [UInt8]? {
        #if os(Linux)
            guard text.starts(with: escapePrefix) else { return nil }
            var (bytes, remaining) = ([UInt8](), text.dropFirst(escapePrefix.count))
            while let first = remaining.popFirst() {
                guard first == percent else {
                    bytes.append(first)
                    continue
                }
                guard let high = remaining.popFirst().flatMap(value), let low = remaining.popFirst().flatMap(value)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            }
            let isOther =
                !bytes.contains(0) && !bytes.contains(slash) && String(validating: bytes, as: UTF8.self) == nil
            return isOther && encoding(of: bytes).utf8.elementsEqual(text) ? bytes : nil
        #else
            return nil
        #endif
    }

    /// Returns the length in bytes of the UTF-8 character at the beginning of the bytes; `nil` if there is none.
    private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        (1...4).first { $0 <= bytes.count && String(validating: bytes.prefix($0), as: UTF8.self) != nil }
    }

    private static func digit(_ value: UInt8) -> UInt8 { Array("0123456789ABCDEF".utf8)[Int(value)] }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
