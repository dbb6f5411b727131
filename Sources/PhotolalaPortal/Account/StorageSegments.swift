import Localization
import PhotolalaAPI

/// The template content of a storage bar with one segment for each kind of object.
enum StorageSegments {
    /// The width of the whole bar, in units of the picture.
    private static let width: Int64 = 1000
    /// The smallest width of a kind that is stored, so that it can be seen.
    private static let smallest: Int64 = 4

    /// Returns the segments in order, each with the text of its kind.
    static func content(
        _ kinds: UsageByKind, used: Int64, limit: Int64, _ texts: LocalizedStrings
    ) -> [[String: String]] {
        let all = [
            ("photos", kinds.photos), ("thumbnails", kinds.thumbnails), ("previews", kinds.previews),
            ("catalogs", kinds.catalogs), ("data", kinds.data),
        ]
        let total = Double(max(1, limit, used))
        var start: Int64 = 0
        return all.compactMap { name, stored in
            guard let stored, stored.objects > 0, let text = texts.kind(name, stored) else { return nil }
            let share = Int64((Double(stored.bytes) / total * Double(width)).rounded())
            let end = min(width, start + max(smallest, share))
            defer { start = end }
            let segment = ["kind": name, "start": String(start), "width": String(end - start)]
            return segment.merging(text) { first, _ in first }
        }
    }
}
