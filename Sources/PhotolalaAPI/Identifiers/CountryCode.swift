/// The code of a country: two letters of ISO 3166-1, such as `DE`.
public struct CountryCode: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The letters in upper case.
    public let description: String

    /// Creates a code, or returns `nil` for anything but two letters of `A-Z`.
    public init?(_ description: String) {
        let letters = description.utf8
        guard letters.count == 2, letters.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            return nil
        }
        self.description = description
    }

    /// Decodes a code.
    /// - Throws: `DecodingError.dataCorrupted` for a malformed code.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = CountryCode(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a country code")
            )
        }
        self = value
    }

    /// Encodes the code as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
