import Testing
import Transport

/// Text from elsewhere in messages.
@Suite struct TerminalTextTests {
    @Test(
        "joiners between emoji are kept",
        arguments: ["👨‍👩‍👧.jpg", "🏳️‍🌈", "👩🏽‍🚀", "❤️‍🔥", "🙋🏽‍♀️"])
    func joined(_ text: String) {
        #expect(TerminalText.sanitized(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(
        "other joiners, and what is invisible or changes the direction, are replaced",
        arguments: [
            "\u{200D}👩", "👩\u{200D}", "a\u{200D}b", "👩\u{200D}1", "1\u{200D}👩", "\u{FE0F}\u{200D}👩", "👩\u{200C}👧",
            "👩\u{200B}👧", "\u{202E}", "\u{2066}", "\u{200F}", "\u{FEFF}", "\u{AD}", "\u{E0067}", "\u{2028}",
        ])
    func invisible(_ text: String) {
        let hidden = text.unicodeScalars.filter {
            ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
        }
        let shown = TerminalText.sanitized(text).unicodeScalars
        #expect(shown.filter { $0 != "\u{FFFD}" }.elementsEqual(hidden) && shown.contains("\u{FFFD}"))
    }

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
