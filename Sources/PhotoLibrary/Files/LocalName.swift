/// Names of files as the file system has them and as a library spells them.
///
/// Both are the same for a name that is UTF-8. Linux allows any bytes: a name that is not UTF-8 is spelled as `%%` and the
/// name, in which each byte that is not part of a UTF-8 character, and each `%`, is `%` and two hexadecimal digits. Each such
/// name has one spelling and each spelling one name, so a restore on Linux gives the bytes back. Other systems have no such
/// names; a spelling is an ordinary name there.
package enum LocalName {
    private static let mark = Array("%%".utf8)
    private static let percent = UInt8(ascii: "%")
    private static let slash = UInt8(ascii: "/")

    /// How a library spells a name; `nil` for a UTF-8 name that is the spelling of another one.
    static func text(of bytes: [UInt8]) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) {
            return name(spelledBy: bytes[...]) == nil ? text : nil
        }
        return spelling(of: bytes)
    }

    /// Calls a function of the C library with a path, in which spelled names are the names that they stand for.
    static func with<Result>(_ path: String, _ call: (UnsafePointer<CChar>) -> Result) -> Result {
        isPlain(path) ? path.withCString(call) : call(bytes(of: path).map(CChar.init(bitPattern:)))
    }

    /// A path's bytes for the system, with a NUL at the end.
    package static func bytes(of path: String) -> [UInt8] {
        guard !isPlain(path) else { return Array(path.utf8) + [0] }
        let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        let names = segments.map { name(spelledBy: Array($0)[...]) ?? Array($0) }
        return Array(names.joined(separator: [slash])) + [0]
    }

    /// Whether no name in a path is the spelling of another one.
    static func isPlain(_ path: String) -> Bool {
        #if os(Linux)
            guard zip(path.utf8, path.utf8.dropFirst()).contains(where: { $0 == percent && $1 == percent }) else {
                return true
            }
            let segments = path.utf8.split(separator: slash)
            return !segments.contains { $0.starts(with: mark) && name(spelledBy: Array($0)[...]) != nil }
        #else
            return true
        #endif
    }

    private static func spelling(of bytes: [UInt8]) -> String {
        var (text, rest) = (mark, bytes[...])
        while let first = rest.first {
            if let length = characterLength(rest), first != percent {
                text += rest.prefix(length)
                rest = rest.dropFirst(length)
            } else {
                text += [percent, digit(first >> 4), digit(first & 15)]
                rest = rest.dropFirst()
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The name that a text is the spelling of; `nil` for any other text.
    private static func name(spelledBy text: ArraySlice<UInt8>) -> [UInt8]? {
        #if os(Linux)
            guard text.starts(with: mark) else { return nil }
            var (bytes, rest) = ([UInt8](), text.dropFirst(mark.count))
            while let first = rest.popFirst() {
                guard first == percent else {
                    bytes.append(first)
                    continue
                }
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            }
            let isOther =
                !bytes.contains(0) && !bytes.contains(slash) && String(validating: bytes, as: UTF8.self) == nil
            return isOther && spelling(of: bytes).utf8.elementsEqual(text) ? bytes : nil
        #else
            return nil
        #endif
    }

    /// How many bytes the UTF-8 character takes that the bytes begin with; `nil` where they begin with none.
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
