import Foundation

/// Decodes the values of one JSON text. A class, because each container holds it: a copy would retain two arrays.
final class JSONInput {
    let text: JSONText
    private let strictDates: Bool

    init(_ text: JSONText, strictDates: Bool) { (self.text, self.strictDates) = (text, strictDates) }

    /// Decodes the value of a node.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        let value: Any
        if type == Date.self {
            value = try date(at: index)
        } else if type == UUID.self {
            value = try uuid(at: index)
        } else if type == Data.self {
            value = try data(at: index)
        } else if type == URL.self {
            value = try url(at: index)
        } else {
            return try Value(from: JSONValueDecoder(input: self, index: index))
        }
        guard let value = value as? Value else { throw mismatch(type, at: index) }
        return value
    }

    func isNull(at index: Int) -> Bool { text.nodes[index].kind == .null }

    func bool(at index: Int) throws -> Bool {
        switch text.nodes[index].kind {
        case .true: true
        case .false: false
        default: throw mismatch(Bool.self, at: index)
        }
    }

    func string(at index: Int) throws -> String {
        let node = text.nodes[index]
        guard node.kind == .string || node.kind == .escapedString else { throw mismatch(String.self, at: index) }
        return text.string(node)
    }

    func integer<Value: FixedWidthInteger>(_ type: Value.Type, at index: Int) throws -> Value {
        let node = text.nodes[index]
        guard node.kind == .number else { throw mismatch(type, at: index) }
        guard let value = whole(type, node) else { throw corrupted("The number does not fit into \(type).", at: index) }
        return value
    }

    private func whole<Value: FixedWidthInteger>(_ type: Value.Type, _ node: JSONText.Node) -> Value? {
        guard let (magnitude, isNegative) = text.integer(node) else {
            // A whole number may also be written as 1.0 or 1e3.
            return text.number(node).flatMap(type.init(exactly:))
        }
        guard isNegative else { return Value(exactly: magnitude) }
        // The smallest number has no positive counterpart.
        return magnitude <= 1 << 63 ? Value(exactly: Int64(truncatingIfNeeded: 0 &- magnitude)) : nil
    }

    func double(at index: Int) throws -> Double {
        let node = text.nodes[index]
        guard node.kind == .number else { throw mismatch(Double.self, at: index) }
        guard let value = text.number(node), value.isFinite else {
            throw corrupted("The number does not fit into Double.", at: index)
        }
        return value
    }

    private func date(at index: Int) throws -> Date {
        let node = text.nodes[index]
        if node.kind == .string, let date = text.date(node) { return date }
        let written = try? string(at: index)
        guard let written, let date = try? Date(written, strategy: .iso8601),
            !strictDates || JSONDate.isWritten(date, as: written)
        else {
            if node.kind == .string || node.kind == .escapedString {
                throw corrupted("The text is not a date.", at: index)
            }
            throw mismatch(Date.self, at: index)
        }
        return date
    }

    private func uuid(at index: Int) throws -> UUID {
        guard let uuid = UUIDText.decode(try string(at: index)) else {
            throw corrupted("The text is not a UUID.", at: index)
        }
        return uuid
    }

    private func data(at index: Int) throws -> Data {
        guard let data = Data(base64Encoded: try string(at: index)) else {
            throw corrupted("The text is not base64.", at: index)
        }
        return data
    }

    private func url(at index: Int) throws -> URL {
        guard let url = URL(string: try string(at: index)) else { throw corrupted("The text is not a URL.", at: index) }
        return url
    }

    // MARK: Errors

    /// The error for a value of another type than wanted.
    func mismatch(_ type: any Any.Type, at index: Int) -> DecodingError {
        let context = context("The value is not a \(type).", at: index)
        return isNull(at: index) ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func corrupted(_ description: String, at index: Int) -> DecodingError {
        .dataCorrupted(context(description, at: index))
    }

    func context(_ description: String, at index: Int) -> DecodingError.Context {
        .init(codingPath: path(to: index), debugDescription: description)
    }

    /// Returns the names and indexes that lead to a node. Only errors need them, so they are looked up then.
    func path(to target: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container != target {
            let isObject = text.nodes[container].kind == .object
            var index = container + 1
            for position in 0..<Int(text.nodes[container].count) {
                let value = isObject ? index + 1 : index
                let next = Int(text.nodes[value].next)
                guard target >= next else {
                    path.append(isObject ? JSONPathKey(text.string(text.nodes[index])) : JSONPathKey(position))
                    container = value
                    break
                }
                index = next
            }
        }
        return path
    }
}

/// A member's name or an element's index in the path of an error.
struct JSONPathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}
