import PhotolalaAPI

/// An `Authorization` header field with an access token (RFC 6750 section 2.1, RFC 9449 section 7.1).
struct AccessTokenField {
    let type: TokenType
    let token: String

    /// Returns `nil` for any other scheme. Schemes are compared case-insensitively.
    init?(_ text: String) {
        let scheme = text.prefix { $0 != " " }
        guard let type = [TokenType.bearer, .dpop].first(where: { $0.rawValue.lowercased() == scheme.lowercased() }),
            scheme.endIndex != text.endIndex
        else { return nil }
        self.type = type
        token = text[scheme.endIndex...].drop { $0 == " " }.description
    }
}
