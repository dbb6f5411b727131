/// The parameters of an `application/x-www-form-urlencoded` body. A repeated parameter makes the whole body invalid
/// (RFC 6749 section 3.2); an empty one counts as absent.
package struct FormParameters: Sendable {
    private static let maximumSize = 64 * 1024
    /// The longest name in bytes. A dictionary hashes names in their normal form, which takes more than linear time for
    /// many combining marks.
    private static let longestName = 256

    private let values: [String: String]

    package init?(_ body: some Sequence<UInt8>) {
        let body = Array(body.prefix(Self.maximumSize + 1))
        guard body.count <= Self.maximumSize else { return nil }
        var values: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), name.utf8.count <= Self.longestName,
                let value = parts.count == 2 ? Self.decode(parts[1]) : "",
                values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        self.values = values
    }

    /// The names of all parameters, unordered.
    package var names: some Sequence<String> { values.keys }

    package subscript(_ name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var remaining = text
        while let byte = remaining.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = remaining.popFirst().flatMap(hexDigit),
                    let low = remaining.popFirst().flatMap(hexDigit)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
