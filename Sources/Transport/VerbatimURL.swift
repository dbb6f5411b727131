/// Checks which URLs the client sends unchanged. The client encodes characters that are invalid in a URL (RFC 3986)
/// and drops a path whose escapes are not UTF-8; the request would then differ from the signed one, or name another
/// object. Such URLs are rejected instead.
package enum VerbatimURL {
    package static func isVerbatim(_ url: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return false }
        let remainder = url.utf8.dropFirst(scheme.utf8.count)
        let host = remainder.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard hasPossiblePort(host) else { return false }
        let target = remainder[host.endIndex...]
        // Brackets are valid only around an IPv6 address.
        guard !target.contains(UInt8(ascii: "[")), !target.contains(UInt8(ascii: "]")) else { return false }
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        // Escapes are invalid there, and the client would decode them.
        guard !host.contains(UInt8(ascii: "[")) || !host.contains(UInt8(ascii: "%")) else { return false }
        guard decoded(host) != nil, decoded(target[path.endIndex...]) != nil, let bytes = decoded(path) else {
            return false
        }
        return bytes.isEmpty || String(validating: bytes, as: UTF8.self) != nil
    }

    /// Returns whether the port, if any, is one: the client crashes with a larger number.
    private static func hasPossiblePort(_ host: Substring.UTF8View) -> Bool {
        guard let colon = host.lastIndex(of: UInt8(ascii: ":")), host.last != UInt8(ascii: "]") else { return true }
        let digits = host[host.index(after: colon)...]
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return false }
        return digits.isEmpty || UInt16(Substring(digits)).map { $0 > 0 } == true
    }

    /// Returns `nil` if a byte is invalid in a URL or an escape is malformed, and no bytes for a text without escapes,
    /// which is ASCII then.
    private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "%")) else { return text.allSatisfy(isLegal) ? [] : nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var remaining = text
        while let byte = remaining.popFirst() {
            guard isLegal(byte) else { return nil }
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = hexDigit(remaining.popFirst()), let low = hexDigit(remaining.popFirst()) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// A fragment is never sent, so `#` is invalid too.
    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "#"):
            false
        default: (UInt8(ascii: "!")...UInt8(ascii: "~")).contains(byte)
        }
    }

    private static func hexDigit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    }
}
