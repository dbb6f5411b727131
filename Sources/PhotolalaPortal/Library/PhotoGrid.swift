import Foundation
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The addresses to which a grid of photos links.
protocol PhotoGridPaths: Sendable {
    func path(of photo: ContentDigest) -> String
    /// Returns the address of the page that begins with a block.
    func path(from block: Int) -> String
}

extension LibraryQuery: PhotoGridPaths {
    func path(of photo: ContentDigest) -> String { path(of: photo, archive: nil) }
    func path(from block: Int) -> String { path("from=\(block)") }
}

/// The template content for a timeline.
struct PhotoGrid {
    let timeline: Timeline
    let blocks: TimelineBlocks
    let texts: LocalizedStrings
    let paths: any PhotoGridPaths
    /// `nil` if the grid does not show them.
    let favorites: Favorites?
    /// The photos that are shown as archived; `nil` if the grid shows only such photos, or none.
    let archived: HiddenPhotos?
    /// The photos of the album to which others are added, which cannot be chosen.
    let members: Set<ContentDigest>
    /// Whether the names of files are shown.
    let hasNames: Bool
    /// Whether the dates are those at which the photos were moved to the trash.
    let isTrash: Bool
    /// The current year, which dates leave out.
    let year: Int

    init(query: LibraryQuery, view: LibraryView, texts: LocalizedStrings, now: Date) {
        blocks = TimelineBlocks(
            view.timeline, hasMonths: query.section != .albums || Self.hasMonths(view.timeline))
        isTrash = query.list == .trash
        (timeline, self.texts, paths) = (view.timeline, texts, query)
        (favorites, archived, hasNames) = (view.favorites, query.isHidden ? nil : view.hidden, true)
        members = view.destination?.contents ?? []
        year = Self.year(of: now)
    }

    /// Creates the grid that a shared link shows.
    init(_ shared: SharedPhotos, paths: SharedPaths, texts: LocalizedStrings, now: Date) {
        blocks = TimelineBlocks(shared.timeline, hasMonths: Self.hasMonths(shared.timeline))
        (timeline, self.texts, self.paths) = (shared.timeline, texts, paths)
        (favorites, archived, hasNames, members, isTrash) = (nil, nil, false, [], false)
        year = Self.year(of: now)
    }

    /// Returns whether an album or shared link has months. One with few photos is one list of days, and so is one block of
    /// a single month, whose days the heading has.
    private static func hasMonths(_ timeline: Timeline) -> Bool {
        let count = timeline.photos.count
        return count >= fewPhotos && (timeline.months.count > 1 || count > TimelineBlocks.size)
    }

    /// Returns the links to sign for a range of blocks: of each photo the thumbnail, and of a panorama a larger picture.
    func pictures(of shown: Range<Int>) -> [PhotoLink] {
        blocks.blocks[shown].flatMap(\.photos).flatMap { index -> [PhotoLink] in
            let entry = timeline.photos[index]
            return [.thumbnail(entry.md5)] + (largePicture(of: entry).map { [$0] } ?? [])
        }
    }

    /// Returns what the grid may show of a panorama with more pixels than thumbnails have: its preview, or an original
    /// that is its own preview, except in a shared link, which may not offer originals.
    private func largePicture(of entry: CatalogEntry) -> PhotoLink? {
        guard entry.media.isPanorama, max(entry.media.width ?? 0, entry.media.height ?? 0) > Self.widestThumbnail
        else { return nil }
        if Preview.isUseful(for: entry.type, size: entry.size, entry.media) { return .preview(entry.md5) }
        return hasNames && entry.type != .gif && !entry.type.isSidecar ? .original(entry) : nil
    }

    /// Returns the months of a range of blocks, with the photos.
    /// - Parameter links: The URLs of the pictures, in order.
    func months(of shown: Range<Int>, links: [String]) -> [[String: any Sendable]] {
        var links = links[...]
        let months = shown.chunked { blocks.blocks[$0].month }
        return months.map { month, indices in
            let isShort = blocks.isShort(month)
            let group = blocks.group(with: indices.lowerBound)
            let isLastOfRun = group.upperBound == blocks.blocks.count || !self.isShort(group.upperBound)
            let isFirstOfRun = indices.lowerBound == shown.lowerBound || !self.isShort(indices.lowerBound - 1)
            let closesRow = isShort && group.upperBound == indices.upperBound
            return [
                "title": title(of: month), "opensRow": isShort && group.lowerBound == indices.lowerBound,
                "opensRun": isShort && isFirstOfRun, "endsRun": isLastOfRun, "closesRow": closesRow,
                "closesRun": closesRow && (isLastOfRun || indices.upperBound == shown.upperBound),
                "blocks": indices.map { block($0, links: &links) },
            ]
        }
    }

    /// Returns whether a block is that of a month that shares rows with others.
    private func isShort(_ block: Int) -> Bool { blocks.isShort(blocks.blocks[block].month) }

    /// Returns a range of blocks, with the photos.
    func content(of shown: Range<Int>, links: [String]) -> [[String: any Sendable]] {
        var links = links[...]
        return shown.map { block($0, links: &links) }
    }

    private func block(_ index: Int, links: inout ArraySlice<String>) -> [String: any Sendable] {
        let days: [[String: any Sendable]] = timeline.days(of: blocks.blocks[index].photos).map { day in
            var content = photos(day, links: &links)
            let names = names(ofDay: day)
            // A day that the block before began goes on without its heading.
            guard timeline.startsDay(at: day.lowerBound) else { return ["photos": content, "continued": names] }
            content[0]["day"] = names
            let month = blocks.blocks[index].month
            if day.lowerBound == timeline.months[month].photos.lowerBound, opensYear(month) {
                content[0]["year"] = texts.year(timeline.date(of: day.lowerBound).date)
            }
            return ["photos": content]
        }
        return ["number": String(index), "days": days]
    }

    /// Returns whether a month that shares rows with the one before it is the first of its year.
    private func opensYear(_ month: Int) -> Bool {
        month > 0 && blocks.isShort(month) && blocks.isShort(month - 1)
            && timeline.months[month].date.year != timeline.months[month - 1].date.year
    }

    /// Returns the texts of the heading of a day. A date of another year has that instead of the weekday.
    private func names(ofDay day: Range<Int>) -> [String: String] {
        let date = timeline.date(of: day.lowerBound).date
        let isOfThisYear = Self.year(of: date) == year
        var names = [
            "date": texts.day(date), "title": isOfThisYear ? texts.weekday(date) : texts.shortDay(date),
            "short": texts.monthAndDay(date),
        ]
        if isTrash {
            let title = isOfThisYear ? texts.monthAndDay(date) : texts.shortDay(date)
            names["date"] = texts(.trashDay, [.date: texts.day(date)])
            names["title"] = texts(.trashDay, [.date: title])
            names["short"] = texts(.trashDayShort, [.date: texts.monthAndDay(date)])
        }
        // A single photo is selected itself.
        let isSingle =
            day.count == 1 && (day.upperBound == timeline.photos.count || timeline.startsDay(at: day.upperBound))
        if !isSingle { names["selectDay"] = texts(.selectPhoto, [.name: texts.day(date)]) }
        return names
    }

    private func photos(_ photos: Range<Int>, links: inout ArraySlice<String>) -> [[String: any Sendable]] {
        photos.map { index in
            let entry = timeline.photos[index]
            let date = texts.day(entry.date.date)
            // Photos of one day have names of their own, also where those of their files are not shown.
            let name = hasNames ? entry.path.name : "\(date) (\(index + 1)/\(timeline.photos.count))"
            var photo: [String: any Sendable] = [
                "md5": entry.md5.description, "link": links.popFirst() ?? "", "name": name,
                "alt": hasNames ? "\(name), \(date)" : name, "page": paths.path(of: entry.md5),
                "select": texts(.selectPhoto, [.name: name]),
            ]
            if let proportion = entry.media.shownProportion { photo["ratio"] = String(format: "%.3f", proportion) }
            if entry.media.isPanorama { photo["isPanorama"] = true }
            if largePicture(of: entry) != nil { photo["sharper"] = links.popFirst() }
            if let color = entry.media.color { photo["color"] = color.description }
            if entry.type.isVideo { photo["isVideo"] = true }
            if entry.type.isVideo, let duration = entry.media.duration {
                photo["duration"] = ["clock": duration.clock, "words": duration.words(in: texts)]
            }
            if members.contains(entry.md5) {
                photo["isMember"] = true
                photo["select"] = "\(name), \(texts(.albumMember))"
            }
            if favorites?.contains(entry.md5) == true { photo["favoriteIcon"] = Icon.favorite.html }
            if archived?.contains(entry.md5) == true { photo["archivedIcon"] = Icon.archive.html }
            return photo
        }
    }

    /// Returns all months and the shapes of their blocks, for the page's script.
    func overview() throws -> String {
        var months = timeline.months.indices.map {
            ScriptMonth(
                title: title(of: $0), year: timeline.months[$0].date.year, isShort: blocks.isShort($0) ? true : nil,
                opensYear: opensYear($0) ? true : nil, blocks: [])
        }
        for block in blocks.blocks {
            let shape = timeline.shape(of: block.photos)
            var numbers = [block.photos.count, shape.days, Int(shape.proportions.rounded())]
            if block.photos.count <= Self.mostMeasured { numbers += block.photos.map(measure(of:)) }
            months[block.month].blocks.append(numbers)
        }
        for group in blocks.groups where isShort(group.lowerBound) {
            months[blocks.blocks[group.lowerBound].month].opensRow = true
        }
        return try ScriptValue.json(months)
    }

    /// Returns the proportion of a photo in thousandths, negative if the photo is the first of its day.
    private func measure(of photo: Int) -> Int {
        let proportion = timeline.proportion(at: photo) ?? MediaFacts.usualProportion
        return Int((proportion * 1000).rounded()) * (timeline.startsDay(at: photo) ? -1 : 1)
    }

    private struct ScriptMonth: Encodable {
        let title: String
        let year: Int
        /// `nil` for `false`, for a smaller page.
        let isShort: Bool?
        var opensRow: Bool?
        let opensYear: Bool?
        /// Of each block the number of photos, the number of days, and the sum of the photos' proportions. A block that
        /// may be lower than the window also has the measures of its photos.
        var blocks: [[Int]]
    }

    /// Whether the photos probably fill the three windows from which the script shows the years beside them: their place
    /// is kept, so that nothing moves.
    var isLong: Bool { fills(windows: 3) }

    /// Whether a list of the months is of use: the photos have several, and probably fill two windows.
    var hasJumps: Bool { timeline.months.count > 1 && fills(windows: 2) }

    /// Returns whether the photos probably fill a number of windows, of four to five rows with dates each. A row has the
    /// proportions of about six squares; a month with a title takes half a row more.
    private func fills(windows: Double) -> Bool {
        guard timeline.photos.count <= 600 else { return true }
        let rows = timeline.months.indices.reduce(0.0) { rows, month in
            let shape = timeline.shape(of: timeline.months[month].photos)
            return rows + shape.proportions / 6 + (blocks.isShort(month) ? 0 : 0.6)
        }
        return rows >= 4.5 * windows
    }

    /// Returns the years, with a link to the start of each of their months.
    func jumps() -> [[String: any Sendable]] {
        timeline.months.indices.chunked { timeline.months[$0].date.year }.map { year, months in
            ["year": String(year), "months": months.map(jump)]
        }
    }

    private func jump(to month: Int) -> [String: any Sendable] {
        let shown = timeline.months[month]
        return [
            "title": shown.hasEarlier ? title(of: month) : texts.monthName(shown.date),
            "path": paths.path(from: blocks.block(of: shown.photos.lowerBound)), "count": String(shown.photos.count),
        ]
    }

    private func title(of month: Int) -> String {
        let month = timeline.months[month]
        let date = texts.month(month.date)
        return month.hasEarlier ? texts(.andEarlier, [.date: date]) : date
    }

    /// Returns the year of a time, in UTC.
    private static func year(of time: Date) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.component(.year, from: time)
    }

    /// The largest width of a thumbnail, in pixels.
    private static let widestThumbnail = 1024
    /// The number of photos from which albums and shared links have months.
    private static let fewPhotos = 30
    /// The most photos of a block whose exact size the script knows before it loads. More fill the window.
    private static let mostMeasured = 40
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
