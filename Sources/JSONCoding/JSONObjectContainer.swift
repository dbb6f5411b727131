/// Encodes the members of an object.
struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: JSONOutput
    /// The number of containers around the object.
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    private func begin(_ key: Key) { output.beginMember(key.stringValue, depth: depth) }

    func encodeNil(forKey key: Key) {
        begin(key)
        output.writeNull()
    }

    func encode(_ value: Bool, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    func encode(_ value: String, forKey key: Key) {
        begin(key)
        output.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        begin(key)
        try output.write(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        begin(key)
        output.write(Int64(value))
    }

    func encode(_ value: Int64, forKey key: Key) {
        begin(key)
        output.write(Int64(value))
    }

    func encode(_ value: UInt32, forKey key: Key) {
        begin(key)
        output.write(UInt64(value))
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        begin(key)
        try output.write(value, depth: depth + 1)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        output.beginMember("super", depth: depth)
        return JSONValueEncoder(output: output, depth: depth + 1)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        begin(key)
        return JSONValueEncoder(output: output, depth: depth + 1)
    }
}
