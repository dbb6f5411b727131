import Foundation
import PhotolalaTesting
import Testing

/// The published schema of what commands print with `--json`.
enum OutputSchema {
    static let file = root.appending(path: "docs/command-line.schema.json")
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    /// Expects that each line is one object that its definition describes completely.
    static func expectValid(_ lines: [(definition: String, line: String)], in folder: URL) async throws {
        let pairs = folder.appending(path: "lines-\(UUID().uuidString).json")
        try JSONEncoder().encode(lines.map { [$0.definition, $0.line] }).write(to: pairs)
        let script = root.appending(path: "Tests/Support/CommandLine/validate.py")
        let run = try await PythonClient.run(
            String(contentsOf: script, encoding: .utf8), ["SCHEMA": file.path, "LINES": pairs.path], in: folder)
        #expect(run.status == 0, "\(run.output)")
    }

    /// The names of the definitions.
    static func definitions() throws -> Set<String> {
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        return Set(try #require(schema?["$defs"] as? [String: Any]).keys)
    }
}

extension CommandTree {
    /// The name of the definition of a command line's output.
    func definition(of words: [String]) -> String {
        var (tree, path) = (self, [String]())
        for word in words.dropFirst() {
            guard let next = tree.child(word) else { break }
            (tree, path) = (next, path + [word])
        }
        while let next = tree.defaultSubcommand.flatMap(tree.child) {
            (tree, path) = (next, path + [next.commandName])
        }
        return path.joined(separator: "-")
    }

    /// The definitions of the commands below this one that print JSON.
    var definitions: [String] {
        children.flatMap { child in
            if child.printsJSON { return [child.commandName] }
            return child.definitions.map { "\(child.commandName)-\($0)" }
        }
    }
}
