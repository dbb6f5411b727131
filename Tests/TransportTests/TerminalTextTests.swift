import Testing
import Transport

/// Text from elsewhere in messages.
@Suite struct TerminalTextTests {
    @Test(
        "control characters are replaced, line breaks only where an argument has them",
        arguments: [
            ("error: “\u{1B}[31m”.\nUsage: x", [], "error: “\u{FFFD}[31m”.\nUsage: x"),
            ("error: “a\nerror: b”.\nUsage: x", ["a\nerror: b"], "error: “a\u{FFFD}error: b”.\nUsage: x"),
            ("error: “b\nc”.\n", ["--a=b\nc"], "error: “b\u{FFFD}c”.\n"),
            ("a '\u{301}b\nc'", ["\u{301}b\nc"], "a '\u{301}b\u{FFFD}c'"),
            ("“a\r\nb”\n“\u{202E}c”", ["a\r\nb"], "“a\u{FFFD}\u{FFFD}b”\n“\u{FFFD}c”"),
            ("one\ntwo\n", ["", "one", "\n"], "one\u{FFFD}two\u{FFFD}"),
        ])
    func message(_ text: String, _ words: [String], _ expected: String) {
        #expect(TerminalText.message(text, quoting: words).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
