/// A media type (RFC 9110 section 8.3) with an optional charset.
struct MediaType: Sendable, Equatable {
    static let json = "application/json"
    static let form = "application/x-www-form-urlencoded"

    /// The type and subtype in lower case.
    let name: String
    /// The charset in lower case, `nil` if absent.
    let charset: String?

    /// Returns `nil` for a malformed value.
    init?(_ text: String) {
        var rest = Substring(text)
        guard let main = Self.token(&rest), rest.popFirst() == "/", let sub = Self.token(&rest) else { return nil }
        name = "\(main)/\(sub)".lowercased()
        var charset: String?
        while true {
            Self.skipSpace(&rest)
            guard let separator = rest.popFirst() else { break }
            guard separator == ";" else { return nil }
            Self.skipSpace(&rest)
            // Parameters between semicolons may be empty.
            guard let parameter = Self.token(&rest) else { continue }
            guard rest.popFirst() == "=", let value = Self.token(&rest) ?? Self.quoted(&rest) else { return nil }
            if parameter.lowercased() == "charset" {
                guard charset == nil else { return nil }
                charset = value.lowercased()
            }
        }
        self.charset = charset
    }

    /// Returns whether this is `type` in UTF-8. A missing charset means UTF-8.
    func isUTF8(_ type: String) -> Bool { name == type && (charset == nil || charset == "utf-8") }

    private static func skipSpace(_ rest: inout Substring) { rest = rest.drop { $0 == " " || $0 == "\t" } }

    private static func token(_ rest: inout Substring) -> String? {
        let token = rest.utf8.prefix(while: isTokenByte)
        rest = rest[token.endIndex...]
        return token.isEmpty ? nil : String(Substring(token))
    }

    /// RFC 9110 section 5.6.2. Bytes, because the properties of characters are looked up in tables.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func quoted(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else { return nil }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            if character == "\"" { return value }
            guard character != "\\" else {
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
                continue
            }
            value.append(character)
        }
        return nil
    }
}
