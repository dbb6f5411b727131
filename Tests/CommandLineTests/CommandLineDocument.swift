import Foundation

/// `docs/command-line.md`, which the tests compare with the code.
enum CommandLineDocument {
    static func text() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/command-line.md"), encoding: .utf8)
    }
}
