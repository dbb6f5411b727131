import Foundation
import PhotolalaTesting
import Testing

@testable import PlaceNames

@Suite struct PlaceLookupTests {
    @Test(
        "a location has the name of its city",
        arguments: [
            (48.15, 11.58, "Munich, Bavaria, Germany"), (35.6895, 139.6917, "Tokyo, Japan"),
            (-33.8568, 151.2153, "Sydney, New South Wales, Australia"),
            (37.81, -122.27, "Oakland, California, United States"), (48.249, 11.65, "Garching, Bavaria, Germany"),
            (46.02, 7.749, "Zermatt, Valais, Switzerland"), (37.5665, 126.978, "Seoul, South Korea"),
        ])
    func known(_ latitude: Double, _ longitude: Double, _ name: String) throws {
        let table = PlaceTable.builtIn
        let city = try #require(table.nearest(latitude: latitude, longitude: longitude))
        #expect(table.name(of: city, in: .en) == name)
    }

    @Test(
        "names are those of the language where it has them",
        arguments: zip(
            PlaceLanguage.allCases,
            [
                ["Pöle Two, Polar Land, Norway", "West Side, Fiji", "East Side, Fiji"],
                ["Pol Zwei, Polarland, Norwegen", "Weststadt, Fidschi", "East Side, Fidschi"],
                ["Pöle Two, Polar Land, Noruega", "West Side, Fiyi", "East Side, Fiyi"],
                ["ノルウェー Polar Land 北極", "フィジー West Side", "フィジー East Side"],
                ["노르웨이 극지 뉴욕 시", "피지 West Side", "피지 East Side"],
            ]))
    func languages(_ language: PlaceLanguage, _ expected: [String]) throws {
        let table = try SmallTable.table()
        #expect([3, 1, 0].map { table.name(of: $0, in: language) } == expected)
        #expect(table.name(of: 4, in: language) == nil && table.names(of: -1, in: language) == [])
    }

    @Test(
        "a city and its region have their names in other languages, and a region named as its city is left out",
        arguments: [
            (48.137, 11.575, PlaceLanguage.de, "München, Bayern, Deutschland"),
            (48.137, 11.575, .ko, "독일 바이에른 주 뮌헨"), (35.6895, 139.6917, .de, "Tokio, Japan"),
            (35.6895, 139.6917, .ja, "日本 東京都"), (35.6895, 139.6917, .ko, "일본 도쿄"),
            (-33.8568, 151.2153, .es, "Sídney, Nueva Gales del Sur, Australia"),
            // The ISO code of this region was that of another one.
            (33.4878, 48.3558, .de, "Khorramabad, Lorestān, Iran"),
        ])
    func localized(_ latitude: Double, _ longitude: Double, _ language: PlaceLanguage, _ name: String) throws {
        let table = PlaceTable.builtIn
        let city = try #require(table.nearest(latitude: latitude, longitude: longitude))
        #expect(table.name(of: city, in: language) == name)
    }

    @Test(
        "cities are found across the date line and at the poles",
        arguments: [
            (-16.8, 179.97, "West Side, Fiji"), (-16.8, -179.99, "East Side, Fiji"), (-16.8, 180, "East Side, Fiji"),
            (-16.8, -180, "East Side, Fiji"), (-16.8, 179.6, "West Side, Fiji"),
            (89.99, 20, "Pöle Two, Polar Land, Norway"),
            (89.95, 170, "Pole One, Polar Land, Norway"), (-90, 0, nil), (-90, 180, nil), (0.1, 0, nil),
            (-17.3, 179.9, nil), (91, 0, nil), (0, 181, nil), (.nan, 0, nil), (0, .infinity, nil),
        ])
    func edges(_ latitude: Double, _ longitude: Double, _ name: String?) throws {
        let table = try SmallTable.table()
        let city = table.nearest(latitude: latitude, longitude: longitude)
        #expect(city.flatMap { table.name(of: $0, in: .en) } == name)
    }

    @Test("the city is that of a comparison with all cities", arguments: 1...4)
    func all(_ seed: UInt64) throws {
        let table = PlaceTable.builtIn
        let places = PlainCity.all(of: table)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<6 {
            // Near a city, so that most locations have one.
            let near = try #require(places.randomElement(using: &generator))
            let latitude = min(90, max(-90, near.latitude + .random(in: -0.5...0.5, using: &generator)))
            let longitude = min(180, max(-180, near.longitude + .random(in: -0.5...0.5, using: &generator)))
            let scores = places.map { $0.score(latitude, longitude) }
            let best = try #require(scores.min())
            if let city = table.nearest(latitude: latitude, longitude: longitude) {
                // Numbers with seven digits differ by a few meters.
                #expect(abs(scores[city] - best) < 0.01)
            } else {
                #expect(best == .infinity)
            }
        }
    }
}

/// A city as it is in the text, with the haversine distance.
private struct PlainCity {
    let latitude: Double
    let longitude: Double
    let people: Double

    static func all(of table: PlaceTable) -> [PlainCity] {
        let lines = String(decoding: table.text, as: UTF8.self).split(separator: "\n").dropLast(table.localNames.count)
        return lines.suffix(table.count).map { line in
            let numbers = line.split(separator: "\t").prefix(3).map { Double($0) ?? .nan }
            return PlainCity(latitude: numbers[0] / 1000, longitude: numbers[1] / 1000, people: numbers[2])
        }
    }

    func score(_ north: Double, _ east: Double) -> Double {
        let (from, to) = (latitude * .pi / 180, north * .pi / 180)
        let (half, turn) = (sin((to - from) / 2), sin((east - longitude) * .pi / 360))
        let distance = 2 * 6371 * asin(min(1, sqrt(half * half + cos(from) * cos(to) * turn * turn)))
        return distance <= 50 ? distance - sqrt(people / 8842 / .pi) : .infinity
    }
}
