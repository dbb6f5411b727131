import Testing

@testable import PhotoCatalog
@testable import PhotolalaPortal

/// The map of the places, and the parts of their page.
@Suite struct PlaceMapTests {
    private func map(_ places: [String]) -> PlaceMap { PlaceMap(places.compactMap { PlaceID($0) }, largest: 4) }

    @Test(
        "the map shows the part of the world that has the places, within the world",
        arguments: [
            (["48137_11575"], "-12.425 -60.137 48.000 24.000"),
            (["48137_11575", "35690_139692"], "-7.643 -83.552 166.552 83.276"),
            (["-16800_-179950", "-16800_179900"], "-180.000 -90.000 360.000 180.000"),
            (["89900_179000"], "132.000 -90.000 48.000 24.000"), (["-89000_-179000"], "-180.000 66.000 48.000 24.000"),
            (["80000_0", "-80000_0"], "-180.000 -90.000 360.000 180.000"),
            ([], "-180.000 -90.000 360.000 180.000"),
        ])
    func view(_ places: [String], _ expected: String) { #expect(map(places).viewBox == expected) }

    @Test("a dot has the area of the number of photos, and its name is inside of the map")
    func dots() throws {
        let map = map(["10000_0", "-10000_100000"])
        let places = try ["10000_0", "-10000_100000"].map { try #require(PlaceID($0)) }
        let left = map.dot(of: PlaceSummary(place: places[0], count: 1, newest: 0)).compactMapValues { $0 as? String }
        let right = map.dot(of: PlaceSummary(place: places[1], count: 4, newest: 0)).compactMapValues { $0 as? String }
        #expect(left["x"] == "0.000" && left["y"] == "-10.000" && right["x"] == "100.000" && right["y"] == "10.000")
        #expect(left["anchor"] == "start" && right["anchor"] == "end")
        #expect(left["radius"] == "2.145" && right["radius"] == "2.860")
        #expect(left["textX"] == "2.925" && right["textX"] == "96.360")
    }

    @Test(
        "the places are in pages, and every number is on one of them",
        arguments: [
            (0, 0, 0..<0), (5, 0, 0..<0), (0, 3, 0..<3), (-4, 3, 0..<3), (119, 121, 0..<120), (120, 121, 120..<121),
            (125, 121, 120..<121), (.max, 121, 120..<121), (.min, 121, 0..<120), (0, 120, 0..<120),
        ])
    func pages(_ first: Int, _ count: Int, _ expected: Range<Int>) {
        #expect(PlacePages.range(from: first, of: count) == expected)
    }
}
