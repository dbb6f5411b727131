import Testing

@testable import PhotoCatalog

struct LibraryPathTests {
    @Test(
        "a path that could leave its folder is refused",
        arguments: [
            "", "/", "/etc/passwd", "..", "../a", "a/..", "a/../b", ".", "./a", "a/./b", "a//b", "a/", "a\0b",
            String(repeating: "x", count: 256), String(repeating: "abcdefg/", count: 600) + "x",
        ]
    )
    func refused(text: String) { #expect(LibraryPath(text) == nil) }

    @Test("names keep their bytes, and two spellings of one letter are two names")
    func spellings() throws {
        let composed = try #require(LibraryPath("caf\u{e9}.jpg"))
        let decomposed = try #require(LibraryPath("cafe\u{301}.jpg"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(LibraryPath("a\\..\\b c\n.jpg")?.description == "a\\..\\b c\n.jpg")
    }

    @Test("a remark is inserted before the file extension")
    func remarks() {
        #expect(LibraryPath("a.b/c.d.jpg")?.withRemark("x")?.description == "a.b/c.d (x).jpg")
        #expect(LibraryPath(".hidden")?.withRemark("x")?.description == ".hidden (x)")
        #expect(LibraryPath("a/plain")?.withRemark("x")?.description == "a/plain (x)")
    }

    @Test("a remarked name that is too long is cut between characters")
    func longNames() throws {
        let long = try #require(LibraryPath("d/" + String(repeating: "é", count: 125) + ".jpg"))
        let remarked = try #require(long.withRemark("conflict 12345678"))
        #expect(remarked.name.utf8.count <= 255)
        #expect(remarked.description.hasSuffix("é (conflict 12345678).jpg"))
        #expect(long.withFullRemark("conflict 12345678") == nil)
        #expect(LibraryPath("a.jpg")?.withFullRemark("x")?.description == "a (x).jpg")
    }

    @Test("an extension too long for a remark is cut with the name", arguments: [230, 252, 254])
    func longEndings(length: Int) throws {
        let path = try #require(
            LibraryPath(
                "d/" + String(repeating: "a", count: 254 - length) + "." + String(repeating: "e", count: length)))
        for remark in ["conflict 12345678", "conflict " + String(repeating: "0", count: 32)] {
            let remarked = try #require(path.withRemark(remark))
            #expect(remarked.name.utf8.count <= 255)
            #expect(remarked.name.contains(" (\(remark))"))
        }
    }
}
