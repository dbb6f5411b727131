/// Builds an XML document element by element.
package struct XMLWriter: Sendable {
    package private(set) var text: String

    /// Begins a document.
    package init() { text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" }

    /// Begins a part of a document.
    package init(fragment: Void) { text = "" }

    /// Writes an empty element of another namespace; an element without one if it is `nil`.
    package mutating func empty(_ name: String, in namespace: String?) {
        guard let namespace else { return text += "<\(name)/>" }
        text += "<n:\(name) xmlns:n=\""
        escaped(namespace)
        text += "\"/>"
    }

    /// Writes an element with the content written by `content`.
    package mutating func element(_ name: String, _ content: (inout XMLWriter) -> Void) {
        text += "<\(name)>"
        content(&self)
        text += "</\(name)>"
    }

    /// Writes the root element, in S3's namespace.
    package mutating func root(_ name: String, _ content: (inout XMLWriter) -> Void) {
        text += "<\(name) xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        content(&self)
        text += "</\(name)>"
    }

    /// Writes an element with text; writes nothing for `nil`.
    package mutating func element(_ name: String, _ value: String?) {
        guard let value else { return }
        element(name) { $0.escaped(value) }
    }

    /// Writes escaped text into the current element.
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
