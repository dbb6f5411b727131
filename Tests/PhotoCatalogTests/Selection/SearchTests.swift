import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// Searches as people type them.
@Suite struct SearchTests {
    private static let vocabulary = SearchVocabulary(
        months: ["may": 5, "mai": 5], kinds: ["filme": .video], connectives: ["of", "de"])

    private static func period(_ from: String, _ before: String) throws -> SearchDate {
        .period(try #require(Timestamp("\(from)T00:00:00Z"))..<(try #require(Timestamp("\(before)T00:00:00Z"))))
    }

    @Test(
        "a date is a year, a month or a day",
        arguments: [
            ("2019", "2019-01-01", "2020-01-01"), ("2019-05", "2019-05-01", "2019-06-01"),
            ("2019/12", "2019-12-01", "2020-01-01"), ("5/2019", "2019-05-01", "2019-06-01"),
            ("2020-02-29", "2020-02-29", "2020-03-01"), ("17.5.2019", "2019-05-17", "2019-05-18"),
            ("2019年", "2019-01-01", "2020-01-01"), ("2019年5月17日", "2019-05-17", "2019-05-18"),
            ("2019년5월", "2019-05-01", "2019-06-01"),
        ])
    func dates(_ text: String, _ from: String, _ before: String) throws {
        #expect(SearchDate(text) == (try Self.period(from, before)))
    }

    @Test("a month or day of every year has the word for it")
    func recurring() {
        #expect(SearchDate("5月") == .month(5) && SearchDate("12월") == .month(12))
        #expect(SearchDate("17日") == .day(17) && SearchDate("1일") == .day(1))
    }

    @Test(
        "other texts are no dates",
        arguments: [
            "", "19", "1", "20190517", "2019-13", "2019-02-29", "5/6/2019", "2019-2020", "-2019", "IMG-2019",
            "2019-05-17-1",
            "0019", "1500", "9999", "٢٠١٩", "13月", "32日", "--", "2019-0", "99999999999999999999",
        ])
    func otherTexts(_ text: String) { #expect(SearchDate(text) == nil) }

    @Test(
        "a search finds paths, dates and kinds, and all its words must match",
        arguments: [
            ("beach", ["2018/Beach/a.jpg", "2018/Beach/b.mp4"]), ("2019", ["c.jpg", "d.cr2"]),
            ("2018", ["2018/Beach/a.jpg", "2018/Beach/b.mp4"]), ("may", ["2018/Beach/a.jpg", "c.jpg"]),
            ("May 2019", ["c.jpg"]), ("17 may", ["2018/Beach/a.jpg"]), ("17th of may 2018", ["2018/Beach/a.jpg"]),
            ("17. Mai 2018", ["2018/Beach/a.jpg"]), ("May 17, 2018", ["2018/Beach/a.jpg"]),
            ("5月17日", ["2018/Beach/a.jpg"]),
            ("b*ch", []), ("17 de mai de 2018", ["2018/Beach/a.jpg"]), ("17", []),
            ("video", ["2018/Beach/b.mp4"]), ("filme", ["2018/Beach/b.mp4"]), ("raw", ["d.cr2"]),
            ("jpg 2019", ["c.jpg"]), ("  ", ["2018/Beach/a.jpg", "2018/Beach/b.mp4", "c.jpg", "d.cr2"]),
            ("beach 2019", []), ("2018-05-17", ["2018/Beach/a.jpg"]), ("photo", []), ("of", []),
        ])
    func words(_ text: String, _ paths: [String]) async throws {
        let photos = [
            ("2018/Beach/a.jpg", "image/jpeg", "2018-05-17T10:00:00+02:00"),
            ("2018/Beach/b.mp4", "video/mp4", "2017-08-01T23:59:59Z"),
            ("c.jpg", "image/jpeg", "2019-05-31T23:30:00-05:00"),
            ("d.cr2", "image/x-canon-cr2", "2019-12-31T23:59:59Z"),
        ]
        let rows = photos.enumerated().map {
            "\($1.0),\(String(repeating: "\($0)", count: 32)),5,2024-01-02T03:04:05Z,\($1.2),\($1.1)\n"
        }
        let header = "path,md5,size,modified,taken,type\n"
        let catalog = try CatalogCSV.decode(ByteBuffer(string: "\(header)\(rows.joined())")).rows
        var selection = PhotoSelection()
        selection.words = SearchWord.words(of: text, Self.vocabulary)
        let timeline = Timeline(catalog.entries)
        let found = try await timeline.selected(selection, from: catalog.entries)
        #expect(Set(found.photos.map(\.path.description)) == Set(paths))
    }

    @Test("a photo is found by each of its paths, and shown by its first", arguments: ["first", "second"])
    func paths(_ word: String) async throws {
        let rows = ["first/a.jpg", "second/b.jpg", "third/c.jpg"].enumerated().map { index, path in
            "\(path),\(String(repeating: index < 2 ? "1" : "2", count: 32)),5,2024-01-02T03:04:05Z,,image/jpeg\n"
        }
        let catalog = try CatalogCSV.decode(ByteBuffer(string: "path,md5,size,modified,taken,type\n\(rows.joined())"))
            .rows
        var selection = PhotoSelection()
        selection.words = SearchWord.words(of: word, Self.vocabulary)
        let found = try await Timeline(catalog.entries).selected(selection, from: catalog.entries)
        #expect(found.photos.map(\.path.description) == ["first/a.jpg"])
        #expect(found.months.map(\.photos) == [0..<1])
    }

    @Test("a search takes time in proportion to the path, whatever is searched")
    func repetitive() {
        var name = String(repeating: "a", count: 4000) + "é"
        let pattern = NamePattern(part: String(repeating: "a", count: 300) + "b")
        #expect(name.withUTF8 { name in (0..<200).allSatisfy { _ in !pattern.matches(FoldedName(name)) } })
        var found = String(repeating: "ab", count: 50) + "abc"
        #expect(found.withUTF8 { NamePattern(part: "ababc").matches(FoldedName($0)) })
    }

    @Test("names in Japanese and Korean match by bytes as they do by characters", arguments: 1...200)
    func nonLatinNames(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let letters = [
            "a", "B", "一", "パ", "は\u{3099}", "e\u{301}", "É", "한", "\u{1112}\u{1161}\u{11ab}", "/", "1", "힣", "、", "ꙁ",
        ]
        func text(_ count: Int) -> String {
            (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }.joined()
        }
        for _ in 0..<50 {
            var name = text(8)
            let part = text(Int.random(in: 1...2, using: &generator))
            let expected = name.lowercased().firstRange(of: part.lowercased()) != nil
            #expect(name.withUTF8 { NamePattern(part).matches(FoldedName($0)) } == expected, "\(part) in \(name)")
        }
    }
}
