import Logging

/// A metadata value as JSON. Numbers and booleans keep their type; everything else is text.
enum JSONLogValue: Encodable {
    case text(String)
    case integer(Int64)
    case decimal(Double)
    case flag(Bool)
    case array([JSONLogValue])
    case object([String: JSONLogValue])

    init(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .stringConvertible(let value): self.init(value)
        case .array(let values): self = .array(values.map(JSONLogValue.init))
        case .dictionary(let values): self = .object(values.mapValues(JSONLogValue.init))
        }
    }

    private init(_ value: any CustomStringConvertible) {
        if let flag = value as? Bool {
            self = .flag(flag)
        } else if let integer = (value as? any BinaryInteger).flatMap({ Int64(exactly: $0) }) {
            self = .integer(integer)
        } else if let decimal = (value as? any BinaryFloatingPoint).map({ Double($0) }), decimal.isFinite {
            self = .decimal(decimal)
        } else {
            self = .text(value.description)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .integer(let integer): try container.encode(integer)
        case .decimal(let decimal): try container.encode(decimal)
        case .flag(let flag): try container.encode(flag)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}
