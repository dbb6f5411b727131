import Mustache

/// Escapes text in pages. Mustache's own escaping compares whole characters and misses a `<` or `"` with a combining
/// mark or a prefix; browsers parse scalars.
struct HTMLEscaping: MustacheContentType {
    /// The name in the templates' pragma. The layout's pragma also covers the content of its blocks.
    static let name = "PAGE"

    func escapeText(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
