import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// The rules are those of git, which is asked for its opinion here. Only lower-case names of ASCII: `IgnorePattern`
/// ignores case, and its `?` is a character where that of git is a byte.
@Suite("Ignore files decide as git does") struct GitIgnoreTests {
    private static let git = URL(fileURLWithPath: "/usr/bin/git")

    /// Returns the paths that git ignores, of the given ones, which need not exist.
    private func ignoredByGit(_ paths: [String], in folder: TemporaryFolder) async throws -> Set<String> {
        let input = Pipe()
        let log = folder.subpath(".git/output")
        let process = try ChildProcess(
            Self.git, ["check-ignore", "--no-index", "-z", "--stdin"],
            environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "HOME": folder.path],
            folder: URL(fileURLWithPath: folder.path), input: input, output: .file(URL(fileURLWithPath: log)))
        try input.fileHandleForWriting.write(contentsOf: Data(paths.joined(separator: "\0").utf8))
        try input.fileHandleForWriting.close()
        let status = await process.exit()
        #expect(status == 0 || status == 1)
        let output = try Data(contentsOf: URL(fileURLWithPath: log))
        return Set(output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    private func text<Element>(
        of choices: [Element], _ count: ClosedRange<Int>, _ generator: inout SeededGenerator
    ) -> [Element] {
        (0..<Int.random(in: count, using: &generator)).compactMap { _ in choices.randomElement(using: &generator) }
    }

    @Test(
        "random patterns in a folder and its subfolder", .enabled(if: FileManager.default.fileExists(atPath: git.path)),
        arguments: 1...40)
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        _ = try await ChildProcess.run(Self.git, ["init", "-q", folder.path])
        let parts = [
            "a", "b", "c", "ab", "*", "?", "[ab]", "[!a]", "[a-b]c", "\\*", "**", "*a", "b*", "a*b*c", " ",
            "[[:alpha:]]", "[[:digit:]c]", "[![:lower:]]", "[[a]", "[[:]",
        ]
        var rules: [String: String] = [:]
        for place in ["", "a/", "a/b/"] {
            let lines = (0..<Int.random(in: 0...6, using: &generator)).map { _ -> String in
                let segments = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    text(of: parts, 1...2, &generator).joined()
                }
                let start = text(of: ["", "", "", "!", "/", "!/", "**/", "#"], 1...1, &generator).joined()
                return start + segments.joined(separator: "/")
                    + text(of: ["", "", "/", "/**", " ", "\\ "], 1...1, &generator).joined()
            }
            // git skips a line that is not a pattern.
            let patterns = lines.filter { (try? IgnoreRules(text: $0.utf8)) != nil }
            rules[place] = patterns.joined(separator: "\n")
        }
        for (place, text) in rules {
            try folder.write("\(place).gitignore", Array(text.utf8))
            try folder.write("\(place)\(FolderIgnores.fileName)", Array(text.utf8))
        }
        let ignores = FolderIgnores(root: folder.path, filter: FolderFilter())
        for place in ["", "a", "a/b"] { try ignores.read(of: LibraryPath(place)) }
        let names = ["a", "b", "c", "ab", "ba", "aac", "abc", "axbxc", "*", "a ", "#a", "!a", "1", "["]
        let paths = Set((0..<150).map { _ in text(of: names, 1...4, &generator).joined(separator: "/") })
            // git knows of these that they are folders.
            .filter { !["a", "a/b"].contains($0) }.sorted()
        let expected = try await ignoredByGit(paths, in: folder)
        for path in paths {
            let isIgnored = ignores.isIgnoredWithParents(try #require(LibraryPath(path)))
            #expect(isIgnored == expected.contains(path), "\(path.debugDescription) with \(rules)")
        }
    }
}
