import Testing

@testable import PhotoCatalog

/// Names of cameras.
struct CameraNameTests {
    @Test(
        "maker and model become one text without a repeated maker",
        arguments: [
            ("Apple", "iPhone 15 Pro", "Apple iPhone 15 Pro"), ("Canon", "Canon EOS R5", "Canon EOS R5"),
            ("NIKON CORPORATION", "NIKON D850", "NIKON D850"), ("samsung", "SAMSUNG SM-G991B", "SAMSUNG SM-G991B"),
            ("SONY", "ILCE-7M4", "SONY ILCE-7M4"), ("Canon Inc.", "EOS R5", "Canon Inc. EOS R5"),
            ("OLYMPUS IMAGING CORP.  ", "  E-M1\0junk", "OLYMPUS IMAGING CORP. E-M1"), (nil, "D850", "D850"),
            ("Leica\u{202e}\tCamera  AG", nil, "Leica Camera AG"), ("Canon", "\0", "Canon"), ("\0", " ", nil),
            (nil, nil, nil), ("Ricoh", "123", "Ricoh 123"), ("", "caf\u{e9} 1", "caf\u{e9} 1"),
            ("Éclair", "ÉCLAIR 2", "ÉCLAIR 2"), (nil, "=1+1", nil), ("-", "5", "5"),
        ] as [(String?, String?, String?)])
    func joined(make: String?, model: String?, name: String?) {
        #expect(CameraName(make: make, model: model)?.description == name)
    }

    @Test("without room for both the maker is left out, and a longer model is unknown")
    func long() {
        let (make, model) = (String(repeating: "m", count: 31), String(repeating: "n", count: 32))
        #expect(CameraName(make: make, model: model)?.description == "\(make) \(model)")
        #expect(CameraName(make: make + "m", model: model)?.description == model)
        #expect(CameraName(make: make, model: model + model + "n") == nil)
    }

    @Test(
        "other texts are no names",
        arguments: [
            "", " a", "a ", "a  b", "a\tb", "a\nb", "a\u{7f}", "a\u{85}", "\u{200b}", "a\u{202e}b",
            "a\u{2028}b", "\u{3164}", "=a", "+a", "-a", "@a", "\0",
            String(repeating: "a", count: 65), String(repeating: "\u{e9}", count: 33),
        ])
    func refused(text: String) {
        #expect(CameraName(text) == nil)
    }

    @Test("a name of the longest length, and one with any other characters, is as it was")
    func kept() {
        for text in [String(repeating: "a", count: 64), "a, \"b\" = -1", "\u{e9}\u{3042}\u{a0}", "'a"] {
            #expect(CameraName(text)?.description == text)
        }
    }

    @Test("names differ by their bytes, and are in the order of these")
    func order() throws {
        let (one, other) = (try #require(CameraName("e\u{301}")), try #require(CameraName("\u{e9}")))
        #expect(one != other && one < other && !(other < one) && Set([one, other]).count == 2)
    }

    @Test("fields of a file end at a zero, and count as missing unless they are UTF-8")
    func fields() {
        let latin: [UInt8] = [0x43, 0xe9]
        #expect(CameraName(make: Array("Canon\0".utf8) + latin, model: Array("R5".utf8))?.description == "Canon R5")
        #expect(CameraName(make: latin, model: Array("R5".utf8))?.description == "R5")
        #expect(CameraName(make: [UInt8]?.none, model: latin) == nil)
    }
}
