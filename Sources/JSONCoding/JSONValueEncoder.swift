import Foundation

/// Encodes one value into the output, without coding paths and user info: encoding fails only for numbers that are not
/// finite.
struct JSONValueEncoder: Encoder {
    let output: JSONOutput
    /// The number of containers around the value.
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        output.openContainer(isObject: true, depth: depth)
        return KeyedEncodingContainer(JSONObjectContainer<Key>(output: output, depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        output.openContainer(isObject: false, depth: depth)
        return JSONArrayContainer(output: output, depth: depth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { output.writeNull() }
    func encode(_ value: Bool) { output.write(value) }
    func encode(_ value: String) { output.write(value) }
    func encode(_ value: Double) throws { try output.write(value) }
    func encode(_ value: Float) throws { try output.write(value) }
    func encode(_ value: Int) { output.write(Int64(value)) }
    func encode(_ value: Int8) { output.write(Int64(value)) }
    func encode(_ value: Int16) { output.write(Int64(value)) }
    func encode(_ value: Int32) { output.write(Int64(value)) }
    func encode(_ value: Int64) { output.write(value) }
    func encode(_ value: UInt) { output.write(UInt64(value)) }
    func encode(_ value: UInt8) { output.write(UInt64(value)) }
    func encode(_ value: UInt16) { output.write(UInt64(value)) }
    func encode(_ value: UInt32) { output.write(UInt64(value)) }
    func encode(_ value: UInt64) { output.write(value) }
    func encode(_ value: some Encodable) throws { try output.write(value, depth: depth) }
}
