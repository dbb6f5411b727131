import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct SelectionTests {
    private static let names = [
        "a", "A.jpg", "b.JPG", "Été.jpg", "Ete\u{301}.jpg", "straße.png", "写真 1.heic", "x*y?.mov", "IMG_1.xmp", "Ω.mp4",
    ]
    private static let folders = ["", "2023/", "2023/Summer/", "2023-b/", "Ka\u{308}se/", "Käse/Brot/"]
    private static let types: [MediaType] = [
        .jpeg, .heic, .png, .quickTime, .mp4, .xmp, .canonCR2, MediaType(known: "image/new"),
    ]

    /// A library of several hundred photos, some of them at the same path.
    private static func library(_ generator: inout SeededGenerator) throws -> Catalog {
        let entries = try (1...200).map { seed in
            let path = folders.randomElement(using: &generator)! + names.randomElement(using: &generator)!
            let taken = Bool.random(using: &generator) ? Int64.random(in: 0...2000, using: &generator) : nil
            return CatalogEntry(
                path: try #require(LibraryPath(path)), md5: try .seeded(seed),
                size: Int64.random(in: 0...1000, using: &generator),
                modified: Timestamp(seconds: Int64.random(in: 0...2000, using: &generator), nanoseconds: 5),
                type: types.randomElement(using: &generator)!,
                media: MediaFacts(
                    taken: taken.flatMap {
                        // Offsets in minutes, so that many dates cross a bound.
                        CaptureDate(
                            Timestamp(seconds: $0, nanoseconds: 0),
                            offset: [nil, -12, 0, 17].randomElement(using: &generator)!)
                    })
            )
        }
        return Catalog(entries)
    }

    private struct Query {
        var selection = PhotoSelection()
        var name: String?

        init(_ generator: inout SeededGenerator) {
            func maybe() -> Bool { Int.random(in: 0..<4, using: &generator) == 0 }
            func moment() -> Timestamp { Timestamp(seconds: .random(in: 0...2000, using: &generator), nanoseconds: 0) }
            if maybe() { selection.from = moment() }
            if maybe() { selection.before = moment() }
            if maybe() {
                let (one, other) = (
                    Int64.random(in: 0...1000, using: &generator), Int64.random(in: 0...1000, using: &generator)
                )
                selection.sizes = min(one, other)...max(one, other)
            }
            if maybe() {
                let kinds: [MediaKind] = [
                    .photo, .video, .sidecar, .raw, .type(.jpeg), .type(MediaType(known: "image/new")),
                ]
                selection.kinds = [kinds.randomElement(using: &generator)!, kinds.randomElement(using: &generator)!]
            }
            if maybe() {
                let patterns = ["a", "*.jpg", "É*", "e\u{301}t", "?.JPG", "*ß*", "写*", "ω*", "*", "x?y*", "IMG_?.xmp"]
                name = patterns.randomElement(using: &generator)!
                selection.name = NamePattern(name!)
            }
            if maybe() {
                let paths = ["2023", "2023/Summer/", "./2023-b", "Käse", "Ka\u{308}se/Brot", "."]
                selection.paths = [paths.randomElement(using: &generator)!, paths.randomElement(using: &generator)!]
            }
        }

        /// Evaluates the same selection for one entry in the simplest way.
        func includes(_ entry: CatalogEntry) -> Bool {
            let date = entry.taken?.clock ?? entry.modified
            if let from = selection.from, date < from { return false }
            if let before = selection.before, date >= before { return false }
            guard selection.sizes.contains(entry.size) else { return false }
            guard selection.kinds.isEmpty || selection.kinds.contains(where: { $0.includes(entry.type) }) else {
                return false
            }
            if let name {
                let pattern = name.contains("*") || name.contains("?") ? name : "*\(name)*"
                guard Self.matches(entry.path.name.lowercased(), pattern.lowercased()) else { return false }
            }
            guard !selection.paths.isEmpty else { return true }
            return selection.paths.contains { path in
                let plain = path.trimmingCharacters(in: CharacterSet(charactersIn: "./"))
                // Swift strings are equal regardless of Unicode normalization.
                return plain.isEmpty
                    || entry.path.folders.indices.contains {
                        entry.path.folders[...$0].joined(separator: "/") == plain
                    }
            }
        }

        private static func matches(_ text: String, _ pattern: String) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            switch first {
            case "*":
                return text.indices.contains { matches(String(text[$0...]), String(pattern.dropFirst())) }
                    || matches("", String(pattern.dropFirst()))
            case "?": return !text.isEmpty && matches(String(text.dropFirst()), String(pattern.dropFirst()))
            default: return text.first == first && matches(String(text.dropFirst()), String(pattern.dropFirst()))
            }
        }
    }

    @Test("a selection equals the entries that match individually, in path order", arguments: 1...6)
    func asNaive(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let catalog = try Self.library(&generator)
        for _ in 0..<100 {
            let question = Query(&generator)
            let selected = try catalog.entries.selected(question.selection)
            let expected = catalog.entries.filter(question.includes)
            #expect(selected.map(\.md5) == expected.map(\.md5), "\(question)")
            #expect(selected.bytes == expected.reduce(0) { $0 + $1.size })
        }
    }

    @Test(
        "each word is a part of the path, or with wildcards a pattern for all of it",
        arguments: [
            (["summer"], ["2023/Summer/a.jpg", "2023/Summer/b.jpg"]), (["summer", "B."], ["2023/Summer/b.jpg"]),
            (["mer/a"], ["2023/Summer/a.jpg"]), (["käse"], ["Käse/a.jpg"]), (["2023*b.jpg"], ["2023/Summer/b.jpg"]),
            (["summer*"], []), (["23", "käse"], []),
        ])
    func words(_ words: [String], _ paths: [String]) throws {
        let names = ["2023/Summer/a.jpg", "2023/Summer/b.jpg", "Käse/a.jpg"]
        let catalog = Catalog(try names.enumerated().map { try .photo($1, seed: $0 + 1) })
        var selection = PhotoSelection()
        selection.words = words.map { SearchWord(path: $0) }
        #expect(try catalog.entries.selected(selection).map(\.path.description) == paths)
    }

    @Test("entries are ordered by date or size, and equal ones by path")
    func ordered() throws {
        var generator = SeededGenerator(seed: 9)
        let entries = try Self.library(&generator).entries
        let byDate = Array(entries.ordered(by: .date, reversed: false))
        #expect(zip(byDate, byDate.dropFirst()).allSatisfy { ($0.date, $0.path) <= ($1.date, $1.path) })
        let bySize = Array(entries.ordered(by: .size, reversed: true))
        #expect(zip(bySize, bySize.dropFirst()).allSatisfy { $0.size >= $1.size })
        #expect(Set(bySize) == Set(entries))
        #expect(Array(entries.ordered(by: .path, reversed: true)) == entries.reversed())
        let again = entries.ordered(by: .size, reversed: true)
        #expect(Array(again.ordered(by: .path, reversed: false)) == Array(entries))
        #expect(Array(again.ordered(by: .date, reversed: false)) == byDate)
    }

    @Test("each path must exist in one of several folders")
    func severalFolders() throws {
        let folders = try [["a.jpg", "b.jpg"], ["c/d.jpg"], []].map { names in
            Catalog(try names.enumerated().map { try .photo($1, seed: $0 + 1) }).entries
        }
        var selection = PhotoSelection()
        selection.paths = ["b.jpg", "c"]
        let chosen = try CatalogEntries.selected(selection, ofEach: folders)
        #expect(chosen.map { $0.map(\.path.description) } == [["b.jpg"], ["c/d.jpg"], []])
        selection.paths = ["a.jpg", "x"]
        #expect(throws: UnknownPaths(paths: ["x"])) { _ = try CatalogEntries.selected(selection, ofEach: folders) }
        let all = try CatalogEntries.selected(PhotoSelection(), ofEach: folders)
        #expect(all.map(\.count) == [2, 1, 0])
    }

    @Test("a path selects the photo or everything in the folder, but not other names with that prefix")
    func paths() throws {
        let catalog = Catalog(
            try ["c", "a.jpg", "a/1.jpg", "a/b/2.jpg", "a0", "b.jpg", "Ka\u{308}se/3.jpg"].enumerated().map {
                try .photo($1, seed: $0 + 1)
            })
        func selected(_ paths: String...) throws(UnknownPaths) -> [String] {
            var selection = PhotoSelection()
            selection.paths = paths
            return try catalog.entries.selected(selection).map(\.path.description)
        }
        #expect(try selected("a") == ["a/1.jpg", "a/b/2.jpg"])
        #expect(try selected("c") == ["c"])
        #expect(try selected("a/b/", "./b.jpg", "b.jpg") == ["a/b/2.jpg", "b.jpg"])
        #expect(try selected("Käse") == ["Ka\u{308}se/3.jpg"])
        #expect(try selected("Käse/3.jpg") == ["Ka\u{308}se/3.jpg"])
        #expect(try selected("./").count == 7)
        #expect(throws: UnknownPaths(paths: ["", "/"])) { _ = try selected("", "/") }
        #expect(throws: UnknownPaths(paths: ["A", "a/b/2", "Brot é"])) { _ = try selected("A", "a/b/2", "Brot é", "a") }
    }

    @Test("a photo under a conflict name is found by the displayed name")
    func beside() throws {
        let catalog = Catalog([
            try .photo("a.jpg", seed: 0x11, modified: 10), try .photo("a.jpg", seed: 0x22, modified: 30),
        ])
        var selection = PhotoSelection()
        selection.name = NamePattern("*conflict*")
        let found = try catalog.entries.selected(selection)
        #expect(found.map(\.md5) == [try .seeded(0x11)])
        selection = PhotoSelection()
        selection.paths = found.map(\.path.description)
        #expect(try catalog.entries.selected(selection).map(\.md5) == [try .seeded(0x11)])
    }

    @Test(
        "a name is a substring or a pattern, regardless of case and normalization",
        arguments: [
            ("img", "IMG_1.JPG", true), ("g_1.j", "IMG_1.JPG", true), ("*.jpg", "IMG_1.JPG", true),
            ("img", "xIMGx", true),
            ("img*", "xIMG", false), ("?.jpg", "ab.jpg", false), ("??.jpg", "ab.jpg", true), ("*a*a*", "banana", true),
            ("ÉTÉ", "e\u{301}te\u{301}.jpg", true), ("?t?.jpg", "e\u{301}te\u{301}.jpg", true),
            ("stra?e", "straße", true),
            ("\u{212A}", "k", true), ("é", "e", false), ("*", "", true), ("?", "", false), ("[a]", "a", false),
            ("a*b*c*d", "a-b-c-c-d", true), ("*.", "a.jpg", false),
        ])
    func names(_ pattern: String, _ name: String, _ fits: Bool) {
        var name = name
        #expect(name.withUTF8 { NamePattern(pattern).matches(FoldedName($0)) } == fits)
    }

    @Test("matching a pattern of many stars takes linear time")
    func manyStars() {
        var name = String(repeating: "a", count: 255)
        let pattern = NamePattern(String(repeating: "a*", count: 2000) + "b")
        #expect(!name.withUTF8 { pattern.matches(FoldedName($0)) })
    }

    @Test("kinds are keywords, file extensions and media types")
    func kinds() {
        #expect(MediaKind("Photo") == .photo)
        #expect(MediaKind("JPG") == .type(.jpeg))
        #expect(MediaKind("jpeg") == .type(.jpeg))
        #expect(MediaKind("image/x-of-tomorrow") == .type(MediaType(known: "image/x-of-tomorrow")))
        for kind in [MediaKind.photo, .video, .sidecar, .raw, .type(.heic)] {
            #expect(MediaKind(kind.description) == kind)
        }
        #expect(["dat", "", "image/", "*.jpg", "."].allSatisfy { MediaKind($0) == nil })
        let types: [MediaType] = [.jpeg, .mp4, .xmp, .nikonNEF]
        let asked: [(MediaKind, [Bool])] = [
            (.photo, [true, false, false, true]), (.video, [false, true, false, false]),
            (.sidecar, [false, false, true, false]), (.raw, [false, false, false, true]),
        ]
        for (kind, expected) in asked { #expect(types.map(kind.includes) == expected) }
    }
}
