/// A selection among several contents in the trash with the same path.
package enum TrashVersions: Sendable, Equatable {
    case all
    /// For each path, the content that was moved to the trash last.
    case latest
    /// The entries that the last device moved to the trash, at the last date: all of its last change, and possibly others of
    /// the same device and date.
    case lastChange
    /// Contents whose MD5 begins with one of these texts, in lower-case hexadecimal digits.
    case withPrefixes([String])

    /// - Parameter entries: Entries in the trash, sorted by path.
    /// - Throws: `unknownVersion` or `ambiguousVersion` if a text does not identify exactly one content.
    package func of(_ entries: CatalogEntries) throws(SelectionError) -> CatalogEntries {
        switch self {
        case .all: return entries
        case .latest: return entries.latestOfEachPath
        case .lastChange:
            let records = entries.order.map { entries.catalog.records[Int($0)] }
            guard let last = records.max(by: { $0.trashChanged < $1.trashChanged }) else { return entries }
            return entries.filtered { $0.trashChanged.device == last.trashChanged.device && $0.trashed == last.trashed }
        case .withPrefixes(let ids):
            var wanted: Set<ContentDigest> = []
            for id in ids {
                let contents = Set(entries.lazy.map(\.md5).filter { $0.description.hasPrefix(id) })
                guard let content = contents.first else { throw .unknownVersion(id) }
                guard contents.count == 1 else { throw .ambiguousVersion(id) }
                wanted.insert(content)
            }
            return entries.filtered { wanted.contains($0.md5) }
        }
    }
}

extension CatalogEntries {
    /// The entries sorted by path; those with the same path are sorted by when they were moved to the trash, latest
    /// first.
    package var newestOfEachPathFirst: CatalogEntries {
        var indices: [UInt32] = []
        var start = 0
        for index in order {
            if start < indices.count, catalog.path(at: Int(indices[start])) != catalog.path(at: Int(index)) {
                start = indices.count
            }
            let changed = catalog.records[Int(index)].trashChanged
            let earlier = indices[start...].firstIndex { catalog.records[Int($0)].trashChanged < changed }
            indices.insert(index, at: earlier ?? indices.count)
        }
        return reordered(indices)
    }

    /// For each path, the entry that was moved to the trash last. The entries must be sorted by path.
    fileprivate var latestOfEachPath: CatalogEntries {
        var latest: [UInt32] = []
        for index in order {
            guard let last = latest.last, catalog.path(at: Int(last)) == catalog.path(at: Int(index)) else {
                latest.append(index)
                continue
            }
            let isLater = catalog.records[Int(last)].trashChanged < catalog.records[Int(index)].trashChanged
            if isLater { latest[latest.count - 1] = index }
        }
        return reordered(latest)
    }
}
