import Foundation

/// Reads JSON (RFC 8259) from untrusted input as a value, strictly: see `JSONParser`.
package enum JSONReader {
    /// More nesting than any token or key set has.
    private static let maximumDepth = 16

    /// Parses a JSON text.
    /// - Throws: `JSONError` if the text is not JSON, not UTF-8, nested too deeply, or repeats a member name.
    package static func read(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONValue {
        try read(Array(bytes))
    }

    /// Parses a JSON text. Tokens arrive as `Data`, whose bytes are copied without generic code.
    /// - Throws: `JSONError` if the text is not JSON, not UTF-8, nested too deeply, or repeats a member name.
    package static func read(_ bytes: Data) throws(JSONError) -> JSONValue {
        try read([UInt8](bytes))
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        try value(0, of: try JSONText(bytes, maximumDepth: maximumDepth))
    }

    private static func value(_ index: Int, of text: JSONText) throws(JSONError) -> JSONValue {
        let node = text.nodes[index]
        switch node.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number:
            guard let number = text.number(node) else { throw .notJSON }
            return .number(number)
        case .string, .escapedString: return .string(text.string(node))
        case .array: return try array(index, of: text)
        case .object: return try object(index, of: text)
        }
    }

    private static func array(_ array: Int, of text: JSONText) throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        var index = array + 1
        for _ in 0..<text.nodes[array].count {
            elements.append(try value(index, of: text))
            index = Int(text.nodes[index].next)
        }
        return .array(elements)
    }

    private static func object(_ object: Int, of text: JSONText) throws(JSONError) -> JSONValue {
        var members = [String: JSONValue](minimumCapacity: Int(text.nodes[object].count))
        var index = object + 1
        for _ in 0..<text.nodes[object].count {
            // Names that Unicode considers equal are repeated too.
            let member = try value(index + 1, of: text)
            guard members.updateValue(member, forKey: text.string(text.nodes[index])) == nil else {
                throw .repeatedName
            }
            index = Int(text.nodes[index + 1].next)
        }
        return .object(members)
    }
}
