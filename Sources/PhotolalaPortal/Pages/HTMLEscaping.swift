import Mustache

/// How texts come into pages. Mustache's own way looks at whole characters, and so lets a `<` or `"` through to which a
/// combining mark or a prefix is attached; a browser looks at each scalar.
struct HTMLEscaping: MustacheContentType {
    /// The templates' pragma; the layout has it, for all that stands in its blocks.
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
