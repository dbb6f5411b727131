/// A JSON value (RFC 8259) from untrusted input.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// Infinite if the number is beyond the range of a double.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, if it is a whole one that a double represents exactly.
    package var integer: Int? {
        guard case .number(let number) = self, number.magnitude < 9_007_199_254_740_992 else { return nil }
        return Int(exactly: number)
    }

    package var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The elements, if this is an array of strings only.
    package var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}
