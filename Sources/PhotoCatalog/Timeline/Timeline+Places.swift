import PlaceNames

/// A city in which photos of a timeline were taken.
package struct PlaceSummary: Sendable, Equatable {
    package let place: PlaceID
    package let count: Int
    /// The index of the newest of them on the timeline.
    package let newest: Int
}

/// The cities of a timeline's photos. Each photo is in one of them, or is counted as one without a city.
package struct TimelinePlaces: Sendable, Equatable {
    /// The cities, those with the most photos first.
    package let places: [PlaceSummary]
    /// The number of photos without a location.
    package let unlocated: Int
    /// The number of photos whose location is far from any city.
    package let remote: Int

    /// The approximate number of bytes in memory.
    package var bytesInMemory: Int { places.count * MemoryLayout<PlaceSummary>.stride }
}

extension Timeline {
    /// Returns the cities of the photos. A lookup of each location, which takes about a microsecond. Yields its thread,
    /// and ends early if the task is cancelled.
    package func places() async throws -> TimelinePlaces {
        var found: [Int: (count: Int, newest: Int)] = [:]
        var (unlocated, remote) = (0, 0)
        // Without located photos, the table is not read.
        var table: PlaceTable?
        for start in stride(from: 0, to: photos.count, by: Self.step) {
            if start > 0 { await Task.yield() }
            try Task.checkCancellation()
            for index in start..<min(start + Self.step, photos.count) {
                guard let location = photos.location(at: index) else {
                    unlocated += 1
                    continue
                }
                let known = table ?? .builtIn
                table = known
                guard let city = known.nearest(latitude: location.latitude, longitude: location.longitude) else {
                    remote += 1
                    continue
                }
                found[city, default: (0, index)].count += 1
            }
        }
        let places = found.compactMap { city, photos in
            table?.id(of: city).map { PlaceSummary(place: $0, count: photos.count, newest: photos.newest) }
        }
        return TimelinePlaces(
            places: places.sorted { ($1.count, $0.newest) < ($0.count, $1.newest) }, unlocated: unlocated,
            remote: remote)
    }
}

extension CatalogEntries {
    /// Returns the entries of a place, as `Timeline.places` counts them. Yields its thread, and ends early if the task is
    /// cancelled.
    func taken(at place: PhotoPlace) async throws -> CatalogEntries {
        switch place {
        case .city(let id):
            let table = PlaceTable.builtIn
            guard let city = table.city(id), let center = table.center(of: city) else { return reordered([]) }
            // A location within reach of the city is at most this far to the north or south of it, in degrees.
            let (latitude, reach) = (Double(center.latitude) / 1000, 0.5)
            return try await filteredByLocation { location in
                guard let location, abs(location.latitude - latitude) <= reach else { return false }
                return table.nearest(latitude: location.latitude, longitude: location.longitude) == city
            }
        case .unlocated: return try await filteredByLocation { $0 == nil }
        case .remote:
            return try await filteredByLocation { location in
                guard let location else { return false }
                return PlaceTable.builtIn.nearest(latitude: location.latitude, longitude: location.longitude) == nil
            }
        }
    }

    private func filteredByLocation(_ passes: (GeoLocation?) -> Bool) async throws -> CatalogEntries {
        var found: [UInt32] = []
        for start in stride(from: 0, to: count, by: Timeline.step) {
            if start > 0 { await Task.yield() }
            try Task.checkCancellation()
            for index in start..<Swift.min(start + Timeline.step, count) where passes(location(at: index)) {
                found.append(order[index])
            }
        }
        return reordered(found)
    }

    fileprivate func location(at index: Int) -> GeoLocation? { catalog.records[Int(order[index])].location }
}
