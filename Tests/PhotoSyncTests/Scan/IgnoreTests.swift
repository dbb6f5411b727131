import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Ignored files") struct IgnoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ names: String...) throws {
        for (seed, name) in names.enumerated() { try folder.write(name, PhotoBytes.jpeg(seed)) }
    }

    private func scan(excluding excluded: String = "", including included: String = "") async throws -> [String] {
        let filter = FolderFilter(
            excluded: try IgnoreRules(text: excluded.utf8), included: try IgnoreRules(text: included.utf8))
        return try await FolderScan(root: folder.path, filter: filter).run().files.map(\.path.description)
    }

    @Test("files of other software are ignored unless an ignore file includes them, and listed with their reason")
    func standard() async throws {
        try write("@eaDir/a.jpg", "#recycle/b.jpg", "c/.thumbnails/c.jpg", ".trashed-1-d.jpg", "._e.jpg", "f.jpg")
        #expect(try await scan() == ["f.jpg"])
        let leftOut = try await FolderScan(root: folder.path).run().leftOut
        #expect(
            leftOut.map(\.path.description) == ["#recycle", "._e.jpg", ".trashed-1-d.jpg", "@eaDir", "c/.thumbnails"])
        #expect(leftOut.allSatisfy { $0.reason == .ignored })
        try folder.write(".photolalaignore", Array("!@eaDir/\n!.trashed-*".utf8))
        #expect(try await scan() == [".trashed-1-d.jpg", "@eaDir/a.jpg", "f.jpg"])
    }

    @Test("case does not matter, inner ignore files come first, and the filter before all of them")
    func precedence() async throws {
        try write("IMG_1.JPG", "trip/IMG_2.JPG", "trip/raw/IMG_3.JPG", "keep/IMG_4.JPG")
        try folder.write(".photolalaignore", Array("\u{feff}# old cameras\r\nimg_*.jpg\r\n".utf8))
        try folder.write("keep/.photolalaignore", Array("!*".utf8))
        #expect(try await scan() == ["keep/IMG_4.JPG"])
        #expect(try await scan(excluding: "!img_[12].jpg\nkeep/") == ["IMG_1.JPG", "trip/IMG_2.JPG"])
    }

    @Test("with patterns to include, only what matches or is in a folder that matches is found")
    func included() async throws {
        try write("a.jpg", "b.png", "2024/c.jpg", "2024/in/d.png", "2025/e.png")
        #expect(try await scan(including: "*.JPG") == ["2024/c.jpg", "a.jpg"])
        #expect(try await scan(including: "/2024/") == ["2024/c.jpg", "2024/in/d.png"])
        #expect(try await scan(excluding: "in/", including: "2024/\nb.*") == ["2024/c.jpg", "b.png"])
    }

    @Test("a question mark and a set stand for one character", arguments: ["?.jpg", "[!a].jpg", "\u{e9}.JPG"])
    func character(pattern: String) async throws {
        try write("\u{e9}.jpg", "\u{e9}\u{e9}.jpg")
        #expect(try await scan(excluding: pattern) == ["\u{e9}\u{e9}.jpg"])
    }

    @Test(
        "a folder whose ignore file is not valid is not read",
        arguments: ["[a", "ok\n\\", "/", "a//b", "[z-a]", "[[:word:]]", "a\0"])
    func malformed(text: String) async throws {
        try write("a.jpg", "in/b.jpg", "in/deep/c.jpg")
        try folder.write("in/.photolalaignore", Array(text.utf8))
        let result = try await FolderScan(root: folder.path).run()
        #expect(result.files.map(\.path.description) == ["a.jpg"])
        let line = text.hasPrefix("ok") ? 2 : 1
        #expect(result.problems == [ScanProblem(path: "in", reason: .file(.malformedIgnoreFile(line: line)))])
        try folder.write(".photolalaignore", Array(text.utf8))
        await #expect(throws: FileError.malformedIgnoreFile(line: line)) { try await scan() }
    }

    @Test("an ignore file that is too long, or no file, is an error")
    func unreadable() async throws {
        try write("in/b.jpg")
        try folder.write(
            "in/.photolalaignore", [UInt8](repeating: UInt8(ascii: "\n"), count: IgnoreRules.longestFile + 1))
        try folder.link(".photolalaignore", to: folder.subpath("in/.photolalaignore"))
        await #expect(throws: FileError.unusableIgnoreFile) { try await scan() }
        try FileManager.default.removeItem(atPath: folder.subpath(".photolalaignore"))
        let result = try await FolderScan(root: folder.path).run()
        #expect(result.files.isEmpty && result.problems.map(\.reason) == [.file(.malformedIgnoreFile(line: nil))])
    }

    @Test("listing one folder heeds the ignore files around it")
    func oneFolder() async throws {
        try write("a/b/c.jpg", "a/b/d.jpg")
        try folder.write("a/.photolalaignore", Array("d.jpg".utf8))
        let path = LibraryPath("a/b")
        #expect(try await FolderScan(root: folder.path).files(in: path).map(\.path.description) == ["a/b/c.jpg"])
        try folder.write(".photolalaignore", Array("/a/".utf8))
        #expect(try await FolderScan(root: folder.path).files(in: path).isEmpty)
    }
}
