import ArgumentParser
import Foundation

@testable import photolala

/// Finds the commands in help texts and documents.
enum CommandExamples {
    /// Returns the commands in a text: `photolala` after two spaces, at the start of a line or in backticks, up to the
    /// end of the command.
    static func commands(in text: String) -> [String] {
        let pattern = /(?:^|  |`|: |\()(photolala(?: [^\n`]*)?)/.anchorsMatchLineEndings()
        return text.matches(of: pattern).map { match in
            var command = String(match.1)
            for end in ["   ", " # ", "  #", ", and ", ", then ", ")"] {
                if let range = command.range(of: end) { command = String(command[..<range.lowerBound]) }
            }
            // Splits `two commands  on one line`.
            if let range = command.dropFirst(9).range(of: "  ") { command = String(command[..<range.lowerBound]) }
            return command.trimmingCharacters(in: CharacterSet(charactersIn: " .,;:”"))
        }.filter { $0 != "photolala" }
    }

    /// Returns the parser's error for a command; `nil` if the command is valid.
    static func problem(of command: String) -> String? {
        // An ID of a version, and of a device or link.
        let example = command.replacing("--id ID", with: "--id 01020304")
        let words = example.split(separator: " ").dropFirst().map { (word) -> String in
            switch word {
            case "ID": "01020304-0506-0708-090a-0b0c0d0e0f10"
            case "PROVIDER": "google"
            default: String(word.filter { $0 != "[" && $0 != "]" })
            }
        }
        do {
            _ = try Photolala.parseAsRoot(Array(words))
            return nil
        } catch {
            return Photolala.exitCode(for: error).isSuccess ? nil : Photolala.message(for: error)
        }
    }

    /// Returns all commands by name, including subcommands such as `trash put`.
    static func all() -> [String: any ParsableCommand.Type] {
        var all: [String: any ParsableCommand.Type] = [:]
        for group in Photolala.configuration.groupedSubcommands {
            for command in group.subcommands {
                guard let name = command.configuration.commandName else { continue }
                all[name] = command
                for inner in command.configuration.subcommands {
                    if let word = inner.configuration.commandName { all["\(name) \(word)"] = inner }
                }
            }
        }
        return all
    }

    static func names() -> Set<String> { Set(all().keys) }

    static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Returns the lines of all Swift sources.
    static func sourceLines() throws -> [(file: String, line: Substring)] {
        let sources = root.appendingPathComponent("Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
            .flatMap { file in
                try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8).split(separator: "\n")
                    .map { (file, $0) }
            }
    }
}
