/// A library for browsing: each photo once, newest first, grouped by month, by the local time at which it was taken. Those
/// in the trash are ordered and grouped by the time in UTC at which they were moved there.
///
/// A photo is a content: if it has several paths, it is shown once. Sidecars and the other files of a group are not
/// shown; operations on their photo include them.
package struct Timeline: Sendable {
    package struct Month: Sendable, Equatable {
        package let date: CalendarMonth
        /// The indices of its photos.
        package let photos: Range<Int>
        /// Whether the month also contains all older photos.
        package var hasEarlier = false
    }

    /// The maximum number of months; all further months are merged into the last one.
    package static let mostMonths = 1200

    package let photos: CatalogEntries
    package let months: [Month]
    /// Whether its photos are those in the trash.
    private let isOfTrash: Bool

    /// - Parameter entries: The entries of a library.
    package init(_ entries: CatalogEntries) {
        self.init(shown: entries.photosWithoutDuplicates.ordered(by: .date, reversed: true), isOfTrash: false)
    }

    /// - Parameter entries: The entries in the trash of a library.
    package init(trash entries: CatalogEntries) {
        let newest = entries.photosWithoutDuplicates.ordered(by: .date, reversed: true)
        self.init(shown: newest.lastMovedFirst, isOfTrash: true)
    }

    /// - Parameter shown: The photos in the order in which they are shown.
    private init(shown: CatalogEntries, isOfTrash: Bool) {
        var months: [Month] = []
        var (start, date) = (0, CalendarMonth?.none)
        for index in shown.indices {
            let next = shown.date(at: index, isOfTrash: isOfTrash).month
            if let date, next != date {
                months.append(Month(date: date, photos: start..<index))
                start = index
            }
            date = next
        }
        if let date { months.append(Month(date: date, photos: start..<shown.count)) }
        if months.count > Self.mostMonths {
            let last = months[Self.mostMonths - 1]
            months.removeSubrange((Self.mostMonths - 1)...)
            let range = last.photos.lowerBound..<shown.count
            months.append(Month(date: last.date, photos: range, hasEarlier: true))
        }
        (photos, self.months, self.isOfTrash) = (shown, months, isOfTrash)
    }

    /// Returns the photos that a selection, which has no paths, includes at one of their paths. Yields its thread, and
    /// ends early if the task is cancelled.
    /// - Parameters:
    ///   - favorites: The contents that are favorites, if the selection depends on them.
    ///   - hidden: The contents that are hidden, if the selection depends on them.
    ///   - album: The contents of the album, if the selection has one.
    ///   - place: Where the photos were taken; `nil` for anywhere.
    ///   - entries: The entries from which the timeline was created.
    package func selected(
        _ selection: PhotoSelection, favorites: Favorites = Favorites(), hidden: HiddenPhotos = HiddenPhotos(),
        album: Set<ContentDigest> = [], at place: PhotoPlace? = nil, from entries: CatalogEntries
    ) async throws -> Timeline {
        var shown = photos
        if !selection.isEverything {
            var evaluated = selection
            if selection.isFavorite != nil { evaluated.favorites = favorites.contents }
            if selection.isHidden != nil { evaluated.hidden = hidden.contents }
            evaluated.members = album
            let found = try await Self.contents(evaluated, in: entries)
            shown = photos.filtered { found.contains($0.md5) }
        }
        guard let place else { return Timeline(shown: shown, isOfTrash: isOfTrash) }
        return Timeline(shown: try await shown.taken(at: place), isOfTrash: isOfTrash)
    }

    private static func contents(
        _ selection: PhotoSelection, in entries: CatalogEntries
    ) async throws -> Set<ContentDigest> {
        let test = PhotoPredicate(selection, for: entries.catalog)
        var found: Set<ContentDigest> = []
        for start in stride(from: 0, to: entries.count, by: step) {
            if start > 0 { await Task.yield() }
            try Task.checkCancellation()
            for index in start..<min(start + step, entries.count) {
                let record = entries.catalog.records[Int(entries.order[index])]
                if entries.withPath(index, { test.matches(record, path: $0) }) { found.insert(record.md5) }
            }
        }
        return found
    }

    /// The number of entries that are tested before the thread is yielded: about a millisecond.
    static let step = 4096

    /// Returns a timeline of the photos of a camera. Reads each record once.
    package func limited(to camera: CameraName) -> Timeline {
        let index = photos.catalog.cameras.firstIndex(of: camera)
        return Timeline(shown: photos.filtered { index != nil && $0.camera == index }, isOfTrash: isOfTrash)
    }

    /// Returns a timeline of the photos with these contents.
    package func limited(to contents: Set<ContentDigest>) -> Timeline {
        Timeline(shown: photos(contents), isOfTrash: isOfTrash)
    }

    /// Returns the photos with these contents.
    package func photos(_ contents: Set<ContentDigest>) -> CatalogEntries {
        photos.filtered { contents.contains($0.md5) }
    }

    /// The approximate number of bytes in memory, without the catalog.
    package var bytesInMemory: Int { photos.bytesInMemory + months.count * MemoryLayout<Month>.stride }

    /// Returns the date by which a photo is ordered. Reads only its record.
    package func date(of index: Int) -> Timestamp { photos.date(at: index, isOfTrash: isOfTrash) }

    /// Returns the index of a photo.
    package func index(of md5: ContentDigest) -> Int? { photos.index(of: md5) }
}

extension CatalogEntries {
    /// Each photo once, by its first path: without sidecars and without companions of other files.
    package var photosWithoutDuplicates: CatalogEntries { withoutCompanions.distinctContents }

    /// Returns the content of an entry, without creating the entry.
    func md5(at index: Int) -> ContentDigest { catalog.records[Int(order[index])].md5 }

    fileprivate func date(at index: Int, isOfTrash: Bool) -> Timestamp {
        let record = catalog.records[Int(order[index])]
        guard isOfTrash else { return record.date }
        // The stored date is later than the act by up to twice the allowance.
        return Timestamp(seconds: Int64(record.trashed) - Int64(CatalogStore.dateSlack), nanoseconds: 0)
    }

    /// The entries by the time at which they were moved to the trash, the last ones first. Those of one second keep their
    /// order.
    fileprivate var lastMovedFirst: CatalogEntries {
        let records = catalog.records
        let sorted = indices.sorted { one, other in
            let (first, second) = (records[Int(order[one])].trashed, records[Int(order[other])].trashed)
            return first == second ? one < other : first > second
        }
        return reordered(sorted.map { order[$0] })
    }

    fileprivate func index(of md5: ContentDigest) -> Int? {
        catalog.records.withUnsafeBufferPointer { records in
            order.firstIndex { records[Int($0)].md5 == md5 }
        }
    }

    /// The entries without sidecars and without companions of other files. Files that belong together are in one
    /// folder.
    fileprivate var withoutCompanions: CatalogEntries {
        var folders: [[UInt8]: [Int]] = [:]
        for index in indices { folders[folder(index), default: []].append(index) }
        var isHidden = [Bool](repeating: false, count: count)
        for folder in folders.values {
            let files = folder.map { (path: path(at: $0), type: type(at: $0)) }
            let groups = MediaGroup.groups(of: files).groups
            var companions = Set(groups.flatMap(\.companions))
            // In the trash, several contents may have the same path.
            companions.subtract(groups.map(\.primary))
            for (index, file) in zip(folder, files) {
                isHidden[index] = file.type.isSidecar || companions.contains(file.path)
            }
        }
        return reordered(indices.lazy.filter { !isHidden[$0] }.map { order[$0] })
    }

    private func path(at index: Int) -> LibraryPath {
        withPath(index) { LibraryPath(known: String(decoding: $0, as: UTF8.self)) }
    }

    private func type(at index: Int) -> MediaType { catalog.types[Int(catalog.records[Int(order[index])].type)] }
}
