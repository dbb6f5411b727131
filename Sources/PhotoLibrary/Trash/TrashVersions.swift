/// Which of several contents in the trash are meant that have one path.
package enum TrashVersions: Sendable, Equatable {
    case all
    /// Of each path the one that went to the trash last.
    case latest
    /// Those whose MD5 begins with one of these texts, in lower-case hexadecimal digits.
    case beginning([String])

    /// - Parameter entries: of the trash, in the order of their paths.
    /// - Throws: `unknownVersion` or `ambiguousVersion` for a beginning that does not name exactly one content.
    func of(_ entries: CatalogEntries) throws(SelectionError) -> CatalogEntries {
        switch self {
        case .all: return entries
        case .latest: return entries.latestOfEachPath
        case .beginning(let ids):
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
    /// Entries in the order of their paths, those of one path with the last one to go to the trash first.
    package var newestOfEachPathFirst: CatalogEntries {
        var places: [UInt32] = []
        var start = 0
        for place in order {
            if start < places.count, catalog.path(at: Int(places[start])) != catalog.path(at: Int(place)) {
                start = places.count
            }
            let changed = catalog.records[Int(place)].trashChanged
            let earlier = places[start...].firstIndex { catalog.records[Int($0)].trashChanged < changed }
            places.insert(place, at: earlier ?? places.count)
        }
        return reordered(places)
    }

    /// Of entries in the order of their paths, each path's last one to go to the trash.
    fileprivate var latestOfEachPath: CatalogEntries {
        var latest: [UInt32] = []
        for place in order {
            guard let last = latest.last, catalog.path(at: Int(last)) == catalog.path(at: Int(place)) else {
                latest.append(place)
                continue
            }
            let isLater = catalog.records[Int(last)].trashChanged < catalog.records[Int(place)].trashChanged
            if isLater { latest[latest.count - 1] = place }
        }
        return reordered(latest)
    }
}
