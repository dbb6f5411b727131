/// A language in which the table has names, in the order of its columns.
package enum PlaceLanguage: String, CaseIterable, Sendable {
    case en, de, es, ja, ko

    /// Returns the names of a place, the smallest area first, as one name: `Munich, Bavaria, Germany`, and `日本 大阪府 大阪市`.
    package func joined(_ names: [String]) -> String {
        switch self {
        case .ja, .ko: names.reversed().joined(separator: " ")
        case .en, .de, .es: names.joined(separator: ", ")
        }
    }
}

extension PlaceTable {
    /// Returns the name of a city with its region and country, such as `Munich, Bavaria, Germany`.
    package func name(of city: Int, in language: PlaceLanguage) -> String? {
        let names = names(of: city, in: language)
        return names.isEmpty ? nil : language.joined(names)
    }

    /// Returns the names of a city, its region and its country in a language. A city or region without a name in the
    /// language has its English or local one. A region with its city's name is left out. Returns none for an unknown city.
    package func names(of city: Int, in language: PlaceLanguage) -> [String] {
        guard cities.indices.contains(city) else { return [] }
        let region = regions[Int(cities[city].region)]
        let column = PlaceLanguage.allCases.firstIndex(of: language) ?? 0
        let name = Int(cities[city].nameStart)..<Int(cities[city].nameEnd)
        var shown = [localName(of: city, column) ?? name]
        if !text[name].elementsEqual(text[region.names[0]]) {
            shown.append(region.names[column].isEmpty ? region.names[0] : region.names[column])
        }
        shown.append(countries[region.country].names[column])
        var names: [String] = []
        for name in shown.map({ String(decoding: text[$0], as: UTF8.self) }) where !name.isEmpty && name != names.last {
            names.append(name)
        }
        return names
    }

    /// Returns the name of a city in a column after the first; `nil` if it has none there.
    private func localName(of city: Int, _ column: Int) -> Range<Int>? {
        guard column > 0 else { return nil }
        var (low, high) = (0, localNames.count)
        while low < high {
            let middle = (low + high) / 2
            if localNames[middle].city < city { low = middle + 1 } else { high = middle }
        }
        guard low < localNames.count, localNames[low].city == city else { return nil }
        let name = localNames[low].names[column - 1]
        return name.isEmpty ? nil : name
    }

    /// Returns the name of a country in a language, in English if the table has no such language, or the code of a country
    /// without cities.
    /// - Parameter code: two letters of ISO 3166-1, such as `DE`.
    package func name(ofCountry code: String, in language: String) -> String {
        guard let country = countries.first(where: { text[$0.code].elementsEqual(code.utf8) }) else { return code }
        let column = PlaceLanguage(rawValue: language).flatMap(PlaceLanguage.allCases.firstIndex(of:)) ?? 0
        return String(decoding: text[country.names[column]], as: UTF8.self)
    }
}
