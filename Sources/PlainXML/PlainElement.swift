/// An element of plain XML as somebody else sent it: a name without prefix, text and elements. Attributes are dropped.
package struct PlainElement: Sendable, Equatable {
    package let name: String
    /// All of the element's own text in one.
    package internal(set) var text = ""
    package internal(set) var children: [PlainElement] = []

    /// The first child of that name.
    package func child(_ name: String) -> PlainElement? { children.first { $0.name == name } }

    /// The text of the first child of that name.
    package func value(_ name: String) -> String? { child(name)?.text }
}

/// The document is no XML, or more than plain XML.
package struct XMLError: Error, Equatable {}
