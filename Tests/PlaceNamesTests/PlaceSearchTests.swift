import Testing

@testable import PlaceNames

@Suite struct PlaceSearchTests {
    @Test(
        "a city is found by its names, region and country in five languages, ignoring case and accents",
        arguments: [
            "munich", "München", "MUNCHEN", "Muenchen", "Múnich", "ミュンヘン", "ﾐｭﾝﾍﾝ", "뮌헨", "Bavaria", "Bayern",
            "Germany",
            "Deutschland", "Alemania", "ドイツ", "독일", "Mu\u{308}nchen",
        ])
    func munich(_ word: String) throws {
        let table = PlaceTable.builtIn
        let city = try #require(table.nearest(latitude: 48.137, longitude: 11.575))
        #expect(table.cities(named: word).contains(city))
    }

    @Test(
        "other words find no city",
        arguments: ["Muni", "unich", "Munichs", "2019", "", "-", "Tokyo", "Monaco", "IMG_1234", "뮌", "ュンヘン"])
    func others(_ word: String) throws {
        let table = PlaceTable.builtIn
        let city = try #require(table.nearest(latitude: 48.137, longitude: 11.575))
        #expect(!table.cities(named: word).contains(city))
    }

    @Test(
        "a word is a whole word of a name, and in East Asian names the beginning of one",
        arguments: [
            ("side", [0, 1]), ("Weststadt", [1]), ("west", [1]), ("pole", [2, 3]), ("Pöle-Two", [3]),
            ("Pole-Three", []),
            ("北極", [3]), ("北", []), ("뉴욕", [3]), ("polarland", [2, 3]), ("Fidschi", [0, 1]), ("polar", [2, 3]),
            ("two", [3]), ("wo", []), ("Fiji-Norway", []), ("East-Norwegen", []), ("East-Fidschi", [0]),
        ])
    func words(_ word: String, _ expected: [Int]) throws {
        let found = try SmallTable.table().cities(named: word)
        #expect((0..<4).filter(found.contains) == expected)
        #expect(found.isEmpty == expected.isEmpty)
    }

    @Test("a set contains only what was inserted")
    func sets() {
        var set = PlaceSet(count: 65)
        for city in [0, 64] { set.insert(city) }
        #expect((-1...70).filter(set.contains) == [0, 64])
        var other = PlaceSet(count: 65)
        other.insert(64)
        set.formIntersection(other)
        #expect((0...70).filter(set.contains) == [64])
    }

    @Test("a word with more than eight parts names no place")
    func parts() {
        func found(_ parts: Int) -> PlaceSet {
            PlaceTable.builtIn.cities(named: Array(repeating: "york", count: parts).joined(separator: "-"))
        }
        #expect(!found(8).isEmpty && found(9).isEmpty)
    }
}
