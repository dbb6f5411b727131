import Testing

@testable import PlaceNames

@Suite struct PlaceCenterTests {
    @Test("the center of a city is that of the table, and belongs to it, also at a pole and at the date line")
    func small() throws {
        let table = try SmallTable.table()
        let expected = [(-16_800, -179_950), (-16_800, 179_900), (89_900, -170_000), (89_900, 20_000)]
        for (city, center) in expected.enumerated() {
            let found = try #require(table.center(of: city))
            #expect(found == center && table.city(at: center.0, center.1) == city)
        }
        #expect(table.center(of: 4) == nil && table.center(of: -1) == nil)
    }

    @Test(
        "without a city with this center, it is that of the location",
        arguments: [
            (-16_800, -179_949, 0), (-16_790, 179_890, 1), (-17_300, 0, nil), (90_001, 0, nil), (0, 180_001, nil),
            (-90_000, 180_000, nil),
        ])
    func moved(_ latitude: Int, _ longitude: Int, _ expected: Int?) throws {
        #expect(try SmallTable.table().city(at: latitude, longitude) == expected)
    }

    @Test("a suburb is found by its center, although its location belongs to the large city around it")
    func suburb() throws {
        let lines = [
            "places 2 1 1 2 0", "NO\tNorway\t\t\t\t\t", "0\t\t\t\t\t\t", "100\t1000\t900000\t0\tCity\t",
            "100\t1010\t5000\t0\tSuburb\t",
        ]
        let table = try PlaceTable(text: SmallTable.text(lines))
        #expect(table.nearest(latitude: 0.1, longitude: 1.01) == 0 && table.city(at: 100, 1010) == 1)
    }

    @Test("of cities with one center, the largest is found")
    func shared() throws {
        let lines = [
            "places 2 1 1 3 0", "NO\tNorway\t\t\t\t\t", "0\t\t\t\t\t\t", "100\t1000\t5000\t0\tA\t",
            "100\t1000\t9000\t0\tB\t", "100\t1000\t9000\t0\tC\t",
        ]
        let table = try PlaceTable(text: SmallTable.text(lines))
        #expect(table.city(at: 100, 1000) == 1 && table.nearest(latitude: 0.1, longitude: 1) == 1)
    }

    @Test("each city of the table in the program that can have photos is found by its center")
    func builtIn() throws {
        let table = PlaceTable.builtIn
        for city in stride(from: 0, to: table.count, by: 97) {
            let center = try #require(table.center(of: city))
            let found = try #require(table.city(at: center.latitude, center.longitude))
            #expect(table.center(of: found).map { $0 == center } == true)
        }
    }
}
