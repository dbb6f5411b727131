extension PlaceTable {
    /// The maximum distance of a city in kilometers.
    package static let reach = 50.0

    /// Returns the city of a location in degrees: of those within ``reach``, the one to whose edge it is the nearest or
    /// in whose circle it is the farthest. Microseconds.
    package func nearest(latitude: Double, longitude: Double) -> Int? {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        let height = Self.reach / Sphere.radius * 180 / .pi
        let width = Sphere.width(latitude: latitude, reach: Self.reach)
        let south = Int(((max(-90, latitude - height)) * 1000).rounded(.down))
        let north = Int(((min(90, latitude + height)) * 1000).rounded(.up))
        let west = Int(((longitude - width) * 1000).rounded(.down))
        let east = Int(((longitude + width) * 1000).rounded(.up))
        var search = NearestCity(point: Sphere.point(latitude: latitude, longitude: longitude))
        for row in Self.row(max(south, Self.southPole))...Self.row(min(north, -Self.southPole)) {
            if width >= 180 {
                visit(row, -180_000, 180_000, &search)
                continue
            }
            visit(row, max(west, -180_000), min(east, 180_000), &search)
            // Across the date line.
            if west < -180_000 { visit(row, west + 360_000, 180_000, &search) }
            if east > 180_000 { visit(row, -180_000, east - 360_000, &search) }
        }
        return search.city
    }

    private func visit(_ row: Int, _ west: Int, _ east: Int, _ search: inout NearestCity) {
        let end = rows[row + 1]
        var (low, high) = (rows[row], end)
        while low < high {
            let middle = (low + high) / 2
            if Int(cities[middle].longitude) < west { low = middle + 1 } else { high = middle }
        }
        cities.withUnsafeBufferPointer { cities in
            var index = low
            while index < end, Int(cities[index].longitude) <= east {
                search.compare(index, cities[index])
                index += 1
            }
        }
    }
}

/// The nearest of the cities that were compared.
private struct NearestCity {
    let point: SIMD3<Float>
    private(set) var city: Int?
    private var best = Float.infinity

    /// The square of the chord of ``PlaceTable/reach``.
    private static let limit: Float = {
        let angle = Float(PlaceTable.reach / Sphere.radius)
        return angle * angle
    }()

    init(point: SIMD3<Float>) { self.point = point }

    mutating func compare(_ index: Int, _ other: PlaceTable.City) {
        let difference = other.point - point
        let square = (difference * difference).sum()
        // The chord is shorter than the arc by less than a meter.
        guard square <= Self.limit else { return }
        let distance = square.squareRoot() * Float(Sphere.radius) - other.radius
        if distance < best { (best, city) = (distance, index) }
    }
}
