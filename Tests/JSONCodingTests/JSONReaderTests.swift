import Foundation
import JSONCoding
import Testing

@Suite("JSON from untrusted sources")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.read(text.utf8) }

    @Test("every kind of value is read")
    func values() throws {
        let text =
            " {\"a\" : [1, -0.5e1, true, false, null, {}], "
            + "\"b\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00é\"}\r\n"
        #expect(
            try read(text)
                == .object([
                    "a": .array([.number(1), .number(-5), .bool(true), .bool(false), .null, .object([:])]),
                    "b": .string("\"\\/\u{8}\u{c}\n\r\té😀é"),
                ])
        )
        #expect(try read("1e400") == .number(.infinity))
    }

    @Test(
        "text that is not JSON is refused",
        arguments: [
            "", " ", "{", "[", "\"", "tru", "nul", "01", "1.", ".5", "+1", "-", "1e", "1e+", "0x1", "NaN", "Infinity",
            "[1,]", "[,1]",
            "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1 2]", "1 2", "//",
            "\u{feff}1", "\"\t\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
            "\"\\u+123\"",
        ]
    )
    func notJSON(text: String) {
        #expect(throws: JSONError.notJSON) { try read(text) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func notUTF8() {
        for bytes: [UInt8] in [[0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22]] {
            #expect(throws: JSONError.notJSON) { try JSONReader.read(bytes) }
        }
    }

    @Test("a repeated member name is refused in any encoding")
    func repeatedNames() {
        #expect(throws: JSONError.repeatedName) { try read(#"{"a":1,"a":1}"#) }
        #expect(throws: JSONError.repeatedName) { try read(#"{"a":1,"\u0061":2}"#) }
    }

    @Test("nesting deeper than the limit is refused")
    func nesting() throws {
        let levels = 16
        let deepest = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(throws: Never.self) { try read(deepest) }
        #expect(throws: JSONError.tooDeep) { try read("[\(deepest)]") }
        #expect(throws: JSONError.tooDeep) { try read(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("a member name has at most 1,200 bytes as it is written")
    func names() throws {
        let longest = String(repeating: "a", count: 1200)
        #expect(try JSONReader.read(Array("{\"\(longest)\":1}".utf8)) == .object([longest: .number(1)]))
        // A dictionary would need minutes for this name.
        let marks =
            "a" + String(repeating: "\u{301}", count: 1_000_000) + String(repeating: "\u{316}", count: 1_000_000)
        for name in [longest + "a", marks, String(repeating: "\\u0301", count: 201)] {
            #expect(throws: JSONError.nameTooLong) { try JSONReader.read(Array("{\"\(name)\":1}".utf8)) }
        }
        #expect(throws: JSONError.nameTooLong) { try JSONReader.read(Array("[{\"a\":{\"\(longest)b\":[]}}]".utf8)) }
    }
}
