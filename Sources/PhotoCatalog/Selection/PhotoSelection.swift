import PlaceNames

/// A selection of photos in a library by data in its catalog. Criteria that are not set match every photo.
package struct PhotoSelection: Sendable, Equatable {
    /// The paths of photos as they are shown, and of folders with all their content; empty for any path.
    package var paths: [String] = []
    /// The earliest date, by the local time at which a photo was taken or, if that is unknown, its modification date in
    /// UTC. Local times are given as if they were UTC.
    package var from: Timestamp?
    /// The exclusive end of the date range.
    package var before: Timestamp?
    /// The categories; empty for any.
    package var kinds: [MediaKind] = []
    package var name: NamePattern?
    /// The words of a search, which must all match.
    package var words: [SearchWord] = []
    /// The contents, at any path; empty for any.
    package var contents: Set<ContentDigest> = []
    /// The range of file sizes in bytes, both ends included.
    package var sizes: ClosedRange<Int64> = 0...Int64.max
    /// Whether the photos are favorites; `nil` for any.
    package var isFavorite: Bool?
    /// Whether the photos are hidden; `nil` for any.
    package var isHidden: Bool?
    /// The name or id of an album that has the photos; `nil` for any.
    package var album: String?
    /// The contents that are favorites. Set while a selection is evaluated that depends on them.
    var favorites: Set<ContentDigest> = []
    /// The contents that are hidden. Set while a selection is evaluated that depends on them.
    var hidden: Set<ContentDigest> = []
    /// The contents of the album. Set while a selection is evaluated that depends on them.
    var members: Set<ContentDigest> = []

    package init() {}

    /// Whether photos are selected by what they contain, so that one that has several paths is selected at all of them.
    var isByContent: Bool { !contents.isEmpty || album != nil || isFavorite == true || isHidden == true }

    /// Whether the selection includes every photo.
    package var isEverything: Bool { self == PhotoSelection() }
}

/// A selection prepared for the records of one catalog, so that each is tested by comparing numbers and bytes.
struct PhotoPredicate {
    private let from: Timestamp?
    private let before: Timestamp?
    private let sizes: ClosedRange<Int64>
    private let name: NamePattern?
    private let words: [SearchWordPredicate]
    private let contents: Set<ContentDigest>
    private let isFavorite: Bool?
    private let favorites: Set<ContentDigest>
    private let isHidden: Bool?
    private let hidden: Set<ContentDigest>
    /// The contents of the album; `nil` if there is none.
    private let members: Set<ContentDigest>?
    /// For each of the catalog's types, whether it is included; `nil` if all are.
    private let types: [Bool]?
    private let places: PlaceTable

    init(_ selection: PhotoSelection, for catalog: Catalog) {
        let types = catalog.types
        // Without located photos, the table is not read.
        let hasPlaces = selection.words.contains { $0.place != nil } && catalog.records.contains { $0.location != nil }
        let places = hasPlaces ? PlaceTable.builtIn : PlaceTable()
        self.places = places
        (from, before, sizes, name) = (selection.from, selection.before, selection.sizes, selection.name)
        let cameras = catalog.cameras
        words = selection.words.map { SearchWordPredicate($0, types: types, cameras: cameras, places: places) }
        contents = selection.contents
        (isFavorite, favorites) = (selection.isFavorite, selection.favorites)
        (isHidden, hidden) = (selection.isHidden, selection.hidden)
        members = selection.album == nil ? nil : selection.members
        let kinds = selection.kinds
        self.types = kinds.isEmpty ? nil : types.map { type in kinds.contains { $0.includes(type) } }
    }

    /// - Parameter path: The path as it is shown.
    func matches(_ record: CatalogRecord, path: UnsafeBufferPointer<UInt8>) -> Bool {
        guard sizes.contains(record.size) else { return false }
        if let types, !types[Int(record.type)] { return false }
        if from != nil || before != nil {
            let date = record.date
            if let from, date < from { return false }
            if let before, date >= before { return false }
        }
        if !contents.isEmpty, !contents.contains(record.md5) { return false }
        if let members, !members.contains(record.md5) { return false }
        if let isFavorite, favorites.contains(record.md5) != isFavorite { return false }
        if let isHidden, hidden.contains(record.md5) != isHidden { return false }
        if !words.isEmpty {
            let folded = FoldedName(path)
            var place = RecordPlace(places)
            for word in words where !word.matches(record, path: folded, place: &place) { return false }
        }
        guard let name else { return true }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return name.matches(FoldedName(UnsafeBufferPointer(rebasing: path[start...])))
    }
}
