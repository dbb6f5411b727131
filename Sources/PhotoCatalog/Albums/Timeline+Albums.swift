/// What a timeline shows of an album.
package struct AlbumSummary: Sendable {
    package let album: Album
    /// The number of its photos on the timeline.
    package let count: Int
    /// The chosen one of them or, without, the newest.
    package let cover: CatalogEntry?
    /// The dates of its oldest and of its newest photo on the timeline; `nil` without photos.
    package let dates: ClosedRange<Timestamp>?
}

extension Timeline {
    /// Returns a summary of each album, in the same order. One pass over the photos, regardless of the number of albums.
    package func summaries(of albums: [Album]) async throws -> [AlbumSummary] {
        var holders: [ContentDigest: [Int]] = [:]
        for (number, album) in albums.enumerated() {
            for md5 in album.contents { holders[md5, default: []].append(number) }
        }
        var counts = [Int](repeating: 0, count: albums.count)
        var covers = [Int?](repeating: nil, count: albums.count)
        // The first and the last of their photos: the timeline begins with the newest.
        var ends = [(newest: Int, oldest: Int)?](repeating: nil, count: albums.count)
        for start in stride(from: 0, to: photos.count, by: Self.step) {
            if start > 0 { await Task.yield() }
            try Task.checkCancellation()
            for index in start..<min(start + Self.step, photos.count) {
                let md5 = photos.md5(at: index)
                for number in holders[md5] ?? [] {
                    counts[number] += 1
                    ends[number] = (ends[number]?.newest ?? index, index)
                    if covers[number] == nil || albums[number].cover == md5 { covers[number] = index }
                }
            }
        }
        return albums.indices.map { number in
            let dates = ends[number].map {
                let (oldest, newest) = (photos[$0.oldest].date, photos[$0.newest].date)
                return min(oldest, newest)...max(oldest, newest)
            }
            return AlbumSummary(
                album: albums[number], count: counts[number], cover: covers[number].map { photos[$0] }, dates: dates)
        }
    }
}
