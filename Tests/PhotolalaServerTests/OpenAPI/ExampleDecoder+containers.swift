extension ExampleDecoder {
    /// A place in the example.
    struct Position: Decoder {
        let decoder: ExampleDecoder
        let codingPath: [any CodingKey]
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            KeyedDecodingContainer(Members(decoder: decoder, codingPath: codingPath))
        }
        func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
            Elements(decoder: decoder, codingPath: codingPath)
        }
        func singleValueContainer() throws -> any SingleValueDecodingContainer {
            Single(decoder: decoder, codingPath: codingPath)
        }
    }

    /// The value of an optional element.
    struct Single: SingleValueDecodingContainer {
        let decoder: ExampleDecoder
        let codingPath: [any CodingKey]

        func decodeNil() -> Bool { false }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type, at: codingPath) }
    }

    struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: ExampleDecoder
        let codingPath: [any CodingKey]
        // A dictionary would ask for its keys, and has no members whose names could be compared.
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { decoder.hasOptionals }
        func decodeNil(forKey key: Key) throws -> Bool { !decoder.hasOptionals }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try decoder.value(type, at: codingPath + [key])
        }
        func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
            decoder.hasOptionals ? try decode(type, forKey: key) : nil
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw DocumentError("nested container") }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw DocumentError("nested container")
        }
        func superDecoder() throws -> any Decoder { throw DocumentError("super decoder") }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw DocumentError("super decoder") }
    }

    /// One element.
    struct Elements: UnkeyedDecodingContainer {
        let decoder: ExampleDecoder
        let codingPath: [any CodingKey]
        var currentIndex = 0
        var count: Int? { 1 }
        var isAtEnd: Bool { currentIndex == 1 }

        mutating func decodeNil() throws -> Bool { false }
        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            currentIndex += 1
            return try decoder.value(type, at: codingPath + [ElementKey()])
        }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { throw DocumentError("nested container") }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            throw DocumentError("nested container")
        }
        mutating func superDecoder() throws -> any Decoder { throw DocumentError("super decoder") }
    }

    struct ElementKey: CodingKey {
        init() {}
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
        var stringValue: String { "[]" }
        var intValue: Int? { nil }
    }
}
