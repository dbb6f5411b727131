/// Decodes the value of one node.
struct JSONValueDecoder: Decoder {
    let input: JSONInput
    let index: Int

    var codingPath: [any CodingKey] { input.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard input.text.nodes[index].kind == .object else { throw input.mismatch([String: Any].self, at: index) }
        return KeyedDecodingContainer(JSONMembers<Key>(input: input, object: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard input.text.nodes[index].kind == .array else { throw input.mismatch([Any].self, at: index) }
        return JSONElements(input: input, array: index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { input.isNull(at: index) }
    func decode(_ type: Bool.Type) throws -> Bool { try input.bool(at: index) }
    func decode(_ type: String.Type) throws -> String { try input.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try input.double(at: index) }
    func decode(_ type: Float.Type) throws -> Float { Float(try input.double(at: index)) }
    func decode(_ type: Int.Type) throws -> Int { try input.integer(type, at: index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try input.integer(type, at: index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try input.integer(type, at: index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try input.integer(type, at: index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try input.integer(type, at: index) }
    func decode(_ type: UInt.Type) throws -> UInt { try input.integer(type, at: index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try input.integer(type, at: index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try input.integer(type, at: index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try input.integer(type, at: index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try input.integer(type, at: index) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try input.decode(type, at: index) }
}
