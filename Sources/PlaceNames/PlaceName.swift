/// A language in which the table has the names of countries, in the order of its columns.
package enum PlaceLanguage: String, CaseIterable, Sendable {
    case en, de, es, ja, ko
}

extension PlaceTable {
    /// Returns the name of a city with its region and country, such as `Munich, Bavaria, Germany`. The country is in the
    /// language; the city and region have their English or local name.
    package func name(of city: Int, in language: PlaceLanguage) -> String? {
        guard cities.indices.contains(city) else { return nil }
        let region = regions[Int(cities[city].region)]
        let column = PlaceLanguage.allCases.firstIndex(of: language) ?? 0
        let ranges = [
            Int(cities[city].nameStart)..<Int(cities[city].nameEnd), region.name,
            countries[region.country].names[column],
        ]
        var names: [String] = []
        for name in ranges.map({ String(decoding: text[$0], as: UTF8.self) }) where !name.isEmpty && name != names.last
        {
            names.append(name)
        }
        return names.joined(separator: ", ")
    }
}
