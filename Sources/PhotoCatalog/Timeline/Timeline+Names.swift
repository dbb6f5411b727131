import PlaceNames

/// A name under which photos of a timeline are found.
package struct PhotoName<Value: Sendable & Equatable>: Sendable, Equatable {
    package let value: Value
    /// The number of photos that are found.
    package let count: Int
}

/// The names under which photos of a timeline are found, each of at least one photo that is not hidden.
package struct TimelineNames: Sendable, Equatable {
    /// The cities, those with the most photos first.
    package let places: [PhotoName<PlaceID>]
    /// The cameras, the most used first.
    package let cameras: [PhotoName<CameraName>]
    /// The types of files, the most frequent first.
    private let types: [PhotoName<MediaType>]
    /// The months, the newest first.
    package let months: [CalendarMonth]

    fileprivate init(
        places: [PhotoName<PlaceID>], cameras: [PhotoName<CameraName>], types: [PhotoName<MediaType>],
        months: [CalendarMonth]
    ) {
        (self.places, self.cameras, self.types, self.months) = (places, cameras, types, months)
    }

    /// Returns the number of photos of a kind.
    package func count(of kind: MediaKind) -> Int {
        types.reduce(0) { $0 + (kind.includes($1.value) ? $1.count : 0) }
    }

    /// The approximate number of bytes in memory.
    package var bytesInMemory: Int { 128 * (places.count + cameras.count + types.count + months.count) }
}

extension Timeline {
    /// Returns the names of the photos. One pass, with a lookup of each location, which takes about a microsecond. Yields
    /// its thread, and ends early if the task is cancelled.
    /// - Parameters:
    ///   - hidden: The contents that are hidden. They are counted, because they are found, and add no names.
    ///   - limit: The largest number of cities, of cameras and of months.
    package func names(hidden: Set<ContentDigest>, limit: Int) async throws -> TimelineNames {
        var (cities, cameras, types) = (Tallies<Int>(), Tallies<Int>(), Tallies<Int>())
        var months: [CalendarMonth] = []
        // Without located photos, the table is not read.
        var table: PlaceTable?
        for month in self.months {
            for index in month.photos {
                if index % Self.step == 0 {
                    if index > 0 { await Task.yield() }
                    try Task.checkCancellation()
                }
                let record = photos.catalog.records[Int(photos.order[index])]
                let isShown = hidden.isEmpty || !hidden.contains(record.md5)
                types.add(Int(record.type), isShown)
                if let camera = record.camera { cameras.add(camera, isShown) }
                // The oldest months may be merged into one.
                if isShown, !month.hasEarlier, months.count < limit, months.last != month.date {
                    months.append(month.date)
                }
                guard let location = record.location else { continue }
                let known = table ?? .builtIn
                table = known
                if let city = known.nearest(latitude: location.latitude, longitude: location.longitude) {
                    cities.add(city, isShown)
                }
            }
        }
        let catalog = photos.catalog
        return TimelineNames(
            places: cities.names(limit) { table?.id(of: $0) }, cameras: cameras.names(limit) { catalog.cameras[$0] },
            types: types.names(.max) { catalog.types[$0] }, months: months)
    }
}

/// The photos of each name.
private struct Tallies<Key: Hashable & Comparable> {
    private var counts: [Key: Int] = [:]
    private var shown: Set<Key> = []

    mutating func add(_ key: Key, _ isShown: Bool) {
        counts[key, default: 0] += 1
        if isShown { shown.insert(key) }
    }

    func names<Value>(_ limit: Int, _ value: (Key) -> Value?) -> [PhotoName<Value>] {
        shown.map { (key: $0, count: counts[$0] ?? 0) }
            .sorted { ($1.count, $0.key) < ($0.count, $1.key) }.prefix(limit)
            .compactMap { tally in value(tally.key).map { PhotoName(value: $0, count: tally.count) } }
    }
}
