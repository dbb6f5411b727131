/// Writes one JSON object (RFC 8259) member by member, for the claims that are written with each token.
package struct JSONObjectWriter {
    private var bytes: [UInt8] = []

    package init() { bytes.reserveCapacity(512) }

    /// Appends a text.
    package mutating func append(_ name: StaticString, _ value: String) {
        append(name)
        append(value)
    }

    /// Appends a whole number.
    package mutating func append(_ name: StaticString, _ value: Int) {
        append(name)
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Appends an object.
    package mutating func append(_ name: StaticString, _ value: JSONObjectWriter) {
        append(name)
        bytes.append(contentsOf: value.finished())
    }

    /// Returns the object's bytes.
    package func finished() -> [UInt8] {
        bytes.isEmpty ? Array("{}".utf8) : bytes + CollectionOfOne(UInt8(ascii: "}"))
    }

    private mutating func append(_ name: StaticString) {
        bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        append(name.description)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { JSONString.append($0, to: &bytes) }
    }
}
