import ArgumentParser
import Foundation
import Testing

@testable import photolala

/// Commands in help texts, messages and documents.
@Suite struct CommandExampleTests {
    private static let helps: [String] =
        [""] + CommandExamples.names().sorted()

    @Test(arguments: helps) func `the parser accepts every command in a help text`(_ name: String) throws {
        let command: any ParsableCommand.Type = CommandExamples.all()[name] ?? Photolala.self
        let text = Photolala.helpMessage(for: command, columns: 1000)
        #expect(text.contains("OVERVIEW"))
        // The parser generates the usage line, which contains placeholders.
        let examples = text.split(separator: "\n").filter { !$0.hasPrefix("USAGE: ") && !$0.hasPrefix("  See '") }
        for command in CommandExamples.commands(in: examples.joined(separator: "\n")) {
            #expect(CommandExamples.problem(of: command) == nil, "\(command)")
        }
    }

    @Test(arguments: ["README.md", "docs/command-line.md"])
    func `the parser accepts every command in the code blocks of a document`(_ document: String) throws {
        let text = try String(contentsOf: CommandExamples.root.appendingPathComponent(document), encoding: .utf8)
        let blocks = text.split(separator: "\n").filter { $0.hasPrefix("    photolala ") }.map { $0.dropFirst(4) }
        #expect(!blocks.isEmpty)
        for command in CommandExamples.commands(in: blocks.joined(separator: "\n")) {
            #expect(CommandExamples.problem(of: command) == nil, "\(command)")
        }
    }

    @Test func `every command in a message exists`() throws {
        let names = CommandExamples.names()
        #expect(names.contains("trash purge") && names.contains("reauthenticate"))
        for (file, line) in try CommandExamples.sourceLines() where line.contains("photolala ") {
            guard !line.contains("///") else { continue }
            // Commands follow two spaces, a backtick or a parenthesis; elsewhere, `photolala` is the name of the
            // program.
            for match in line.matches(of: /(?:  |`|\()photolala ([a-z][a-z-]+)(?: ([a-z][a-z-]+))?/) {
                let first = String(match.1)
                #expect(names.contains(first), "\(file): \(line)")
                guard let second = match.2, names.contains(where: { $0.hasPrefix("\(first) ") }) else { continue }
                #expect(names.contains("\(first) \(second)"), "\(file): \(line)")
            }
        }
    }

    @Test(
        arguments: [
            ["signup", "--provider", "apple"], ["signin", "--provider", "apple", "--no-browser"],
            ["signin", "--provider", "apple", "--device-code"], ["link", "--provider", "google", "--no-browser"],
            ["reauthenticate"], ["reauthenticate", "--no-browser"],
        ])
    func `a provider without other sign-in options uses the browser`(_ words: [String]) throws {
        #expect(throws: Never.self) { try Photolala.parseAsRoot(words) }
        let command = try Photolala.parseAsRoot(words)
        let identity =
            (command as? SignUpCommand)?.identity ?? (command as? SignInCommand)?.identity
            ?? (command as? LinkCommand)?.identity ?? (command as? ReauthenticateCommand)?.identity
        #expect(identity?.usesBrowser == true)
    }

    @Test func `only signin and signup accept --device-code`() throws {
        for words in [["link", "--device-code"], ["reauthenticate", "--device-code"]] {
            #expect {
                try Photolala.parseAsRoot(words)
            } throws: { error in
                Photolala.exitCode(for: error) == .validationFailure
            }
        }
    }
}
