/// AWS's percent-encoding: all bytes of UTF-8 other than `A-Z a-z 0-9 - . _ ~` become `%XX` in upper case. A `+` is a
/// plus sign, in paths and in queries.
package enum AWSPercentEncoding {
    /// Encodes a path or a part of one.
    /// - Parameter keepingSlash: `true` for whole paths, `false` for query names, query values and single segments.
    package static func encode(_ text: some StringProtocol, keepingSlash: Bool = false) -> String {
        isEncoded(text, keepingSlash) ? String(text) : encode(bytes: text.utf8, keepingSlash: keepingSlash)
    }

    /// Removes the percent-encoding; returns `nil` for a `%` without two hex digits or for bytes that are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        guard let bytes = decodedBytes(text) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the decoded parameters of a raw query in their order; `nil` if one of them cannot be decoded. An empty
    /// item (`a&&b`) is dropped, a name without `=` has an empty value.
    package static func parseQuery(_ raw: String) -> [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        for (name, value) in rawItems(raw) {
            guard let name = decode(name), let value = decode(value) else { return nil }
            items.append((name, value))
        }
        return items
    }

    /// Splits a query by bytes: finding the characters of a session token costs more than checking the signature.
    static func rawItems(_ query: String) -> [(name: Substring, value: Substring)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            return (Substring(name), Substring(item[name.endIndex...].dropFirst()))
        }
    }

    /// Normalizes the encoding of a text: a valid encoding is decoded first, so `%7e`, `%7E` and `~` have the same
    /// result.
    static func canonical(_ text: some StringProtocol, keepingSlash: Bool = false) -> String {
        if isEncoded(text, keepingSlash) { return String(text) }
        guard let bytes = decodedBytes(text) else { return encode(bytes: text.utf8, keepingSlash: keepingSlash) }
        return encode(bytes: bytes, keepingSlash: keepingSlash)
    }

    /// Returns whether a text contains only bytes that are not encoded.
    private static func isEncoded(_ text: some StringProtocol, _ keepingSlash: Bool) -> Bool {
        text.utf8.allSatisfy { isUnreserved($0) || keepingSlash && $0 == UInt8(ascii: "/") }
    }

    private static func encode(bytes: some Sequence<UInt8>, keepingSlash: Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded = [UInt8]()
        encoded.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isUnreserved(byte) || (keepingSlash && byte == UInt8(ascii: "/")) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func decodedBytes(_ text: some StringProtocol) -> [UInt8]? {
        var decoded = [UInt8]()
        decoded.reserveCapacity(text.utf8.count)
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(hexValue), let low = bytes.next().flatMap(hexValue) else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
