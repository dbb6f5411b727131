import Foundation
import Testing

/// `docs/attack-tests.md` names existing tests.
@Suite struct AttackDocumentTests {
    private static let root: URL = {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder
    }()

    /// Returns the sources of all test suites by file name.
    private func suites() throws -> [String: String] {
        let tests = Self.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        var suites: [String: String] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            suites[file.deletingPathExtension().lastPathComponent, default: ""] += try String(
                contentsOf: file, encoding: .utf8)
        }
        return suites
    }

    @Test("every row of the attack table names an existing test, and every attack test has a row")
    func table() throws {
        let document = try String(
            contentsOf: Self.root.appending(path: "docs/attack-tests.md"), encoding: .utf8)
        let suites = try suites()
        let named = document.split(separator: "\n").compactMap { line -> (suite: String, title: String)? in
            guard let cell = line.split(separator: " | `").last, cell.hasSuffix(" |"), line.contains(" | `") else {
                return nil
            }
            let parts = cell.dropLast(2).components(separatedBy: "`: ")
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        #expect(named.count > 40)
        for (suite, title) in named {
            #expect(suites[suite]?.contains(#""\#(title)""#) == true, "\(suite): \(title)")
        }
        let own = [
            "PreHijackingTests", "AuthorizerRegressionTests", "KratosRegressionTests", "IssuerConfusionTests",
            "LoginCSRFTests", "TokenSubstitutionTests", "DowngradeTests",
        ]
        for suite in own {
            let count = suites[suite]?.components(separatedBy: "@Test").count ?? 0
            #expect(named.count { $0.suite == suite } == count - 1, "\(suite)")
        }
    }
}
