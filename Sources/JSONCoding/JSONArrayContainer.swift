/// Encodes the elements of an array.
struct JSONArrayContainer: UnkeyedEncodingContainer {
    let output: JSONOutput
    /// The number of containers around the array.
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(output: JSONOutput, depth: Int) {
        self.output = output
        self.depth = depth
    }

    private mutating func begin() {
        output.beginElement(depth: depth)
        count += 1
    }

    mutating func encodeNil() {
        begin()
        output.writeNull()
    }

    mutating func encode(_ value: some Encodable) throws {
        begin()
        try output.write(value, depth: depth + 1)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<
        NestedKey
    > {
        superEncoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder {
        begin()
        return JSONValueEncoder(output: output, depth: depth + 1)
    }
}
