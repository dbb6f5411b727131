import Foundation
import PhotolalaTesting
import Testing

@testable import photolala

@Suite("Viewing photos") struct ViewingTests {
    @Test("the cache follows the system's conventions")
    func folder() {
        #expect(ViewingCache.folder(environment: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]).path == "/c/photolala")
        let home = ViewingCache.folder(environment: ["XDG_CACHE_HOME": "c", "HOME": "/h"]).path
        #expect(["/h/.cache/photolala", "/h/Library/Caches/photolala"].contains(home))
    }

    @Test("a thumbnail as JSON needs a file")
    func thumbnail() throws {
        _ = try ThumbnailCommand.parse(["a.jpg", "--json", "--output", "t.jpg"])
        #expect(throws: (any Error).self) { _ = try ThumbnailCommand.parse(["a.jpg", "--json"]) }
    }

    @Test("a new file is written completely or not at all, and replaces nothing")
    func created() throws {
        let folder = try TemporaryFolder()
        let (file, bytes) = (folder.subpath("t.jpg"), Data(repeating: 7, count: 300_000))
        try FileReplacement.create(bytes, at: file)
        #expect(FileManager.default.contents(atPath: file) == bytes)
        let existing = #expect(throws: CommandFailure.self) { try FileReplacement.create(Data(), at: file) }
        #expect(existing?.error.detail == "Cannot write \(file): it exists already.")
        #expect(FileManager.default.contents(atPath: file) == bytes)
        let nowhere = #expect(throws: CommandFailure.self) {
            try FileReplacement.create(bytes, at: folder.subpath("none/t.jpg"))
        }
        #expect(nowhere?.error.detail.hasSuffix("none/t.jpg: No such file or directory.") == true)
    }

    @Test("a find needs a word")
    func find() throws {
        #expect(try FindCommand.parse(["beach", "2023", "--offline"]).words == ["beach", "2023"])
        for wrong in [[], [""]] { #expect(throws: (any Error).self) { _ = try FindCommand.parse(wrong) } }
    }
}

@Suite("Words of suggested commands") struct ShellWordTests {
    @Test(
        "are quoted only if a shell would change them",
        arguments: [
            ("Pictures/2023", "Pictures/2023"), ("My Photos", "'My Photos'"), ("it's", #"'it'\''s'"#),
            ("$HOME", "'$HOME'"),
            ("写真", "'写真'"), ("", "''"), ("~", "'~'"),
        ])
    func quoted(_ text: String, _ word: String) { #expect(ShellWord.quoted(text) == word) }
}
