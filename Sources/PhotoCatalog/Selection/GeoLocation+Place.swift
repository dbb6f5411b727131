import PlaceNames

extension GeoLocation {
    /// Returns the name of the place with its region and country, such as `Munich, Bavaria, Germany`; `nil` far from any
    /// city. The country is in the language, in English if the table has no such language.
    package func placeName(in language: String) -> String? {
        let table = PlaceTable.builtIn
        guard let city = table.nearest(latitude: latitude, longitude: longitude) else { return nil }
        return table.name(of: city, in: PlaceLanguage(rawValue: language) ?? .en)
    }
}
