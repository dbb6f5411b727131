/// The value of one preference: a Boolean, a number or a string.
public enum PreferenceValue: Codable, Sendable, Equatable {
    /// `true` or `false`.
    case bool(Bool)
    /// A number from -9,007,199,254,740,991 to 9,007,199,254,740,991 (RFC 7493 section 2.2). Outside this range, JSON
    /// parsers disagree about the last digits.
    case number(Double)
    /// A string.
    case text(String)

    private static let numbers = -9_007_199_254_740_991.0...9_007_199_254_740_991.0

    /// Decodes a JSON boolean, number or string.
    /// - Throws: `DecodingError.typeMismatch` for any other type and `dataCorrupted` for a number out of range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else {
            let value: Double
            do {
                value = try container.decode(Double.self)
            } catch let error as DecodingError {
                throw error
            } catch {
                // For 1e400, Foundation throws its own error, which lacks the coding path.
                value = .infinity
            }
            guard Self.numbers.contains(value) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not from -(2^53 - 1) to 2^53 - 1"
                )
            }
            self = .number(value)
        }
    }

    /// Encodes the value as a JSON boolean, number or string.
    /// - Throws: `EncodingError.invalidValue` for a number out of range.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .number(let value):
            guard Self.numbers.contains(value) else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: encoder.codingPath, debugDescription: "not from -(2^53 - 1) to 2^53 - 1")
                )
            }
            try container.encode(value)
        case .text(let value): try container.encode(value)
        }
    }
}
