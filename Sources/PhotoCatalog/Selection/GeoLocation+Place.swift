import PlaceNames

extension GeoLocation {
    /// The nearest city; `nil` far from any.
    package var placeID: PlaceID? {
        let table = PlaceTable.builtIn
        return table.nearest(latitude: latitude, longitude: longitude).flatMap { table.id(of: $0) }
    }

    /// Returns the name of the place with its region and country, such as `Munich, Bavaria, Germany`; `nil` far from any
    /// city. The country is in the language, in English if the table has no such language.
    package func placeName(in language: String) -> String? {
        let table = PlaceTable.builtIn
        guard let city = table.nearest(latitude: latitude, longitude: longitude) else { return nil }
        return table.name(of: city, in: PlaceLanguage(rawValue: language) ?? .en)
    }
}

extension PlaceID {
    /// Returns the names of the city, its region and its country; none if the table has no city there.
    package func names(in language: String) -> [String] {
        let table = PlaceTable.builtIn
        return table.city(self).map { table.names(of: $0, in: PlaceLanguage(rawValue: language) ?? .en) } ?? []
    }
}

extension PlaceTable {
    func id(of city: Int) -> PlaceID? {
        center(of: city).flatMap { PlaceID(latitude: $0.latitude, longitude: $0.longitude) }
    }

    func city(_ id: PlaceID) -> Int? { city(at: Int(id.latitude), Int(id.longitude)) }
}
