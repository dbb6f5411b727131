import Localization
import PhotoCatalog

extension LocalizedStrings {
    /// Returns the number of photos and the days of the first and the last: `3 items · May 3 – Aug 9, 2024`.
    func contents(of timeline: Timeline) -> String {
        let count = items(timeline.photos.count)
        guard let newest = timeline.photos.first, let oldest = timeline.photos.last else { return count }
        return "\(count) · \(days(from: oldest.date.date, to: newest.date.date))"
    }
}
