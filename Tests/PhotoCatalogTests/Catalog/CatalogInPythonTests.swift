import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Compatibility with Python's csv module, if Python is installed.
struct CatalogInPythonTests {
    private static let interpreter = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let script = """
        import csv, json, sys
        rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
        print(json.dumps([[row["path"], row["md5"], row["size"], row["added"], row["trashed"]] for row in rows]))
        """

    @Test("Python's csv module reads the catalog with every unusual name", .enabled(if: interpreter != nil))
    func oddNames() async throws {
        let names = ["a,b.jpg", "say \"x\".jpg", "line\nbreak.jpg", "back\r.jpg", "=1+1", "🌅/日本.heic", " lead", "é"]
        let (folder, python) = (try TemporaryFolder(), try #require(Self.interpreter))
        var file = CatalogFile()
        var catalog = Catalog(try names.enumerated().map { try .photo($1, seed: $0 + 1) })
        catalog.apply([.trash(try #require(LibraryPath("é")), try .seeded(8))])
        file.rows = catalog
        try folder.write("catalog.csv", Array(CatalogCSV.encode(file).readableBytesView))
        let words = ["-c", Self.script, folder.subpath("catalog.csv")]
        let (status, told) = try await ChildProcess.run(URL(filePath: python), words)
        #expect(status == 0, "\(told)")
        let rows = try JSONDecoder().decode([[String]].self, from: Data(told.utf8))
        #expect(Set(rows.map { $0[0].hasPrefix("./") ? String($0[0].dropFirst(2)) : $0[0] }) == Set(names))
        #expect(rows.map { $0[1] } == catalog.records.map(\.md5.description))
        #expect(rows.map { $0[2] } == catalog.records.map { String($0.size) })
        #expect(rows.count { !$0[4].isEmpty } == 1)
    }
}
