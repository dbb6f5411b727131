import Foundation

/// The JSON of the wire format: RFC 3339 dates with `Z`, in whole seconds.
public enum WireJSON {
    /// Returns a new encoder that does not escape slashes.
    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }

    /// Returns a new decoder.
    public static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
