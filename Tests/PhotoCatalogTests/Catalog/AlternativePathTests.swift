import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

@Suite("Display paths of entries") struct AlternativePathTests {
    /// Checks the invariants of any catalog: every entry has a unique path that is not a folder of another entry, and
    /// all lookups of an entry's path agree.
    private func check(_ catalog: Catalog, _ location: SourceLocation = #_sourceLocation) {
        let entries = catalog.entries
        let paths = entries.map(\.path)
        #expect(entries.count == catalog.count, sourceLocation: location)
        #expect(Set(paths).count == paths.count, "\(paths)", sourceLocation: location)
        #expect(paths == paths.sorted(), sourceLocation: location)
        let folders = Set(paths.flatMap { Array($0.ancestors) })
        #expect(folders.isDisjoint(with: paths), "\(paths)", sourceLocation: location)
        for index in entries.indices {
            let (name, path) = (entries.identity(at: index), paths[index])
            #expect(LibraryPath(path.description) == path, sourceLocation: location)
            #expect(catalog.index(of: name).map { catalog.shownPath(of: $0) } == path, sourceLocation: location)
            #expect(catalog.shows(name.md5, at: path), "\(path)", sourceLocation: location)
            #expect((catalog[path]?.md5 == name.md5) == (name.path == path), sourceLocation: location)
        }
    }

    private func digest(_ seed: Int) -> String { ContentDigest(of: ByteBuffer(integer: seed)).description }

    private func entry(_ path: String, _ md5: String, modified: Int64) throws -> CatalogEntry {
        CatalogEntry(
            path: try #require(LibraryPath(path), "\(path)"), md5: try #require(ContentDigest(md5)), size: 10,
            modified: Timestamp(seconds: modified, nanoseconds: 0), type: .jpeg, media: MediaFacts())
    }

    @Test("any mixture of names, conflicts, folders and long names is shown without two entries at one path")
    func mixtures() throws {
        let long = String(repeating: "n", count: 240)
        let names = [
            "a.jpg", "d/a.jpg", "d", "a.jpg/in.jpg", "a.jpg/in.jpg/deep.jpg", "\(long)1.jpg", "\(long)2.jpg",
            "x." + String(repeating: "e", count: 252), "d/x." + String(repeating: "e", count: 230), "plain",
        ]
        var random = SeededGenerator(seed: 20)
        for _ in 0..<200 {
            var entries: [CatalogEntry] = []
            for _ in 0..<Int.random(in: 1...14, using: &random) {
                let (name, md5) = (
                    names.randomElement(using: &random) ?? "", digest(Int.random(in: 0..<4, using: &random))
                )
                entries.append(try entry(name, md5, modified: Int64.random(in: 0..<3, using: &random)))
                // A backup of a synced folder adds the shown entries under their shown names.
                guard Bool.random(using: &random) else { continue }
                let shown = Array(Catalog(entries).entries)
                if let other = shown.randomElement(using: &random) { entries.append(other) }
            }
            check(Catalog(entries))
        }
    }

    @Test("contents whose MD5 values have a common prefix have different names")
    func sameBeginning() throws {
        let contents = (0..<4).map { "0123456789abcdef0123456789abcde\($0)" }
        let catalog = Catalog(try contents.enumerated().map { try entry("a.jpg", $1, modified: Int64($0)) })
        check(catalog)
        #expect(catalog.entries.count { $0.path.description.contains("conflict \($0.md5)") } == 3)
    }

    @Test("if the usual conflict names are in use, another one is chosen")
    func namesTaken() throws {
        let (one, other) = (digest(1), digest(2))
        let catalog = Catalog([
            try entry("a.jpg", one, modified: 2), try entry("a.jpg", other, modified: 1),
            try entry("a (conflict \(other.prefix(8))).jpg", one, modified: 1),
            try entry("a (conflict \(other)).jpg", one, modified: 1),
        ])
        check(catalog)
        #expect(catalog.entries.count == 4)
    }
}
