import Foundation
import JSONCoding
import Testing

/// The writer of token claims.
@Suite struct JSONObjectWriterTests {
    @Test(
        "any text is read back as it was written",
        arguments: [
            "", "a", #"quote " and backslash \\ and / slash"#, "\u{0}\u{1f}\n\t", "Größe 写真 \u{1F468}\u{200D}\u{1F469}",
        ])
    func texts(text: String) throws {
        var inner = JSONObjectWriter()
        inner.append("text", text)
        var writer = JSONObjectWriter()
        writer.append("first", text)
        writer.append("number", -42)
        writer.append("inner", inner)
        let bytes = Data(writer.finished())
        #expect(
            try JSONReader.read(bytes)
                == .object(["first": .string(text), "number": .number(-42), "inner": .object(["text": .string(text)])]))
        #expect(try JSONSerialization.jsonObject(with: bytes) is [String: Any])
    }

    @Test("an object without members is empty")
    func empty() throws { #expect(try JSONReader.read(Data(JSONObjectWriter().finished())) == .object([:])) }
}
