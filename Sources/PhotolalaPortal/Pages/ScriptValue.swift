import Foundation

/// Values that a page carries for its script, in attributes.
enum ScriptValue {
    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
