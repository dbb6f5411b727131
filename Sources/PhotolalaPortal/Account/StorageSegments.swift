import Localization
import PhotolalaAPI

/// The template content of a storage bar with one segment for each kind of object.
enum StorageSegments {
    /// The width of the whole bar, in units of the picture.
    private static let width = 10_000.0

    /// Returns the segments in order, each with the text of its kind. Together they are as wide as their share of the
    /// limit: a tiny kind, which the bar does not show, is in the legend.
    static func content(
        _ kinds: UsageByKind, used: Int64, limit: Int64, _ texts: LocalizedStrings
    ) -> [[String: String]] {
        let all = [
            ("photos", kinds.photos), ("thumbnails", kinds.thumbnails), ("previews", kinds.previews),
            ("catalogs", kinds.catalogs), ("data", kinds.data),
        ]
        let sum = all.reduce(0.0) { $0 + Double($1.1?.bytes ?? 0) }
        let total = max(1, Double(limit), Double(used), sum)
        var before = 0.0
        return all.compactMap { name, stored in
            guard let stored, stored.objects > 0, let text = texts.kind(name, stored) else { return nil }
            let start = position(before, of: total)
            before += Double(stored.bytes)
            let end = position(before, of: total)
            let segment = ["kind": name, "start": String(start), "width": String(end - start)]
            return segment.merging(text) { first, _ in first }
        }
    }
    /// Returns where a number of bytes ends in the bar.
    private static func position(_ bytes: Double, of total: Double) -> Int { Int((bytes / total * width).rounded()) }
}
