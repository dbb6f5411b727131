import Foundation

/// Parses one JSON text (RFC 8259) strictly. Foundation's parser silently keeps one of two members with the same name,
/// but RFC 7515 section 4 and RFC 7519 section 4 require such a token to be rejected: two parsers could see two
/// different tokens.
package struct JSONReader {
    /// More nesting than any token or key set has; bounds the recursion.
    private static let maximumDepth = 16

    private let bytes: [UInt8]
    private var position = 0

    /// Parses a JSON text.
    /// - Throws: `JSONError` if the text is not JSON, not UTF-8, nested too deeply, or repeats a member name.
    package static func read(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONValue {
        try read(Array(bytes))
    }

    /// Parses a JSON text. Tokens arrive as `Data`, whose bytes are copied without generic code.
    /// - Throws: `JSONError` if the text is not JSON, not UTF-8, nested too deeply, or repeats a member name.
    package static func read(_ bytes: Data) throws(JSONError) -> JSONValue {
        try read([UInt8](bytes))
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.peek == nil else { throw .notJSON }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw .tooDeep }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard consume(byte) else { throw .notJSON }
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            let name = try string()
            skipSpace()
            guard consume(UInt8(ascii: ":")) else { throw .notJSON }
            guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else { throw .repeatedName }
            skipSpace()
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "}")) else { throw .notJSON }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "]")) else { throw .notJSON }
        return .array(elements)
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> Double {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try digits() }
        if consume(UInt8(ascii: ".")) { try digits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try digits()
        }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else { throw .notJSON }
        return number
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw .notJSON }
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        guard consume(UInt8(ascii: "\"")) else { throw .notJSON }
        let start = position
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        var text = bytes[start..<position]
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw .notJSON }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw .notJSON
            default: text.append(byte)
            }
        }
        throw .notJSON
    }

    private mutating func escape(into text: inout ArraySlice<UInt8>) throws(JSONError) {
        guard let byte = peek else { throw .notJSON }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: try escapedScalar().utf8)
        default: throw .notJSON
        }
    }

    /// Parses one scalar from a `\u` escape or a surrogate pair; rejects a lone surrogate.
    private mutating func escapedScalar() throws(JSONError) -> String {
        let first = try hexDigits()
        guard (0xd800...0xdbff).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw .notJSON }
            return String(scalar)
        }
        guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else { throw .notJSON }
        let second = try hexDigits()
        guard (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw .notJSON }
        return String(scalar)
    }

    private mutating func hexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .notJSON }
            position += 1
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

/// Why a text was rejected as JSON.
package enum JSONError: Error, Equatable {
    case notJSON
    case tooDeep
    /// RFC 8259 permits a repeated member name; this parser rejects it.
    case repeatedName
}
