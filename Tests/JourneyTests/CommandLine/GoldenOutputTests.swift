import Foundation
import PhotolalaTesting
import Testing

/// A conversation and its golden file.
struct GoldenTopic: Sendable, CustomTestStringConvertible {
    /// The golden file's name without the extension.
    let name: String
    /// The first line of the file: what a reader sees in it.
    let title: String
    /// Additional settings of the server.
    var variables: [String: String] = [:]
    let play: @Sendable (Conversation) async throws -> Void

    var testDescription: String { name }
    var file: URL { Self.folder.appendingPathComponent("\(name).txt") }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
}

/// All that the programs print, compared with golden files that show whole conversations. After an intended change of a
/// text, `PHOTOLALA_RECORD_GOLDEN=1` writes the files again.
@Suite(.serialized) struct GoldenOutputTests {
    private static var isRecording: Bool { ProcessInfo.processInfo.environment["PHOTOLALA_RECORD_GOLDEN"] == "1" }

    @Test("the output of a conversation equals its golden file", arguments: GoldenTopic.all)
    func output(of topic: GoldenTopic) async throws {
        try await withTemporaryFolder { folder, transport in
            let conversation = try await Conversation(in: folder, transport: transport, variables: topic.variables)
            defer { conversation.stopServer() }
            conversation.comment(topic.title)
            try await topic.play(conversation)
            let actual = conversation.text
            if Self.isRecording { try Data(actual.utf8).write(to: topic.file) }
            let expected = try String(contentsOf: topic.file, encoding: .utf8)
            let difference = LineDifference.unified(expected: expected, actual: actual)
            #expect(
                difference.isEmpty, "\(topic.name).txt differs; PHOTOLALA_RECORD_GOLDEN=1 records it.\n\(difference)")
        }
    }

    @Test("every golden file belongs to a conversation")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: GoldenTopic.folder.path).sorted()
        #expect(files == GoldenTopic.all.map(\.file.lastPathComponent).sorted())
    }

    @Test("every command of the command line runs in a conversation")
    func commands() async throws {
        let lines = try GoldenTopic.all.flatMap { topic in
            try String(contentsOf: topic.file, encoding: .utf8).split(separator: "\n").filter { $0.contains("$ ") }
        }
        let commands = try await CommandTree.of("photolala").leaves(["photolala"]).map { $0.joined(separator: " ") }
        #expect(commands.count > 20)
        for command in commands {
            #expect(
                lines.contains { $0.contains("$ \(command)") && !$0.hasSuffix("--help") }, "\(command) never runs")
        }
    }
}

/// The commands of a program, from its machine-readable help.
struct CommandTree: Decodable {
    private struct Dump: Decodable { let command: CommandTree }

    private struct Argument: Decodable { let valueName: String? }

    let commandName: String
    let defaultSubcommand: String?
    private let subcommands: [CommandTree]?
    private let arguments: [Argument]?

    var isGroup: Bool { !children.isEmpty }

    /// Whether it has the option `--json`.
    var printsJSON: Bool { arguments?.contains { $0.valueName == "json" } ?? false }

    func child(_ name: String) -> CommandTree? { children.first { $0.commandName == name } }

    static func of(_ program: String) async throws -> CommandTree {
        let run = try await ChildProcess.run(Products.executable(program), ["--experimental-dump-help"])
        return try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command
    }

    var children: [CommandTree] { (subcommands ?? []).filter { $0.commandName != "help" } }

    /// The paths of all commands, parents first.
    func all(_ path: [String]) -> [[String]] {
        [path] + children.flatMap { $0.all(path + [$0.commandName]) }
    }

    /// The paths of the commands without subcommands.
    func leaves(_ path: [String]) -> [[String]] {
        children.isEmpty ? [path] : children.flatMap { $0.leaves(path + [$0.commandName]) }
    }
}
