import Foundation
import Testing

/// `docs/operations.md` and `docs/events.md` quote messages that the programs print.
@Suite struct OperatorDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the texts of several words in double quotes, outside code and across line breaks.
    private static func quotes(in document: String) -> [String] {
        let blocks = document.components(separatedBy: "\n```").enumerated().filter { $0.offset.isMultiple(of: 2) }
        let lines = blocks.flatMap { $0.element.split(separator: "\n") }.filter { !$0.hasPrefix("    ") }
        let prose = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            .replacing(/`[^`]*`/, with: "")
        return prose.matches(of: /"([^"]+)"/).map { String($0.1) }.filter { $0.contains(" ") }
    }

    /// Returns all Swift sources, with string literals that are split over several lines joined.
    private static func sources() throws -> String {
        let files = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)
        let texts = try (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }
            .map { try text("Sources/\($0)") }
        return texts.joined(separator: "\n").replacing(/"\s*\n\s*\+ "/, with: "").replacing(/\\\n\s*/, with: "")
    }

    @Test("every quoted message occurs in the sources")
    func messages() throws {
        let sources = try Self.sources()
        let quotes = try ["docs/operations.md", "docs/events.md"].flatMap { Self.quotes(in: try Self.text($0)) }
        #expect(quotes.count > 20)
        for quote in quotes {
            // N and M are placeholders.
            let parts = quote.split(separator: /\b[NM]\b/).map { $0.trimmingCharacters(in: .whitespaces) }
            for part in parts { #expect(sources.contains(part), "\(quote)") }
        }
    }

    @Test("a test person of a document is one of the command line", arguments: ["README.md", "docs/operations.md"])
    func subjects(document: String) throws {
        let subjects = try Self.text(document).matches(of: /"subject": ?"([^"]+)"/).map(\.1)
        #expect(!subjects.isEmpty)
        for subject in subjects { #expect(subject.hasPrefix("dev-"), "\(subject)") }
    }
}
