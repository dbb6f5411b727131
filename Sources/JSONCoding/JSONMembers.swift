/// Decodes the members of an object.
struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// Above this number of members they are looked up by hash: a dictionary looks up each, and a search of all for
    /// each would take seconds for a body of the largest size.
    private static var fewMembers: Int { 64 }

    private let input: JSONInput
    private let object: Int
    private let indexes: [[UInt8]: Int]?

    init(input: JSONInput, object: Int) {
        self.input = input
        self.object = object
        indexes = input.text.nodes[object].count > Self.fewMembers ? input.text.members(of: object) : nil
    }

    /// Returns the node of a member's value.
    private func find(_ name: String) -> Int? {
        indexes.map { $0[Array(name.utf8)] } ?? input.text.member(name, of: object)
    }

    var codingPath: [any CodingKey] { input.path(to: object) }

    var allKeys: [Key] {
        var (keys, index) = ([Key](), object + 1)
        for _ in 0..<input.text.nodes[object].count {
            if let key = Key(stringValue: input.text.string(input.text.nodes[index])) { keys.append(key) }
            index = Int(input.text.nodes[index + 1].next)
        }
        return keys
    }

    private func index(_ key: Key) throws -> Int {
        guard let index = find(key.stringValue) else {
            throw DecodingError.keyNotFound(key, input.context("The member is missing.", at: object))
        }
        return index
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { input.isNull(at: try index(key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try input.bool(at: index(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try input.string(at: index(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try input.double(at: index(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try input.integer(type, at: index(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try input.decode(type, at: try index(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(at: try index(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(at: try index(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder(at: find("super") ?? object)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(at: try index(key)) }

    private func decoder(at index: Int) -> JSONValueDecoder { JSONValueDecoder(input: input, index: index) }
}
