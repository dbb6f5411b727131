/// Decodes the elements of an array.
struct JSONElements: UnkeyedDecodingContainer {
    private let input: JSONInput
    private let array: Int
    /// The node of the next element.
    private var index: Int
    private(set) var currentIndex = 0

    init(input: JSONInput, array: Int) {
        self.input = input
        self.array = array
        index = array + 1
    }

    var codingPath: [any CodingKey] { input.path(to: array) }
    var count: Int? { Int(input.text.nodes[array].count) }
    var isAtEnd: Bool { currentIndex >= Int(input.text.nodes[array].count) }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw ended(Never.self) }
        guard input.isNull(at: index) else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd else { throw ended(type) }
        let value = try input.decode(type, at: index)
        advance()
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        guard !isAtEnd else { throw ended((any Decoder).self) }
        defer { advance() }
        return JSONValueDecoder(input: input, index: index)
    }

    private mutating func advance() {
        index = Int(input.text.nodes[index].next)
        currentIndex += 1
    }

    private func ended(_ type: any Any.Type) -> DecodingError {
        .valueNotFound(type, input.context("The array has no more elements.", at: array))
    }
}
