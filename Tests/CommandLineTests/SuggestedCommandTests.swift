import ArgumentParser
import Foundation
import PhotolalaTesting
import Testing

@testable import photolala

/// Commands that messages suggest.
@Suite struct SuggestedCommandTests {
    /// Returns the arguments that a shell passes to `photolala`.
    private func arguments(_ command: String, shell: String = "/bin/sh") async throws -> [String] {
        let script = #"photolala() { for word; do printf '%s\0' "$word"; done; }; eval "$0""#
        let run = try await ChildProcess.run(URL(filePath: shell), ["-c", script, command])
        #expect(run.status == 0)
        return run.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test(
        "words that look like options or shell syntax stay arguments",
        arguments: [
            "photolala backup ?", "photolala backup --exclude '*.json' ?", "photolala sync ?", "photolala list ?",
            "photolala list --album=?", "photolala album add ? PATH", "photolala share create --album=?",
            "photolala share create ?", "photolala favorite add ?", "photolala hidden add ?", "photolala local scan ?",
            "photolala restore --to=?", "photolala import takeout ?", "photolala open ?", "photolala previews ?",
            "photolala service install ?", "photolala service uninstall ?", "photolala trash list ?",
        ])
    func hostile(_ template: String) async throws {
        for word in ["-pics", "--json", "-n", "--", "-", "a b", "$(exit 1)", "it's", "~", "*"] {
            let words = try await arguments(SuggestedCommand.text(template, word))
            #expect(words.contains(word) || words.contains { $0.hasSuffix("=\(word)") }, "\(words)")
            #expect(throws: Never.self, "\(words)") { try Photolala.parseAsRoot(words) }
        }
    }

    @Test func `a folder and its place in the library are separate words`() async throws {
        let command = SuggestedCommand.text("photolala backup", of: "-a", into: "-b c")
        #expect(command == "photolala backup --into='-b c' -- -a")
        let words = try await arguments(command)
        let backup = try #require(try Photolala.parseAsRoot(words) as? BackupCommand)
        #expect(backup.paths == ["-a"] && backup.destination.into == "-b c")
        #expect(SuggestedCommand.text("photolala status", of: "a", into: nil) == "photolala status a")
        #expect(SuggestedCommand.text("photolala status", of: "a", into: "b") == "photolala status --into b a")
    }

    @Test(arguments: ["a\u{1B}[31m", "\u{1B}1", "w\nx", "-\u{202E}it's \\n", "\u{9B}é\t"])
    func `control characters are written as escapes that bash reads`(_ word: String) async throws {
        let command = SuggestedCommand.text("photolala list ?", word)
        #expect(Terminal.sanitized(command) == command)
        let words = try await arguments(command, shell: "/bin/bash")
        #expect(words.last.map { Array($0.utf8) } == Array(word.utf8), "\(command)")
    }

    @Test func `the profile is added before the arguments behind a double dash`() throws {
        let options = try CommonOptions.parse(["--profile-dir=-p"])
        #expect(
            options.profileAdvice(for: "To back up:  photolala backup -- -a")
                == "Add to these commands, before “--”:  --profile-dir=-p")
        #expect(
            options.profileAdvice(for: "To back up:  photolala backup a")
                == "Add to these commands:  --profile-dir=-p")
    }
}
