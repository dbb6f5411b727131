/// A change that a device makes to one content at one path.
package enum CatalogChange: Sendable, Equatable {
    /// Adds a photo or video that is in this device's folder and whose bytes are stored. An entry in the trash remains
    /// there, unless the user put the content back in place of another one. `replacing` is the content that this device
    /// itself had added at the path before; it is moved to the trash. Contents added by other devices are kept.
    case add(CatalogEntry, replacing: ContentDigest?)
    /// Adds facts to an entry that has this timestamp. Its author does not change.
    case describe(CatalogEntry, added: LamportTimestamp)
    /// Moves an entry to the trash, by an action of the user.
    case trash(LibraryPath, ContentDigest)
    /// Restores an entry from the trash, by an action of the user.
    case restoreFromTrash(LibraryPath, ContentDigest)

    package var path: LibraryPath {
        switch self {
        case .add(let entry, _), .describe(let entry, _): entry.path
        case .trash(let path, _), .restoreFromTrash(let path, _): path
        }
    }

    package var md5: ContentDigest {
        switch self {
        case .add(let entry, _), .describe(let entry, _): entry.md5
        case .trash(_, let md5), .restoreFromTrash(_, let md5): md5
        }
    }

    /// Whether the change asserts that a content is stored.
    var reliesOnStore: Bool {
        if case .trash = self { return false }
        return true
    }

    var movesToTrash: Bool {
        switch self {
        case .add(let entry, let replacing): replacing.map { $0 != entry.md5 } ?? false
        case .trash: true
        case .restoreFromTrash, .describe: false
        }
    }
}

extension Catalog {
    /// Creates a catalog from changes, to be joined with those of other devices.
    /// - Parameters:
    ///   - counter: The largest counter that the device has seen; each change gets a larger one.
    ///   - trashed: The date for entries moved to the trash, from the store's clock, in seconds since 1970.
    package init(_ changes: [CatalogChange], after counter: UInt64, by device: DeviceTag, trashed: UInt32) {
        var counter = counter
        let each = changes.map { change -> Catalog in
            let timestamp = LamportTimestamp.next(after: counter, by: device)
            counter = timestamp.counter
            return Catalog(change, timestamp, trashed)
        }
        self = Catalog.join(of: each)
    }

    /// Creates a catalog of entries that have not been shared with any other device.
    package init(of entries: [CatalogEntry]) {
        self = Catalog.join(of: entries.map { Catalog(adding: $0, .zero, isPutBack: false) })
    }

    private init(_ change: CatalogChange, _ timestamp: LamportTimestamp, _ trashed: UInt32) {
        self.init()
        switch change {
        case .add(let entry, let replacing):
            let replaced = replacing == entry.md5 ? nil : replacing
            join(Catalog(adding: entry, timestamp, isPutBack: replaced != nil))
            if let replaced { join(Catalog(trash: trashed, timestamp, entry.path, replaced)) }
        case .describe(let entry, let added): join(Catalog(adding: entry, added, isPutBack: false))
        case .trash(let path, let md5): join(Catalog(trash: trashed, timestamp, path, md5))
        case .restoreFromTrash(let path, let md5): join(Catalog(trash: 0, timestamp, path, md5))
        }
    }

    private init(adding entry: CatalogEntry, _ timestamp: LamportTimestamp, isPutBack: Bool) {
        self.init()
        var record = CatalogRecord()
        record.md5 = entry.md5
        record.size = entry.size
        record.modified = entry.modified
        record.media = entry.media
        record.added = timestamp
        if isPutBack { record.trashChanged = timestamp }
        types = [entry.type]
        if let camera = entry.media.camera { (cameras, record.camera) = ([camera], 0) }
        append(record, entry.path)
    }

    private init(trash trashed: UInt32, _ timestamp: LamportTimestamp, _ path: LibraryPath, _ md5: ContentDigest) {
        self.init()
        var record = CatalogRecord()
        record.md5 = md5
        record.trashed = min(trashed, CatalogRecord.purged - 1)
        record.trashChanged = timestamp
        append(record, path)
    }

    /// Returns the trash states of entries, without facts.
    func trashStates(of entries: [EntryIdentity]) -> Catalog {
        let states = entries.compactMap { entry -> Catalog? in
            guard let index = index(of: entry) else { return nil }
            return Catalog(trash: records[index].trashed, records[index].trashChanged, entry.path, entry.md5)
        }
        return Catalog.join(of: states)
    }

    private mutating func append(_ record: CatalogRecord, _ path: LibraryPath) {
        var name = path.description
        name.withUTF8 { append(record, $0) }
    }

    /// Returns the changes that have an effect on this catalog, and those that follow them at the same path.
    func effectiveChanges(in changes: [CatalogChange]) -> [CatalogChange] {
        var paths: Set<LibraryPath> = []
        return changes.filter { change in
            let isNews = paths.contains(change.path) || hasEffect(change)
            if isNews { paths.insert(change.path) }
            return isNews
        }
    }

    /// Returns whether a change has an effect on this catalog.
    func hasEffect(_ change: CatalogChange) -> Bool {
        switch change {
        case .add(let entry, let replacing):
            let replaced = replacing == entry.md5 ? nil : replacing
            if let replaced, holds(entry.path, replaced) { return true }
            guard let index = index(of: entry.path, entry.md5), records[index].hasFacts else { return true }
            let known = self.entry(at: index)
            let isPutBack = replaced != nil && !records[index].isPresent
            return isPutBack || entry.modified < known.modified || entry.media.addsFacts(than: known.media)
        case .describe(let entry, _):
            guard let index = index(of: entry.path, entry.md5), records[index].hasFacts else { return true }
            return entry.media.addsFacts(than: media(of: records[index]))
        case .trash(let path, let md5): return index(of: path, md5).map { records[$0].trashed == 0 } ?? true
        case .restoreFromTrash(let path, let md5): return index(of: path, md5).map { records[$0].trashed > 0 } ?? true
        }
    }

    /// Returns the change for a file in a device's folder; `nil` if it has no effect. Adding only facts does not change
    /// the author of an entry.
    package func change(adding entry: CatalogEntry, replacing: ContentDigest?) -> CatalogChange? {
        let add = CatalogChange.add(entry, replacing: replacing)
        guard hasEffect(add) else { return nil }
        let isReplacing = replacing.map { $0 != entry.md5 } ?? false
        guard !isReplacing, let index = index(of: entry.path, entry.md5), records[index].hasFacts,
            entry.modified >= records[index].modified
        else { return add }
        return description(of: index, media: entry.media)
    }

    /// Returns the change that adds facts to an entry and leaves everything else unchanged.
    package func description(of index: Int, media: MediaFacts) -> CatalogChange {
        let known = entry(at: index)
        let described = CatalogEntry(
            path: known.path, md5: known.md5, size: known.size, modified: known.modified, type: known.type,
            media: media)
        return .describe(described, added: records[index].added)
    }

    /// Returns the conflicts that changes caused: contents added at a path that another content has, compared with an
    /// earlier state of the catalog.
    package func conflicts(made changes: [CatalogChange], since before: Catalog) -> [CatalogConflict] {
        changes.compactMap { change in
            if case .trash = change { return nil }
            return before.holds(change.path, change.md5) ? nil : conflict(of: change.path, change.md5)
        }
    }
}

extension Catalog {
    /// Returns those conflicts whose second file is still shown at its alternative path.
    package func remaining(of conflicts: [CatalogConflict]) -> [CatalogConflict] {
        conflicts.filter { conflict in
            range(of: conflict.path).contains { records[$0].isPresent && shownPath(of: $0) == conflict.alternativePath }
        }
    }

    /// Returns the conflict of a content that shares its path with others or with a folder, with the path under which
    /// the content without precedence is shown.
    func conflict(of path: LibraryPath, _ md5: ContentDigest) -> CatalogConflict? {
        let alive = range(of: path).filter { records[$0].isPresent }.sorted { records[$1].yields(to: records[$0]) }
        guard let live = alive.firstIndex(where: { records[$0].md5 == md5 }) else { return nil }
        if isFolder(path) { return CatalogConflict(path: path, alternativePath: alternativePath(alive[live])) }
        guard alive.count > 1 else { return nil }
        return CatalogConflict(path: path, alternativePath: alternativePath(alive[max(live, 1)]))
    }
}

extension MediaFacts {
    /// Returns whether a date, its offset, the size, the orientation, the location, the color, the duration or the
    /// camera is known here and unknown there.
    package func addsFacts(than other: MediaFacts) -> Bool {
        (taken != nil && other.taken == nil) || (taken?.offset != nil && other.taken?.offset == nil)
            || (width != nil && other.width == nil)
            || (orientation != nil && other.orientation == nil) || (location != nil && other.location == nil)
            || (color != nil && other.color == nil) || (duration != nil && other.duration == nil)
            || (camera != nil && other.camera == nil)
    }
}

/// A conflict: two devices added different photos at one path, and one of them is now shown beside the other.
package struct CatalogConflict: Sendable, Equatable {
    package let path: LibraryPath
    package let alternativePath: LibraryPath
}
