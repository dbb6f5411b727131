/// How a range of a timeline's photos is laid out: its days, and the widths of its photos at one height.
package struct TimelineShape: Sendable, Equatable {
    /// The number of days of the photos.
    package var days = 0
    /// The sum of the photos' proportions.
    package var proportions = 0.0
}

extension MediaFacts {
    /// The proportion of a photo whose size is unknown.
    package static let usualProportion = 4.0 / 3
    /// The proportions that are shown whole. Longer panoramas and screenshots are cropped to them.
    package static let shownProportions = 0.5...12
    /// The largest proportion of a photo that is no panorama. A panorama counts for this in a sum of proportions.
    package static let longestProportion = 3.0

    /// Width divided by height as displayed, within `shownProportions`; `nil` if it is unknown.
    package var shownProportion: Double? {
        guard let width, let height, height > 0 else { return nil }
        let proportion = Double(width) / Double(height)
        let shown = (orientation ?? 1) >= 5 ? 1 / proportion : proportion
        return min(max(shown, Self.shownProportions.lowerBound), Self.shownProportions.upperBound)
    }

    /// Whether the photo is a panorama, which is shown whole. Pages have proportions in thousandths.
    package var isPanorama: Bool { ((shownProportion ?? 0) * 1000).rounded() > Self.longestProportion * 1000 }
}

extension Timeline {
    /// Returns the shape of a range of photos. Reads only records.
    package func shape(of range: Range<Int>) -> TimelineShape {
        var (shape, last) = (TimelineShape(), Int64?.none)
        for index in range {
            let record = photos.record(at: index)
            let day = date(of: index).day
            if day != last { shape.days += 1 }
            last = day
            shape.proportions += min(
                record.media.shownProportion ?? MediaFacts.usualProportion, MediaFacts.longestProportion)
        }
        return shape
    }

    /// Returns the shown proportion of a photo; `nil` if it is unknown. Reads only the record.
    package func proportion(at index: Int) -> Double? { photos.record(at: index).media.shownProportion }

    /// Returns whether a photo is the first of its day on the timeline.
    package func startsDay(at index: Int) -> Bool {
        index == 0 || date(of: index).day != date(of: index - 1).day
    }

    /// Returns a range in parts of one day each.
    package func days(of range: Range<Int>) -> [Range<Int>] {
        var days: [Range<Int>] = []
        for index in range {
            if let last = days.indices.last, !startsDay(at: index) {
                days[last] = days[last].lowerBound..<index + 1
            } else {
                days.append(index..<index + 1)
            }
        }
        return days
    }
}

extension Timestamp {
    /// The days since 1970.
    fileprivate var day: Int64 { seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1 }
}

extension CatalogEntries {
    fileprivate func record(at index: Int) -> CatalogRecord { catalog.records[Int(order[index])] }
}
