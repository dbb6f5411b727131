import Foundation
import Yams

/// A value of a YAML or JSON document.
enum DocumentValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([DocumentValue])
    case object([String: DocumentValue])

    /// Parses YAML.
    init(yaml: String) throws { try self.init(try Yams.load(yaml: yaml)) }

    /// Parses JSON, in which `1.0` is an integer as in JSON Schema.
    init(json: Data) throws { self = try JSONDecoder().decode(Self.self, from: json) }

    private init(_ any: Any?) throws {
        switch any {
        case nil, is NSNull: self = .null
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .integer(value)
        case let value as Double: self = Int(exactly: value).map(Self.integer) ?? .number(value)
        case let value as String: self = .string(value)
        case let value as [Any]: self = .array(try value.map { try Self($0) })
        case let value as [String: Any]: self = .object(try value.mapValues { try Self($0) })
        default: throw DocumentError("a value of type \(type(of: any))")
        }
    }

    var string: String? { if case .string(let value) = self { value } else { nil } }
    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    var array: [DocumentValue]? { if case .array(let value) = self { value } else { nil } }
    var object: [String: DocumentValue]? { if case .object(let value) = self { value } else { nil } }
    var strings: [String] { array?.compactMap(\.string) ?? [] }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    subscript(_ name: String) -> DocumentValue? { object?[name] }
}

extension DocumentValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([DocumentValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: DocumentValue].self))
        }
    }
}

/// A document that a test cannot read.
struct DocumentError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
