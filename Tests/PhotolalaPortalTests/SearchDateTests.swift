import Foundation
import Localization
import NIOCore
import Testing

@testable import PhotoCatalog
@testable import PhotolalaPortal

/// The dates that pages show can be typed as a search.
@Suite struct SearchDateTests {
    /// The third has the same abbreviation of its weekday and month in Spanish.
    private static let dates = ["2024-05-15", "2023-05-15", "2024-03-05", "2024-09-05", "2024-05-03"]

    /// Returns the indices of the dates that a search finds.
    private func found(_ search: String, _ vocabulary: SearchVocabulary) async throws -> [Int] {
        let rows = Self.dates.enumerated().map { index, date in
            "\(Array("vwxyz")[index]).jpg,\(String(repeating: "\(index)", count: 32)),5,\(date)T10:00:00Z,,image/jpeg\n"
        }
        let header = "path,md5,size,modified,taken,type\n"
        let catalog = try CatalogCSV.decode(ByteBuffer(string: "\(header)\(rows.joined())")).rows
        var selection = PhotoSelection()
        selection.words = SearchWord.words(of: search, vocabulary)
        let timeline = try await Timeline(catalog.entries).selected(selection, from: catalog.entries)
        return timeline.photos.compactMap { photo in Self.dates.firstIndex { $0 == "\(photo.date)".prefix(10) } }
            .sorted()
    }

    @Test("a day, a day's heading and a month of a page find their photos", arguments: ["en", "de", "ja", "ko", "es"])
    func shown(_ language: String) async throws {
        let catalog = try TextCatalog(service: "Photolala")
        let (texts, vocabulary) = (catalog.strings(for: nil, chosen: language), SearchVocabulary(catalog))
        for (index, day) in Self.dates.enumerated() {
            let timestamp = try #require(Timestamp("\(day)T10:00:00Z"))
            let date = timestamp.date
            let same = { (length: Int) in
                Self.dates.indices.filter { Self.dates[$0].prefix(length) == day.prefix(length) }
            }
            #expect(try await found(texts.day(date), vocabulary) == [index], "\(texts.day(date))")
            let heading = texts.weekday(date)
            let everyYear = Self.dates.indices.filter { Self.dates[$0].suffix(5) == day.suffix(5) }
            #expect(try await found(heading, vocabulary) == everyYear, "\(heading)")
            let month = texts.month(timestamp.month)
            #expect(try await found(month, vocabulary) == same(7), "\(month)")
        }
    }

    @Test(
        "months and days are typed in any language, and abbreviations beside a number",
        arguments: [
            ("3 May 2024", [4]), ("Mai 2024", [0, 4]), ("2024-05", [0, 4]), ("3 de mayo de 2024", [4]),
            ("15. Mai", [0, 1]),
            ("Sept 2024", [3]), ("mar 2024", [2]), ("mar, 5 mar", [2]), ("5 sep.", [3]), ("2024年5月", [0, 4]),
            ("2024년 5월 3일", [4]), ("2024. 5. 3.", [4]), ("Wednesday, May 15 2024", [0]), ("mar", []),
            ("sept", []), ("Wednesday", []), ("Wednesday May", []), ("(水)", []),
        ])
    func typed(_ search: String, _ expected: [Int]) async throws {
        let vocabulary = SearchVocabulary(try TextCatalog(service: "Photolala"))
        #expect(try await found(search, vocabulary) == expected)
    }
}
