import Foundation
import PhotolalaAPI

/// Decodes examples of wire types without any input: with all members, or with the required ones only.
struct ExampleDecoder {
    /// Whether optional members are present.
    let hasOptionals: Bool
    /// The types of all values by path, for example `$.session.deviceID`.
    let types = TypeRecord()

    /// The types of an example's values.
    final class TypeRecord {
        fileprivate(set) var byPath: [String: Any.Type] = [:]
    }

    /// Returns an example. Throws for a type that this decoder does not know.
    func example<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try value(type, at: [])
    }

    func value<Value: Decodable>(_ type: Value.Type, at path: [any CodingKey]) throws -> Value {
        types.byPath[(["$"] + path.map(\.stringValue)).joined(separator: ".")] = type
        guard let leaf = Self.leaf(type) else { return try Value(from: Position(decoder: self, codingPath: path)) }
        guard let value = leaf as? Value else { throw DocumentError("no example of \(type)") }
        return value
    }

    /// Returns the example of a type that is not an object or array.
    private static func leaf(_ type: Any.Type) -> Any? {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: true
        case is Int.Type: 1
        case is Int64.Type: Int64(1)
        case is Double.Type: 1.5
        case is Date.Type: Date(timeIntervalSince1970: 1_763_700_000)
        case is Data.Type: Data([1])
        case is ProviderName.Type: ProviderName.apple
        case is CountryCode.Type: CountryCode("DE")
        case let type as any UUIDIdentifier.Type: type.init(uuid: UUID())
        case is [String: String].Type: ["name": "text"]
        case is [String: PreferenceValue].Type: ["name": PreferenceValue.bool(true)]
        case let type as any CaseIterable.Type: first(type)
        case let type as any (RawRepresentable<String>).Type: type.init(rawValue: "text")
        default: nil
        }
    }

    private static func first(_ type: (some CaseIterable).Type) -> Any? { type.allCases.first }
}
