/// The value of one preference: a truth value, a number or a text.
public enum PreferenceValue: Codable, Sendable, Equatable {
    /// `true` or `false`.
    case bool(Bool)
    /// A finite number.
    case number(Double)
    /// A text.
    case text(String)

    /// Decodes a JSON boolean, number or string; throws `DecodingError.typeMismatch` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Encodes the value as itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        }
    }
}
