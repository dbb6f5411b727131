import HTTPTypes

/// The `If-Match` condition (RFC 9110 section 13.1.1).
enum IfMatch: Sendable, Equatable {
    /// `*`: any current representation.
    case any
    /// The current tag must be one of these. Weak tags never match and are dropped, so the list may be empty.
    case tags([String])

    /// Parses the header value. Returns `nil` if it is malformed.
    init?(_ text: String) {
        var rest = Substring(text)
        Self.skipSpace(&rest)
        if rest.first == "*" {
            rest.removeFirst()
            Self.skipSpace(&rest)
            guard rest.isEmpty else { return nil }
            self = .any
            return
        }
        var tags: [String] = []
        var hasTag = false
        while !rest.isEmpty {
            // A list may contain empty elements (RFC 9110 section 5.6.1.2).
            if rest.first != "," {
                let isWeak = rest.hasPrefix("W/")
                if isWeak { rest.removeFirst(2) }
                guard let tag = Self.opaqueTag(&rest) else { return nil }
                hasTag = true
                if !isWeak { tags.append(tag) }
                Self.skipSpace(&rest)
            }
            guard rest.isEmpty || rest.first == "," else { return nil }
            rest = rest.dropFirst()
            Self.skipSpace(&rest)
        }
        guard hasTag else { return nil }
        self = .tags(tags)
    }

    private static func skipSpace(_ rest: inout Substring) { rest = rest.drop { $0 == " " || $0 == "\t" } }

    private static func opaqueTag(_ rest: inout Substring) -> String? {
        guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
        let tag = rest[rest.index(after: rest.startIndex)..<end]
        guard tag.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else { return nil }
        rest = rest[rest.index(after: end)...]
        return String(tag)
    }
}
