import Foundation
import Testing

/// `docs/threat-model.md` and `docs/asvs.md` name existing tests and paths, and cover every requirement.
@Suite struct SecurityDocumentTests {
    private static let documents = ["docs/threat-model.md", "docs/asvs.md"]
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The number of requirements, of all levels, in each section of ASVS 5.0.0.
    private static let sections = [
        "6.1": 3, "6.2": 12, "6.3": 8, "6.4": 6, "6.5": 8, "6.6": 4, "6.7": 2, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2,
        "7.4": 5, "7.5": 3, "7.6": 2, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 3, "10.3": 5, "10.4": 16, "10.5": 5,
        "10.6": 2, "10.7": 3,
    ]

    private static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// Returns the sources that declare or extend each suite, by suite name.
    private static func suites() throws -> [String: String] {
        let folder = root.appending(path: "Tests")
        var suites: [String: String] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            guard path.hasSuffix(".swift") else { continue }
            let source = try text(folder.appending(path: path))
            for line in source.split(separator: "\n") where line.hasSuffix("Tests {") {
                guard let suite = line.dropLast(2).split(separator: " ").last else { continue }
                suites[String(suite), default: ""] += source
            }
        }
        return suites
    }

    /// Returns the anchor of a heading.
    private static func anchor(_ heading: Substring) -> String {
        let text = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(text.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.map { $0 == " " ? "-" : $0 })
    }

    /// Returns the cells of each requirement row.
    private static func rows() throws -> [[String]] {
        try text(root.appending(path: "docs/asvs.md")).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && $0.dropFirst(2).first?.isNumber == true }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test("every test that the documents name exists", arguments: documents)
    func tests(document: String) throws {
        let suites = try Self.suites()
        let names = try Self.text(Self.root.appending(path: document)).matches(of: #/`(\w+Tests)(?:\.(\w+))?`/#)
        #expect(names.count > 50)
        for name in names {
            let source = suites[String(name.1)]
            #expect(source != nil, "\(name.1)")
            guard let function = name.2, let source else { continue }
            #expect(source.contains("func \(function)("), "\(name.1).\(function)")
        }
    }

    @Test("every link and every path in the documents exists", arguments: documents)
    func links(document: String) throws {
        let text = try Self.text(Self.root.appending(path: document))
        for path in text.matches(of: #/`((?:Sources|Tests|deploy|docs|scripts)/[^`\s]+)`/#) {
            let isThere = FileManager.default.fileExists(atPath: Self.root.appending(path: String(path.1)).path)
            #expect(isThere, "\(path.1)")
        }
        for link in text.matches(of: #/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/#) where !link.1.hasPrefix("https://") {
            let target = link.1.isEmpty ? document : "docs/\(link.1)"
            let file = Self.root.appending(path: target).standardizedFileURL
            #expect(FileManager.default.fileExists(atPath: file.path), "\(link.0)")
            guard let anchor = link.2 else { continue }
            let headings = try Self.text(file).split(separator: "\n").filter { $0.hasPrefix("#") }
            #expect(headings.contains { Self.anchor($0) == anchor }, "\(link.0)")
        }
    }

    @Test("every requirement of the four chapters has exactly one row")
    func requirements() throws {
        let answered = try Self.rows().flatMap { $0.first?.components(separatedBy: ", ") ?? [] }
        let asked = Self.sections.flatMap { section, count in (1...count).map { "\(section).\($0)" } }
        #expect(answered.sorted() == asked.sorted())
    }

    @Test("a requirement that is met names its test or document, and any other one gives a reason")
    func answers() throws {
        for row in try Self.rows() {
            try #require(row.count == 6, "\(row)")
            let isShown = row[5].contains("Tests") || row[5].hasPrefix("document")
            switch row[3] {
            case "yes": #expect(isShown, "\(row[0])")
            case "partly", "no": #expect(row[5].count > 10, "\(row[0])")
            case "not applicable": #expect(row[4].count > 3, "\(row[0])")
            default: Issue.record("\(row[0]) is \(row[3])")
            }
        }
    }
}
