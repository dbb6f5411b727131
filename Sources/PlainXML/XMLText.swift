/// Builds a document, element by element.
package struct XMLText: Sendable {
    package private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    package init() {}

    /// An element with what `content` writes into it.
    package mutating func element(_ name: String, _ content: (inout XMLText) -> Void) {
        text += "<\(name)>"
        content(&self)
        text += "</\(name)>"
    }

    /// The outermost element, in S3's namespace.
    package mutating func root(_ name: String, _ content: (inout XMLText) -> Void) {
        text += "<\(name) xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        content(&self)
        text += "</\(name)>"
    }

    /// An element with text; an optional that is `nil` writes nothing.
    package mutating func element(_ name: String, _ value: String?) {
        guard let value else { return }
        element(name) { $0.escaped(value) }
    }

    /// Text inside of the element that is being written.
    package mutating func escaped(_ value: String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\t", "\n", "\r": text += "&#\(scalar.value);"
            case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": text += "\u{fffd}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
