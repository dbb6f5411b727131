/// An object's version tag: opaque, without the quotes used in HTTP.
///
/// Stores derive it from the content, so equal bytes have equal tags: a document whose history matters contains a
/// version.
package struct ETag: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
