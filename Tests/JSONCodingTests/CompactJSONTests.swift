import Foundation
import JSONCoding
import PhotolalaTesting
import Testing

/// The coder of documents and bodies, compared with Foundation's.
@Suite struct CompactJSONTests {
    private static let foundationEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }()

    private static let foundationDecoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try CompactJSON.decode(type, from: Array(text.utf8))
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try CompactJSON.encode(value), as: UTF8.self)
    }

    @Test("both coders read what the other one writes")
    func agreement() throws {
        var generator = SeededGenerator(seed: 25)
        for _ in 0..<2000 {
            let sample = SampleValue.random(&generator)
            let ours = try CompactJSON.encode(sample)
            #expect(try Self.foundationDecoder.decode(SampleValue.self, from: Data(ours)) == sample)
            #expect(try CompactJSON.decode(SampleValue.self, from: ours) == sample)
            let foundations = try Self.foundationEncoder.encode(sample)
            #expect(try CompactJSON.decode(SampleValue.self, from: Array(foundations)) == sample)
        }
    }

    @Test("both coders accept the same damaged texts with the same result")
    func damage() throws {
        var generator = SeededGenerator(seed: 26)
        var (accepted, rejected) = (0, 0)
        for _ in 0..<4000 {
            var bytes = try CompactJSON.encode(SampleValue.random(&generator))
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = Array(#"{}[]",:\neE+-.0129utfZ"#.utf8).randomElement(using: &generator) ?? 0
            }
            let foundations = try? Self.foundationDecoder.decode(SampleValue.self, from: Data(bytes))
            do {
                let ours = try CompactJSON.decode(SampleValue.self, from: bytes)
                #expect(ours == foundations, "\(String(decoding: bytes, as: UTF8.self))")
                accepted += 1
            } catch DecodingError.dataCorrupted(let context) where isStricter(context, bytes) {
                rejected += 1
            } catch {
                #expect(foundations == nil, "\(String(decoding: bytes, as: UTF8.self)): \(error)")
                rejected += 1
            }
        }
        #expect(accepted > 100)
        #expect(rejected > 100)
    }

    /// Returns whether an error has a reason that Foundation's decoder does not know: a repeated name, an invalid
    /// string that is not decoded, or a UUID with a sign for a digit.
    private func isStricter(_ context: DecodingError.Context, _ bytes: [UInt8]) -> Bool {
        context.underlyingError as? JSONError == .repeatedName || context.codingPath.map(\.stringValue) == ["id"]
            || (try? JSONSerialization.jsonObject(with: Data(bytes))) == nil
    }

    @Test("dates are written and read as Foundation does")
    func dates() throws {
        var generator = SeededGenerator(seed: 27)
        let special: [Double] = [
            0, -1, -0.5, 951_782_399, 951_782_400, 951_868_800, -11_676_096_000, 253_402_300_799.9,
        ]
        let random = (0..<5000).map { _ in Double.random(in: -62_135_596_800..<253_402_300_800, using: &generator) }
        for time in special + random {
            let date = Date(timeIntervalSince1970: time)
            let written = try text([date])
            #expect(written == String(decoding: try Self.foundationEncoder.encode([date]), as: UTF8.self))
            #expect(
                try decode([Date].self, written) == Self.foundationDecoder.decode([Date].self, from: Data(written.utf8))
            )
        }
    }

    @Test(
        "other forms of dates are read as Foundation reads them",
        arguments: [
            "2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00.5Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00", "", "now",
            "0000-01-01T00:00:00Z", "1582-10-05T00:00:00Z", "1599-12-31T23:59:59Z", "+026-01-01T00:00:00Z",
            "2026-01-01T00:00:0\\u0030Z",
        ])
    func otherDates(text: String) {
        let json = "[\"\(text)\"]"
        let foundations = try? Self.foundationDecoder.decode([Date].self, from: Data(json.utf8))
        #expect((try? decode([Date].self, json)) == foundations)
    }

    @Test(
        "strict dates are real dates in the form in which they are written",
        arguments: [
            ("2026-11-21T05:03:50Z", true), ("2024-02-29T00:00:00Z", true), ("0001-01-01T00:00:00Z", true),
            ("1599-12-31T23:59:59Z", true), ("9999-12-31T23:59:59Z", true), ("2026-02-30T00:00:00Z", false),
            ("2026-02-29T00:00:00Z", false), ("0000-01-01T00:00:00Z", false), ("10000-01-01T00:00:00Z", false),
            ("2026-13-01T00:00:00Z", false), ("2026-01-01T24:00:00Z", false), ("2026-01-01T00:00:60Z", false),
            ("2026-01-01T00:00:00.5Z", false), ("2026-01-01T00:00:00+01:00", false), ("-001-01-01T00:00:00Z", false),
        ])
    func strictDates(text: String, isAccepted: Bool) throws {
        let dates = try? CompactJSON.decode([Date].self, from: Array("[\"\(text)\"]".utf8), strictDates: true)
        #expect((dates != nil) == isAccepted)
        if let dates { #expect(try self.text(dates) == "[\"\(text)\"]") }
    }

    @Test("numbers at the limits of their types")
    func numbers() throws {
        #expect(try decode([Int].self, "[\(Int.min),\(Int.max),-0]") == [.min, .max, 0])
        #expect(try decode([UInt64].self, text([UInt64.max, 0])) == [.max, 0])
        #expect(try decode([Int].self, "[1.0,1e3,-2E0]") == [1, 1000, -2])
        #expect(try text([0.1, 1, -2.5e300]) == "[0.1,1,-2.5e+300]")
        #expect(try text([Float(0.1)]) == "[0.1]")
        for (type, bad) in [("UInt8", "256"), ("UInt8", "-1"), ("Int", "1.5"), ("Int", "9223372036854775808")] {
            #expect(throws: DecodingError.self) {
                if type == "UInt8" {
                    _ = try decode([UInt8].self, "[\(bad)]")
                } else {
                    _ = try decode([Int].self, "[\(bad)]")
                }
            }
        }
        #expect(throws: DecodingError.self) { try decode([Double].self, "[1e999]") }
        #expect(throws: EncodingError.self) { try CompactJSON.encode([Double.nan]) }
    }

    @Test(
        "a repeated member name is an error, however it is written",
        arguments: [
            #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":1}"#, #"{"a":{},"b":{"c":1,"d":1,"c":1}}"#,
            "{\((0..<20).map { "\"n\($0)\":1," }.joined())\"n3\":1}",
            "{\((0..<20).map { "\"n\($0)\":1," }.joined())\"n\\u0033\":1}",
        ])
    func repeatedNames(text: String) {
        #expect(jsonError(of: text) == .repeatedName)
    }

    @Test("each of many members is found, and missing ones are not", arguments: [64, 65, 20_000])
    func manyMembers(count: Int) throws {
        let names = (0..<count).map { "name \($0 % 2 == 0 ? "\\u00e9" : "e\u{301}") \($0)" }
        let text = "{\(names.enumerated().map { "\"\($0.element)\":\($0.offset)" }.joined(separator: ","))}"
        let decoded = try decode([String: Int].self, text)
        #expect(decoded == (try Self.foundationDecoder.decode([String: Int].self, from: Data(text.utf8))))
        #expect(decoded.count == count)
        #expect(throws: DecodingError.self) { try decode(Outer.self, text) }
    }

    @Test("nesting is bounded")
    func nesting() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(jsonError(of: deepest) == nil)
        #expect(jsonError(of: "[\(deepest)]") == .tooDeep)
    }

    /// The error of the parser, which decoding wraps; `nil` if the text is JSON.
    private func jsonError(of text: String) -> JSONError? {
        do {
            _ = try decode(IgnoredValue.self, text)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.underlyingError as? JSONError
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("errors state the path of the value")
    func errors() throws {
        func path(_ text: String) -> String? {
            do {
                _ = try decode(Outer.self, text)
                return nil
            } catch DecodingError.keyNotFound(let key, let context) {
                return "no " + (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            } catch DecodingError.valueNotFound(_, let context) {
                return "null " + context.codingPath.map(\.stringValue).joined(separator: ".")
            } catch DecodingError.typeMismatch(_, let context) {
                return "type " + context.codingPath.map(\.stringValue).joined(separator: ".")
            } catch {
                return "\(error)"
            }
        }
        #expect(path(#"{"list":[{"name":"a"}]}"#) == nil)
        #expect(path(#"{"skipped":[[1],{"x":{}}],"list":[{"name":"a"},{}]}"#) == "no list.Index 1.name")
        #expect(path(#"{"list":[{"name":null}]}"#) == "null list.Index 0.name")
        #expect(path(#"{"list":{}}"#) == "type list")
        #expect(path("[]") == "type ")
        #expect(path("{}") == "no list")
    }

    @Test("values that ask for no container, single values and nested containers")
    func containers() throws {
        #expect(try text(Empty()) == "{}")
        #expect(try text([Empty(), Empty()]) == "[{},{}]")
        #expect(try text("a") == #""a""#)
        #expect(try text([Int?.none, 1]) == "[null,1]")
        #expect(try decode([Int?].self, "[null,1]") == [nil, 1])
        #expect(try text(Nested(values: [1, 2])) == #"{"inner":{"values":[[1],[2]]},"after":2}"#)
        #expect(try decode(Nested.self, #"{"after":2,"inner":{"values":[[1],[2]]}}"#) == Nested(values: [1, 2]))
        #expect(try text(["a/b": Data([1, 2, 255])]) == #"{"a/b":"AQL/"}"#)
        #expect(try decode([URL].self, text([URL(filePath: "/a b")])) == [URL(filePath: "/a b")])
    }

    @Test("bytes that are not UTF-8 are no JSON, even in an ignored member")
    func encoding() {
        #expect(throws: DecodingError.self) {
            try CompactJSON.decode(IgnoredValue.self, from: [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
        }
    }
}

private struct Outer: Decodable {
    struct Inner: Decodable {
        let name: String
    }

    let list: [Inner]
}

private struct Empty: Codable {}

private struct IgnoredValue: Decodable {
    init(from decoder: any Decoder) {}
}

/// Uses the containers that synthesized conformances do not.
private struct Nested: Codable, Equatable {
    private enum Key: CodingKey { case inner, after, values }

    let values: [Int]

    init(values: [Int]) { self.values = values }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var list = try container.nestedContainer(keyedBy: Key.self, forKey: .inner).nestedUnkeyedContainer(
            forKey: .values)
        var values: [Int] = []
        while !list.isAtEnd {
            var single = try list.nestedUnkeyedContainer()
            values.append(try single.decode(Int.self))
        }
        self.values = values
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var inner = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
        var list = inner.nestedUnkeyedContainer(forKey: .values)
        for value in values {
            var single = list.nestedUnkeyedContainer()
            try single.encode(value)
        }
        // An encoder that is asked again continues its object.
        var again = encoder.container(keyedBy: Key.self)
        try again.encode(list.count, forKey: .after)
    }
}
