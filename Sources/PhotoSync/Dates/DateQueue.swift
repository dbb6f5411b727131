import PhotoCatalog

/// The photos of a library whose dates are to be determined, folder by folder.
struct DateQueue {
    struct Item: Sendable {
        let entry: CatalogEntry
        let dates: FolderDates
        fileprivate let catalog: Catalog
        fileprivate let index: Int

        /// Returns the change that adds a date to the catalog; `nil` if the date adds nothing.
        func change(_ date: CaptureDate?) -> CatalogChange? {
            var media = entry.media
            media.taken = date
            return media.addsFacts(than: entry.media) ? catalog.description(of: index, media: media) : nil
        }
    }

    private let wanted: CatalogEntries
    private let all: CatalogEntries
    private let open: ([CatalogEntry]) -> FolderDates
    /// Indices in `wanted`, grouped by folder.
    private let order: [Int]
    /// Indices in `all` by folder.
    private let folders: [[UInt8]: [Int]]
    private var position = 0
    private var current: (folder: [UInt8], dates: FolderDates)?

    /// - Parameters:
    ///   - wanted: The selected entries. Photos and videos without a date or without its offset are processed.
    ///   - all: All entries of the library, from the same catalog.
    ///   - open: Creates the `FolderDates` of a folder from its entries.
    init(wanted: CatalogEntries, all: CatalogEntries, open: @escaping ([CatalogEntry]) -> FolderDates) {
        (self.wanted, self.all, self.open) = (wanted, all, open)
        var byFolder: [[UInt8]: [Int]] = [:]
        for index in wanted.indices {
            let entry = wanted[index]
            guard !entry.type.isSidecar, entry.taken?.offset == nil else { continue }
            byFolder[wanted.folder(index), default: []].append(index)
        }
        let names = byFolder.keys.sorted { $0.lexicographicallyPrecedes($1) }
        order = names.flatMap { byFolder[$0] ?? [] }
        var folders: [[UInt8]: [Int]] = [:]
        for index in all.indices {
            let folder = all.folder(index)
            if byFolder[folder] != nil { folders[folder, default: []].append(index) }
        }
        self.folders = folders
    }

    /// The total number of photos and videos to process.
    var count: Int { order.count }

    mutating func next() -> Item? {
        guard position < order.count else { return nil }
        let index = order[position]
        position += 1
        let folder = wanted.folder(index)
        let dates: FolderDates
        if let current, current.folder == folder {
            dates = current.dates
        } else {
            dates = open((folders[folder] ?? []).map { all[$0] })
            current = (folder, dates)
        }
        return Item(
            entry: wanted[index], dates: dates, catalog: wanted.catalog, index: Int(wanted.order[index]))
    }
}
