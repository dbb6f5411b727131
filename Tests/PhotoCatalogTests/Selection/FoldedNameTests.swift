import Testing

@testable import PhotoCatalog

@Suite struct FoldedNameTests {
    private func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { NameFolding.isPlain($0) }
    }

    @Test func `a plain name is as it would be folded, also with any mark after its letters`() {
        var plain = 0
        for scalar in (0x80...0xFFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
            let text = String(scalar)
            guard isPlain(text) else { continue }
            plain += 1
            #expect(NameFolding.folded(text).unicodeScalars.elementsEqual(text.unicodeScalars), "\(scalar.value)")
        }
        #expect(plain > 30_000)
        for mark in ["\u{301}", "\u{308}", "\u{3099}", "\u{309A}", "\u{11A8}", "\u{1161}", "\u{65F}"] {
            #expect(!isPlain("e\(mark)") && !isPlain("か\(mark)") && !isPlain("가\(mark)"), "\(mark.unicodeScalars)")
        }
        for text in ["Île d’Yeu", "Ärger", "e\u{301}", "Straße À", "Ω", "ё"] { #expect(!isPlain(text), "\(text)") }
        for text in ["Müller/Straße", "España/año.jpg", "été «1»"] { #expect(isPlain(text), "\(text)") }
    }
}
