import Foundation

/// Writes one JSON object (RFC 8259) member by member, as `CompactJSON` does: for what is written with each request.
package struct JSONObjectWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() { bytes.reserveCapacity(1024) }

    /// Appends a text.
    package mutating func append(_ name: StaticString, _ value: String) {
        begin(name)
        var text = value
        text.withUTF8 { JSONString.append($0, to: &bytes) }
    }

    /// Appends a whole number.
    package mutating func append(_ name: StaticString, _ value: Int) {
        begin(name)
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Appends a truth value.
    package mutating func append(_ name: StaticString, _ value: Bool) {
        begin(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Appends a date in whole seconds.
    package mutating func append(_ name: StaticString, _ value: Date) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        JSONDate.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a UUID in upper case.
    package mutating func append(_ name: StaticString, _ value: UUID) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        UUIDText.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends an object with the members that `write` appends.
    package mutating func append(_ name: StaticString, _ write: (inout JSONObjectWriter) -> Void) {
        begin(name)
        appendObject(write)
    }

    /// Appends an array of objects.
    /// - Parameter write: Appends the members of the object at an index from 0.
    package mutating func append(
        _ name: StaticString, count: Int, _ write: (inout JSONObjectWriter, _ index: Int) -> Void
    ) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for index in 0..<count {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            appendObject { write(&$0, index) }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Returns the object's bytes.
    package consuming func finished() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func appendObject(_ write: (inout JSONObjectWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        write(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Begins a member, whose name needs no escapes. No value ends with an opening brace.
    private mutating func begin(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }
}
