/// An object's version tag: opaque, without the quotes that HTTP puts around it.
///
/// Engines take it from the content, so equal bytes give equal tags: a document whose history matters carries a
/// version of its own.
package struct ETag: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
