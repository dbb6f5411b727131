import Foundation

/// Encodes values that a page passes to its script in attributes.
enum ScriptValue {
    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
