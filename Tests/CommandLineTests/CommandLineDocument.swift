import Foundation

/// `docs/command-line.md`, whose claims the tests check.
enum CommandLineDocument {
    static func text() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/command-line.md"), encoding: .utf8)
    }
}
