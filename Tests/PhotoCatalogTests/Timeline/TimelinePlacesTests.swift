import NIOCore
import Testing

@testable import PhotoCatalog

/// The cities of a timeline's photos.
@Suite struct TimelinePlacesTests {
    private static let (munich, tokyo, sea, none) = ("48.15,11.58", "35.6895,139.6917", "0.5,-30", ",")

    /// Returns a library with a photo for each location, the newest first.
    private static func entries(_ locations: [String], _ more: String = "") throws -> CatalogEntries {
        let rows = locations.enumerated().map { index, location in
            let md5 = String(repeating: String(index, radix: 16), count: 32)
            return "\(index).jpg,\(md5),5,20\(40 - index)-01-02T03:04:05Z,,image/jpeg,,,,,,,\(location)\n"
        }
        let header = (CatalogCSV.columns + CatalogCSV.optionalColumns + CatalogCSV.locationColumns)
            .joined(separator: ",")
        return try CatalogCSV.decode(ByteBuffer(string: "\(header)\n\(rows.joined())\(more)")).rows.entries
    }

    @Test("photos are counted by city, with the newest of each, and those without one apart")
    func counts() async throws {
        let entries = try Self.entries([
            Self.none, Self.tokyo, Self.sea, Self.munich, Self.munich, Self.none, "48.2,11.5",
        ])
        let places = try await Timeline(entries).places()
        #expect(places.unlocated == 2 && places.remote == 1)
        #expect(places.places.map(\.count) == [3, 1] && places.places.map(\.newest) == [3, 1])
        #expect(places.places.map { $0.place.names(in: "de").first } == ["München", "Tokio"])
        #expect(places.places.first?.place.names(in: "xx") == ["Munich", "Bavaria", "Germany"])
    }

    @Test("of cities with equally many photos, the one with the newest photo is first")
    func order() async throws {
        for locations in [[Self.tokyo, Self.munich], [Self.munich, Self.tokyo]] {
            let places = try await Timeline(try Self.entries(locations)).places()
            #expect(places.places.map(\.newest) == [0, 1])
        }
    }

    @Test("a library without locations has no places")
    func empty() async throws {
        let places = try await Timeline(try Self.entries([Self.none])).places()
        #expect(places == TimelinePlaces(places: [], unlocated: 1, remote: 0))
    }

    @Test("a place has exactly the photos that are counted, also where a copy has no location")
    func selected() async throws {
        let copy = "z/copy.jpg,\(String(repeating: "0", count: 32)),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,,,\n"
        let entries = try Self.entries(
            [Self.munich, Self.tokyo, Self.none, Self.sea, "48.2,11.5", "49.45,11.08"], copy)
        let timeline = Timeline(entries)
        var selection = PhotoSelection()
        for place in try await timeline.places().places {
            let found = try await timeline.selected(selection, at: .city(place.place), from: entries)
            #expect(found.photos.count == place.count && found.photos.first?.md5 == timeline.photos[place.newest].md5)
        }
        let munich = try #require(PhotoPlace("48137_11575"))
        let paths = try await timeline.selected(selection, at: munich, from: entries).photos.map(\.path.description)
        #expect(paths == ["0.jpg", "4.jpg"])
        selection.words = [SearchWord(path: "4.jpg")]
        #expect(try await timeline.selected(selection, at: munich, from: entries).photos.count == 1)
        let nowhere = try #require(PlaceID("500_-30000"))
        #expect(try await timeline.selected(PhotoSelection(), at: .city(nowhere), from: entries).photos.isEmpty)
        #expect(nowhere.names(in: "en") == [])
    }

    @Test(
        "photos without a location, and those far from any city, are those that are counted", arguments: [false, true])
    func elsewhere(_ isSearched: Bool) async throws {
        let copy =
            "z/copy.jpg,\(String(repeating: "1", count: 32)),5,2024-01-02T03:04:05Z,,image/jpeg,,,,,,,48.15,11.58\n"
        let entries = try Self.entries([Self.munich, Self.none, Self.sea, Self.none, "0.5,-29", "-60,-30"], copy)
        let timeline = Timeline(entries)
        var selection = PhotoSelection()
        if isSearched { selection.words = [SearchWord(path: "jpg")] }
        let places = try await timeline.places()
        let unlocated = try await timeline.selected(selection, at: .unlocated, from: entries).photos
        #expect(unlocated.map(\.path.description) == ["1.jpg", "3.jpg"] && places.unlocated == 2)
        let remote = try await timeline.selected(selection, at: .remote, from: entries).photos
        #expect(remote.map(\.path.description) == ["2.jpg", "4.jpg", "5.jpg"] && places.remote == 3)
    }

    @Test(
        "the text of a place is read as it is written",
        arguments: ["48137_11575", "-90000_-180000", "0_0", "90000_180000", "none", "remote"])
    func texts(_ text: String) throws {
        let place = try #require(PhotoPlace(text))
        #expect(place.description == text)
    }

    @Test(
        "other texts are no places",
        arguments: [
            "", "48137", "48137_", "_1", "1_2_3", "90001_0", "0_180001", "1.5_2", "--1_2", "+1_2", "1234567_1", "None",
        ])
    func malformed(_ text: String) { #expect(PhotoPlace(text) == nil) }
}
