import Foundation

/// Cities with their regions and countries: the nearest one of a location, and those that a word names.
///
/// A city is its index in the table. The cities are in rows of half a degree from south to north and, in a row, from west
/// to east.
package struct PlaceTable: Sendable {
    struct Country: Sendable {
        /// Two letters of ISO 3166-1.
        let code: Range<Int>
        /// The names in the order of ``PlaceLanguage``.
        let names: [Range<Int>]
        let searched: Range<Int>
    }

    struct Region: Sendable {
        let country: Int
        /// The names in the order of ``PlaceLanguage``. The first is empty if the region has no name; others are empty
        /// where they are unknown or equal to it.
        let names: [Range<Int>]
        let searched: Range<Int>
    }

    struct City: Sendable {
        /// Thousandths of a degree.
        let longitude: Int32
        /// The radius in kilometers of a circle for its people.
        let radius: Float
        /// The point on a sphere with the radius 1.
        let point: SIMD3<Float>
        let region: Int32
        /// The bytes of the name, and of all that is searched, which starts with it.
        let nameStart: Int32
        let nameEnd: Int32
        let searchedEnd: Int32
    }

    /// The names of a city in other languages.
    struct LocalNames: Sendable {
        let city: Int32
        /// The names in the order of ``PlaceLanguage``, without the first; empty where they are unknown or equal to it.
        let names: [Range<Int>]
    }

    let text: [UInt8]
    let countries: [Country]
    let regions: [Region]
    let cities: [City]
    /// Sorted by city.
    let localNames: [LocalNames]
    /// The index of the first city of each row, and the number of cities.
    let rows: [Int]

    /// The number of cities.
    package var count: Int { cities.count }

    static let rowCount = 361
    /// The height of a row in thousandths of a degree.
    static let rowHeight = 500
    static let southPole = -90_000
    /// The people on a square kilometer of a city: those of Munich would fill a circle with a radius of 7 km.
    private static let density: Float = 8842

    /// Creates a table without cities.
    package init() {
        (text, countries, regions, cities, localNames) = ([], [], [], [], [])
        rows = [Int](repeating: 0, count: Self.rowCount + 1)
    }

    /// Parses a table.
    /// - Parameter text: The text that `scripts/build-place-names` compresses.
    package init(text: [UInt8]) throws(PlaceTableError) {
        var lines = PlaceText(text)
        guard text[try lines.field(endedBy: PlaceText.space)].elementsEqual("places".utf8),
            try lines.number(endedBy: PlaceText.space) == 2
        else { throw .malformed(line: 1) }
        let most = 0...Self.mostLines
        let countryCount = try lines.number(in: most, endedBy: PlaceText.space)
        let regionCount = try lines.number(in: most, endedBy: PlaceText.space)
        let cityCount = try lines.number(in: most, endedBy: PlaceText.space)
        let localCount = try lines.number(in: 0...cityCount, endedBy: PlaceText.lineBreak)
        lines.advance()
        self.text = text
        countries = try Self.read(countryCount, &lines) { lines throws(PlaceTableError) in
            let code = try lines.field()
            let names = try lines.fields(PlaceLanguage.allCases.count)
            let end = try lines.field(endedBy: PlaceText.lineBreak).upperBound
            return Country(code: code, names: names, searched: names[0].lowerBound..<end)
        }
        regions = try Self.read(regionCount, &lines) { lines throws(PlaceTableError) in
            let country = try lines.number(in: 0...(max(countryCount, 1) - 1))
            let names = try lines.fields(PlaceLanguage.allCases.count)
            let end = try lines.field(endedBy: PlaceText.lineBreak).upperBound
            return Region(country: country, names: names, searched: names[0].lowerBound..<end)
        }
        var rows: [Int] = []
        var (index, last) = (0, (row: 0, longitude: Int32.min))
        cities = try Self.read(cityCount, &lines) { lines throws(PlaceTableError) in
            let latitude = try lines.number(in: Self.southPole...(-Self.southPole))
            let city = try Self.city(latitude, regionCount, &lines)
            let row = Self.row(latitude)
            guard (last.row, last.longitude) <= (row, city.longitude) else { throw .malformed(line: lines.line) }
            last = (row, city.longitude)
            while rows.count <= row { rows.append(index) }
            index += 1
            return city
        }
        while rows.count <= Self.rowCount { rows.append(cityCount) }
        self.rows = rows
        var lastNamed = -1
        localNames = try Self.read(localCount, &lines) { lines throws(PlaceTableError) in
            let city = try lines.number(in: 0...(max(cityCount, 1) - 1))
            guard city > lastNamed else { throw .malformed(line: lines.line) }
            lastNamed = city
            let names = try lines.fields(PlaceLanguage.allCases.count - 2)
            let end = try lines.field(endedBy: PlaceText.lineBreak)
            return LocalNames(city: Int32(city), names: names + [end])
        }
        let isConsistent = (countryCount > 0 || regionCount == 0) && (regionCount > 0 || cityCount == 0)
        guard lines.isOver, isConsistent else { throw .malformed(line: lines.line) }
    }

    private static let mostLines = 1_000_000

    /// Returns the row of a latitude in thousandths of a degree.
    static func row(_ latitude: Int) -> Int { (latitude - southPole) / rowHeight }

    private static func read<Record>(
        _ count: Int, _ lines: inout PlaceText, _ read: (inout PlaceText) throws(PlaceTableError) -> Record
    ) throws(PlaceTableError) -> [Record] {
        var records: [Record] = []
        for _ in 0..<count {
            records.append(try read(&lines))
            lines.advance()
        }
        return records
    }

    private static func city(
        _ latitude: Int, _ regionCount: Int, _ lines: inout PlaceText
    ) throws(PlaceTableError) -> City {
        let longitude = try lines.number(in: -180_000...180_000)
        let people = try lines.number(in: 0...999_999_999)
        let region = try lines.number(in: 0...(max(regionCount, 1) - 1))
        let name = try lines.field()
        let end = try lines.field(endedBy: PlaceText.lineBreak).upperBound
        return City(
            longitude: Int32(longitude), radius: (Float(people) / (density * .pi)).squareRoot(),
            point: Sphere.point(latitude: Double(latitude) / 1000, longitude: Double(longitude) / 1000),
            region: Int32(region), nameStart: Int32(name.lowerBound), nameEnd: Int32(name.upperBound),
            searchedEnd: Int32(end))
    }
}
