import Foundation

/// Codes values as compact JSON (RFC 8259) in UTF-8: dates as RFC 3339 with `Z` in whole seconds, `Data` in base64,
/// members in the order in which they are encoded.
///
/// Used where JSON is read and written with each request. It costs a tenth of Foundation's coders, which keep an object
/// for each value, and rejects repeated member names.
package enum CompactJSON {
    /// More nesting than any document or body has.
    private static let maximumDepth = 64

    /// Encodes a value.
    /// - Throws: `EncodingError.invalidValue` for a number that is not finite, or whatever the value's `encode(to:)`
    ///   throws.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let output = JSONOutput()
        try output.write(value, depth: 0)
        output.close(to: 0)
        return output.bytes
    }

    /// Decodes a value.
    /// - Parameter strictDates: Whether dates must have the form in which they are written, and exist. Otherwise other
    ///   forms are read as Foundation does, which takes 30 February for 2 March.
    /// - Throws: `DecodingError`, with the path of the value that caused it; `dataCorrupted` without a path if the text
    ///   is not JSON, and then with `JSONError` as the underlying error.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], strictDates: Bool = false
    ) throws -> Value {
        let text: JSONText
        do throws(JSONError) {
            text = try JSONText(bytes, maximumDepth: maximumDepth)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The text is not valid JSON.", underlyingError: error))
        }
        return try JSONInput(text, strictDates: strictDates).decode(type, at: 0)
    }
}
