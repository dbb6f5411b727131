/// What a device has to say to the catalog about one content at one path.
package enum CatalogChange: Sendable, Equatable {
    /// A photo or video stands in this device's folder, and its bytes are in the store. What is in the trash stays there,
    /// unless the person put it back in the place of something else: `replacing` is the other content that this device
    /// itself had put at the path before. That one goes to the trash; anybody else's is kept.
    case add(CatalogEntry, replacing: ContentDigest?)
    /// More is known of a photo that is in the catalog with this stamp: who added it stays as it is.
    case describe(CatalogEntry, added: ChangeStamp)
    /// The person put it into the trash.
    case trash(LibraryPath, ContentDigest)
    /// The person took it out of the trash.
    case takeOut(LibraryPath, ContentDigest)

    var path: LibraryPath {
        switch self {
        case .add(let entry, _), .describe(let entry, _): entry.path
        case .trash(let path, _), .takeOut(let path, _): path
        }
    }

    var md5: ContentDigest {
        switch self {
        case .add(let entry, _), .describe(let entry, _): entry.md5
        case .trash(_, let md5), .takeOut(_, let md5): md5
        }
    }

    /// Whether it says that a content is stored.
    var reliesOnStore: Bool {
        if case .trash = self { return false }
        return true
    }

    var putsIntoTrash: Bool {
        switch self {
        case .add(let entry, let replacing): replacing.map { $0 != entry.md5 } ?? false
        case .trash: true
        case .takeOut, .describe: false
        }
    }
}

extension Catalog {
    /// What changes say, to be joined with whatever others say.
    /// - Parameters:
    ///   - counter: the largest that the device had seen; each change has a larger one.
    ///   - trashed: what the store's clock shows, for what goes to the trash, in seconds since 1970.
    init(_ changes: [CatalogChange], after counter: UInt64, by device: DeviceTag, trashed: UInt32) {
        var counter = counter
        let each = changes.map { change -> Catalog in
            let stamp = ChangeStamp.next(after: counter, by: device)
            counter = stamp.counter
            return Catalog(change, stamp, trashed)
        }
        self = Catalog.join(of: each)
    }

    /// Entries that nobody has told any other device of.
    package init(of entries: [CatalogEntry]) {
        self = Catalog.join(of: entries.map { Catalog(adding: $0, .zero, isPutBack: false) })
    }

    private init(_ change: CatalogChange, _ stamp: ChangeStamp, _ trashed: UInt32) {
        self.init()
        switch change {
        case .add(let entry, let replacing):
            let replaced = replacing == entry.md5 ? nil : replacing
            join(Catalog(adding: entry, stamp, isPutBack: replaced != nil))
            if let replaced { join(Catalog(trash: trashed, stamp, entry.path, replaced)) }
        case .describe(let entry, let added): join(Catalog(adding: entry, added, isPutBack: false))
        case .trash(let path, let md5): join(Catalog(trash: trashed, stamp, path, md5))
        case .takeOut(let path, let md5): join(Catalog(trash: 0, stamp, path, md5))
        }
    }

    private init(adding entry: CatalogEntry, _ stamp: ChangeStamp, isPutBack: Bool) {
        self.init()
        var record = CatalogRecord()
        record.md5 = entry.md5
        record.size = entry.size
        record.modified = entry.modified
        record.media = entry.media
        record.added = stamp
        if isPutBack { record.trashChanged = stamp }
        types = [entry.type]
        append(record, entry.path)
    }

    private init(trash trashed: UInt32, _ stamp: ChangeStamp, _ path: LibraryPath, _ md5: ContentDigest) {
        self.init()
        var record = CatalogRecord()
        record.md5 = md5
        record.trashed = min(trashed, CatalogRecord.purged - 1)
        record.trashChanged = stamp
        append(record, path)
    }

    private mutating func append(_ record: CatalogRecord, _ path: LibraryPath) {
        var name = path.description
        name.withUTF8 { append(record, $0) }
    }

    /// The changes that tell something that is not here yet, and those that follow them at the same path.
    func news(in changes: [CatalogChange]) -> [CatalogChange] {
        var paths: Set<LibraryPath> = []
        return changes.filter { change in
            let isNews = paths.contains(change.path) || isNews(change)
            if isNews { paths.insert(change.path) }
            return isNews
        }
    }

    /// Whether a change tells anything that is not here yet.
    func isNews(_ change: CatalogChange) -> Bool {
        switch change {
        case .add(let entry, let replacing):
            let replaced = replacing == entry.md5 ? nil : replacing
            if let replaced, holds(entry.path, replaced) { return true }
            guard let index = index(of: entry.path, entry.md5), records[index].hasFacts else { return true }
            let known = self.entry(at: index)
            let isPutBack = replaced != nil && !records[index].isAlive
            return isPutBack || entry.modified < known.modified || entry.media.tellsMore(than: known.media)
        case .describe(let entry, _):
            guard let index = index(of: entry.path, entry.md5), records[index].hasFacts else { return true }
            return entry.media.tellsMore(than: records[index].media)
        case .trash(let path, let md5): return index(of: path, md5).map { records[$0].trashed == 0 } ?? true
        case .takeOut(let path, let md5): return index(of: path, md5).map { records[$0].trashed > 0 } ?? true
        }
    }

    /// The change that a file in a device's folder calls for; `nil` where it tells nothing that is not here yet. Who has
    /// the photo is not changed by what is only read of it.
    func change(adding entry: CatalogEntry, replacing: ContentDigest?) -> CatalogChange? {
        let add = CatalogChange.add(entry, replacing: replacing)
        guard isNews(add) else { return nil }
        let isReplacing = replacing.map { $0 != entry.md5 } ?? false
        guard !isReplacing, let index = index(of: entry.path, entry.md5), records[index].hasFacts,
            entry.modified >= records[index].modified
        else { return add }
        return description(of: index, media: entry.media)
    }

    /// The change that adds facts to an entry, and leaves all else as it is.
    func description(of index: Int, media: MediaFacts) -> CatalogChange {
        let known = entry(at: index)
        let described = CatalogEntry(
            path: known.path, md5: known.md5, size: known.size, modified: known.modified, type: known.type,
            media: media)
        return .describe(described, added: records[index].added)
    }

    /// The changes that put a content where another one stands, since they were made.
    func conflicts(made changes: [CatalogChange], since before: Catalog) -> [CatalogConflict] {
        changes.compactMap { change in
            if case .trash = change { return nil }
            return before.holds(change.path, change.md5) ? nil : conflict(of: change.path, change.md5)
        }
    }
}

extension Catalog {
    /// Returns those conflicts whose second file is still shown where it was put.
    func remaining(of conflicts: [CatalogConflict]) -> [CatalogConflict] {
        conflicts.filter { conflict in
            range(of: conflict.path).contains { records[$0].isAlive && shownPath(of: $0) == conflict.keptBeside }
        }
    }

    /// Whether a content shares its path with others or with a folder, and where the one is shown that gave way.
    func conflict(of path: LibraryPath, _ md5: ContentDigest) -> CatalogConflict? {
        let alive = range(of: path).filter { records[$0].isAlive }.sorted { records[$1].yields(to: records[$0]) }
        guard let mine = alive.firstIndex(where: { records[$0].md5 == md5 }) else { return nil }
        if isFolder(path) { return CatalogConflict(path: path, keptBeside: placeBeside(alive[mine])) }
        guard alive.count > 1 else { return nil }
        return CatalogConflict(path: path, keptBeside: placeBeside(alive[max(mine, 1)]))
    }
}

extension MediaFacts {
    /// Whether something is known here that is not known there: a date, its offset, the size, the orientation.
    func tellsMore(than other: MediaFacts) -> Bool {
        (taken != nil && other.taken == nil) || (taken?.offset != nil && other.taken?.offset == nil)
            || (width != nil && other.width == nil)
            || (orientation != nil && other.orientation == nil)
    }
}

/// Two devices put different photos at one path; one of them is now shown beside the other.
package struct CatalogConflict: Sendable, Equatable {
    package let path: LibraryPath
    package let keptBeside: LibraryPath
}
