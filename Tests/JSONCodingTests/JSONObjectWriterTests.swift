import Foundation
import JSONCoding
import Testing

/// The writer of token claims and of documents that are written with each request.
@Suite struct JSONObjectWriterTests {
    @Test(
        "any text is read back as it was written",
        arguments: [
            "", "a", #"quote " and backslash \ and / slash"#, "\u{0}\u{1f}\n\t", "Größe 写真 \u{1F468}\u{200D}\u{1F469}",
        ])
    func texts(text: String) throws {
        var writer = JSONObjectWriter()
        writer.append("first", text)
        writer.append("number", -42)
        writer.append("inner") { $0.append("text", text) }
        let bytes = Data(writer.finished())
        #expect(
            try JSONReader.read(bytes)
                == .object(["first": .string(text), "number": .number(-42), "inner": .object(["text": .string(text)])]))
        #expect(try JSONSerialization.jsonObject(with: bytes) is [String: Any])
    }

    @Test("members and objects in arrays are separated by commas, also after empty ones")
    func separators() {
        var writer = JSONObjectWriter()
        writer.append("empty") { _ in }
        writer.append("none", count: 0) { _, _ in }
        writer.append("three", count: 3) { if $1 != 1 { $0.append("index", $1) } }
        writer.append("brace", "{")
        writer.append("isLast", true)
        let text = String(decoding: writer.finished(), as: UTF8.self)
        #expect(
            text == #"{"empty":{},"none":[],"three":[{"index":0},{},{"index":2}],"brace":"{","isLast":true}"#)
    }

    @Test("an object without members is empty")
    func empty() throws { #expect(try JSONReader.read(Data(JSONObjectWriter().finished())) == .object([:])) }
}
