/// What a `Content-Type` says (RFC 9110 section 8.3): a type, and perhaps the characters' encoding.
struct MediaType: Sendable, Equatable {
    static let json = "application/json"
    static let form = "application/x-www-form-urlencoded"

    /// Lower case.
    let name: String
    /// Lower case; `nil` when none is named.
    let charset: String?

    /// Gives `nil` for what is not of the form.
    init?(_ text: String) {
        var rest = Substring(text)
        guard let main = Self.token(&rest), rest.popFirst() == "/", let sub = Self.token(&rest) else { return nil }
        name = "\(main)/\(sub)".lowercased()
        var charset: String?
        while true {
            Self.skipSpace(&rest)
            guard let mark = rest.popFirst() else { break }
            guard mark == ";" else { return nil }
            Self.skipSpace(&rest)
            // A parameter may be missing between semicolons.
            guard let parameter = Self.token(&rest) else { continue }
            guard rest.popFirst() == "=", let value = Self.token(&rest) ?? Self.quoted(&rest) else { return nil }
            if parameter.lowercased() == "charset" {
                guard charset == nil else { return nil }
                charset = value.lowercased()
            }
        }
        self.charset = charset
    }

    /// Whether it is `type` in UTF-8, which is what no charset means here.
    func isUTF8(_ type: String) -> Bool { name == type && (charset == nil || charset == "utf-8") }

    private static func skipSpace(_ rest: inout Substring) { rest = rest.drop { $0 == " " || $0 == "\t" } }

    private static func token(_ rest: inout Substring) -> String? {
        let token = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
        rest = rest[token.endIndex...]
        return token.isEmpty ? nil : String(token)
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
