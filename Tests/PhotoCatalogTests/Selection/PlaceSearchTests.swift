import NIOCore
import Testing

@testable import PhotoCatalog

/// Searches for the places of photos.
@Suite struct PlaceSearchTests {
    private static let vocabulary = SearchVocabulary(months: ["may": 5], kinds: [:], connectives: [])

    /// Photos in Nice, Munich and Tokyo, at sea, and without a location.
    private static func catalog() throws -> Catalog {
        let photos = [
            ("c.jpg", "43.6965,7.2716"), ("munich/d.jpg", ","),
            ("sea.jpg", "0.5,-30"), ("trip/a.jpg", "48.15,11.58"), ("trip/b.jpg", "35.6895,139.6917"),
        ]
        let rows = photos.enumerated().map { index, photo in
            let md5 = String(repeating: "\(index)", count: 32)
            return "\(photo.0),\(md5),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,,\(photo.1)\n"
        }
        let header = (CatalogCSV.columns + CatalogCSV.optionalColumns + CatalogCSV.locationColumns)
            .joined(separator: ",")
        return try CatalogCSV.decode(ByteBuffer(string: "\(header)\n\(rows.joined())")).rows
    }

    private static let cases = [
        ("munich", ["munich/d.jpg", "trip/a.jpg"]), ("Munich Germany", ["trip/a.jpg"]), ("trip ドイツ", ["trip/a.jpg"]),
        ("Bayern", ["trip/a.jpg"]), ("東京", ["trip/b.jpg"]), ("Tokio trip", ["trip/b.jpg"]), ("niza", ["c.jpg"]),
        ("tokyo munich", []), ("Munich sea", []), ("atlantis", []), ("Saint-Maurice-Nice", []),
    ]

    @Test("a search finds the photos of a place, and all its words must match", arguments: cases)
    func words(_ text: String, _ paths: [String]) async throws {
        let entries = try Self.catalog().entries
        var selection = PhotoSelection()
        selection.words = SearchWord.words(of: text, Self.vocabulary)
        let found = try await Timeline(entries).selected(selection, from: entries)
        #expect(Set(found.photos.map(\.path.description)) == Set(paths))
    }

    @Test("the words of a command find the same", arguments: cases)
    func commandWords(_ text: String, _ paths: [String]) throws {
        var selection = PhotoSelection()
        selection.words = text.split(separator: " ").map { SearchWord(path: String($0)) }
        #expect(try Self.catalog().entries.selected(selection).map(\.path.description) == paths)
    }

    @Test("a date, a kind of file and a pattern are no places")
    func otherWords() throws {
        let words = SearchWord.words(of: "May 2019-05 video jpg Munich", Self.vocabulary)
        #expect(words.map(\.place) == [nil, nil, nil, nil, "Munich"])
        #expect(["Mun*", "M?nich", "Munich"].map { SearchWord(path: $0).place } == [nil, nil, "Munich"])
    }

    @Test("a location has the name of its place in a language of the pages")
    func names() throws {
        let tokyo = try #require(GeoLocation(latitude: 35.6895, longitude: 139.6917))
        #expect(tokyo.placeName(in: "de") == "Tokio, Japan" && tokyo.placeName(in: "ko") == "일본 도쿄")
        #expect(tokyo.placeName(in: "fr") == "Tokyo, Japan")
        #expect(tokyo.placeID?.names(in: "de") == ["Tokio", "Japan"])
        let sea = try #require(GeoLocation(latitude: 0.5, longitude: -30))
        #expect(sea.placeName(in: "en") == nil && sea.placeID == nil)
    }
}
