import Foundation

/// The centers of cities, which identify them beyond one version of the table.
extension PlaceTable {
    /// Returns the center of a city in thousandths of a degree.
    package func center(of city: Int) -> (latitude: Int, longitude: Int)? {
        guard cities.indices.contains(city) else { return nil }
        let point = SIMD3<Double>(cities[city].point)
        let latitude = atan2(point.z, (point.x * point.x + point.y * point.y).squareRoot())
        return (Int((latitude * 180_000 / .pi).rounded()), Int(cities[city].longitude))
    }

    /// Returns the city with a center in thousandths of a degree: the largest if several have it. Without one, as after
    /// a city has got another center in the table, returns the city to which the location belongs.
    package func city(at latitude: Int, _ longitude: Int) -> Int? {
        guard abs(latitude) <= -Self.southPole, abs(longitude) <= 180_000 else { return nil }
        let row = Self.row(latitude)
        var largest: Int?
        for city in rows[row]..<rows[row + 1]
        where Int(cities[city].longitude) == longitude && center(of: city)?.latitude == latitude {
            if largest.map({ cities[city].radius > cities[$0].radius }) ?? true { largest = city }
        }
        return largest ?? nearest(latitude: Double(latitude) / 1000, longitude: Double(longitude) / 1000)
    }
}
