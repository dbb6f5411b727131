import Foundation
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The template content for a timeline.
struct PhotoGrid {
    let query: LibraryQuery
    let view: LibraryView
    let blocks: TimelineBlocks
    let texts: LocalizedStrings

    private var timeline: Timeline { view.timeline }

    /// Returns the thumbnail links to sign for a range of blocks.
    func thumbnails(of shown: Range<Int>) -> [PhotoLink] {
        blocks.blocks[shown].flatMap { $0.photos.map { .thumbnail(timeline.photos[$0].md5) } }
    }

    /// Returns the months of a range of blocks, with the photos.
    /// - Parameter links: The thumbnail URLs, in order.
    func months(of shown: Range<Int>, links: [String]) -> [[String: any Sendable]] {
        var links = links[...]
        return shown.chunked(by: { blocks.blocks[$0].month }).map { month, indices in
            ["title": title(of: month), "blocks": indices.map { block($0, links: &links) }]
        }
    }

    /// Returns a range of blocks, with the photos.
    func blocks(_ shown: Range<Int>, links: [String]) -> [[String: any Sendable]] {
        var links = links[...]
        return shown.map { block($0, links: &links) }
    }

    private func block(_ index: Int, links: inout ArraySlice<String>) -> [String: any Sendable] {
        var days: [[String: any Sendable]] = []
        for photos in timeline.days(of: blocks.blocks[index].photos) {
            var day: [String: any Sendable] = ["photos": content(of: photos, links: &links)]
            // A day that the block before began goes on without its title.
            if timeline.startsDay(at: photos.lowerBound) {
                let title = texts.weekday(timeline.photos[photos.lowerBound].date.date)
                day["title"] = title
                day["selectDay"] = texts(.selectPhoto, [.name: title])
            }
            days.append(day)
        }
        return ["number": String(index), "days": days]
    }

    private func content(of photos: Range<Int>, links: inout ArraySlice<String>) -> [[String: any Sendable]] {
        photos.map { index in
            let entry = timeline.photos[index]
            let name = entry.path.name
            var photo: [String: any Sendable] = [
                "md5": entry.md5.description, "link": links.popFirst() ?? "", "name": name,
                "alt": "\(name), \(texts.day(entry.date.date))", "page": query.path(of: entry.md5),
                "select": texts(.selectPhoto, [.name: name]),
            ]
            if let proportion = entry.media.shownProportion { photo["ratio"] = String(format: "%.3f", proportion) }
            if entry.type.isVideo { photo["isVideo"] = true }
            if view.favorites.contains(entry.md5) { photo["favoriteIcon"] = Icon.favorite.html }
            return photo
        }
    }

    /// Returns all months and the shapes of their blocks, for the page's script.
    func overview() throws -> String {
        var months = timeline.months.indices.map {
            ScriptMonth(title: title(of: $0), year: timeline.months[$0].date.year, blocks: [])
        }
        for block in blocks.blocks {
            let shape = timeline.shape(of: block.photos)
            months[block.month].blocks.append([block.photos.count, shape.days, Int(shape.proportions.rounded())])
        }
        return try ScriptValue.json(months)
    }

    private struct ScriptMonth: Encodable {
        let title: String
        let year: Int
        /// Of each block the number of photos, the number of days, and the sum of the photos' proportions.
        var blocks: [[Int]]
    }

    /// Returns a link to the start of each month.
    func jumps() -> [[String: any Sendable]] {
        timeline.months.indices.map { month in
            let first = blocks.block(of: timeline.months[month].photos.lowerBound)
            return [
                "title": title(of: month), "path": query.path("from=\(first)"),
                "count": String(timeline.months[month].photos.count),
            ]
        }
    }

    private func title(of month: Int) -> String {
        let month = timeline.months[month]
        let title = texts.month(month.date)
        return month.hasEarlier ? texts(.andEarlier, [.date: title]) : title
    }
}

extension Range<Int> {
    /// Groups adjacent indices with equal keys.
    fileprivate func chunked<Key: Equatable>(by key: (Int) -> Key) -> [(key: Key, indices: Range<Int>)] {
        var chunks: [(key: Key, indices: Range<Int>)] = []
        for index in self {
            if let last = chunks.last, last.key == key(index) {
                chunks[chunks.count - 1].indices = last.indices.lowerBound..<index + 1
            } else {
                chunks.append((key(index), index..<index + 1))
            }
        }
        return chunks
    }
}
