/// An element of plain XML from an external source: a name without prefix, its namespace, text and child elements.
/// Attributes are dropped.
package struct PlainElement: Sendable, Equatable {
    package let name: String
    /// The URI of the namespace as it is written in the document; `nil` if none is declared.
    package internal(set) var namespace: String?
    /// The concatenated text of the element itself.
    package internal(set) var text = ""
    package internal(set) var children: [PlainElement] = []

    /// Returns the first child with a name.
    package func child(_ name: String) -> PlainElement? { children.first { $0.name == name } }

    /// Returns the text of the first child with a name.
    package func value(_ name: String) -> String? { child(name)?.text }
}

/// The document is not XML, or exceeds the plain XML subset.
package struct XMLError: Error, Equatable {}
