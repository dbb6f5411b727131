/// The sort key of a library's entries, in ascending order.
package enum EntryOrder: Sendable {
    case path
    /// The local time at which it was taken or, if that is unknown, the file's modification date in UTC.
    case date
    case size
}

extension CatalogEntries {
    /// Returns the selected entries. They are created on access.
    /// - Throws: If the selection has a path at which there are no entries, regardless of its other criteria.
    package func selected(_ selection: PhotoSelection) throws(UnknownPaths) -> CatalogEntries {
        if selection.isEverything { return self }
        let paths = selection.paths.isEmpty ? nil : SelectedPaths(selection.paths, among: self)
        if let paths, !paths.unknown.isEmpty { throw UnknownPaths(paths: paths.unknown) }
        let test = PhotoPredicate(selection, for: catalog)
        let chosen = indices.filter { index in
            paths?.isSelected[index] ?? true
                && withPath(index) { test.matches(catalog.records[Int(order[index])], path: $0) }
        }
        return reordered(chosen.map { order[$0] })
    }

    /// Returns the entries that pass a test, in the same order.
    func filtered(_ passes: (CatalogRecord) -> Bool) -> CatalogEntries {
        reordered(order.filter { passes(catalog.records[Int($0)]) })
    }

    /// Returns the selected entries of several folders, folder by folder.
    /// - Throws: If the selection has a path at which there are no entries in any of the folders.
    package static func selected(
        _ selection: PhotoSelection, ofEach folders: [CatalogEntries]
    ) throws(UnknownPaths) -> [CatalogEntries] {
        let unknown = folders.map { Set(SelectedPaths(selection.paths, among: $0).unknown) }
        let nowhere = selection.paths.filter { path in unknown.allSatisfy { $0.contains(path) } }
        guard nowhere.isEmpty || folders.isEmpty else { throw UnknownPaths(paths: nowhere) }
        var chosen: [CatalogEntries] = []
        for (entries, unknown) in zip(folders, unknown) {
            var known = selection
            known.paths.removeAll(where: unknown.contains)
            let isNoneMeant = known.paths.isEmpty && !selection.paths.isEmpty
            chosen.append(isNoneMeant ? entries.reordered([]) : try entries.selected(known))
        }
        return chosen
    }

    /// Returns the entries with the files that belong to them.
    /// - Parameter all: The entries from which these were selected.
    package func completed(from all: CatalogEntries) -> CatalogEntries {
        if count == all.count { return self }
        // Files that belong together are in one folder.
        let folders = Set(indices.map { folder($0) })
        var indicesByPath: [LibraryPath: [UInt32]] = [:]
        var files: [(path: LibraryPath, type: MediaType)] = []
        for index in all.indices where folders.contains(all.folder(index)) {
            let entry = all[index]
            if indicesByPath[entry.path] == nil { files.append((entry.path, entry.type)) }
            indicesByPath[entry.path, default: []].append(all.order[index])
        }
        let meant = Set(map(\.path))
        let companions = MediaGroup.completed(meant, among: files).subtracting(meant)
        // In the trash, a path has all contents that edits replaced; the one that was moved there last belongs to the
        // photo.
        let latest = companions.compactMap { path in
            indicesByPath[path]?.max { catalog.records[Int($0)].trashChanged < catalog.records[Int($1)].trashChanged }
        }
        let wanted = Set(order + latest)
        return all.reordered(all.order.filter(wanted.contains))
    }

    /// Returns the entries with the files that belong to them, without entries that belong to a file that is not
    /// included. For a selection by content: a RAW picture selected for one location does not select the developed
    /// picture beside its duplicate in another.
    func completedFromPrimaries(from all: CatalogEntries) -> CatalogEntries {
        let folders = Set(indices.map { folder($0) })
        let files = all.indices.filter { folders.contains(all.folder($0)) }.map { (all[$0].path, all[$0].type) }
        let meant = Set(map(\.path))
        let groups = MediaGroup.groups(of: files).groups
        let others = Set(groups.filter { !meant.contains($0.primary) }.flatMap(\.companions))
            .subtracting(groups.map(\.primary))
        return reordered(indices.filter { !others.contains(self[$0].path) }.map { order[$0] }).completed(from: all)
    }

    /// The first entry of each content.
    package var distinctContents: CatalogEntries {
        var seen: Set<ContentDigest> = []
        return reordered(order.filter { seen.insert(catalog.records[Int($0)].md5).inserted })
    }

    /// Returns the entries in another order; entries that are equal in it are sorted by path.
    package func ordered(by order: EntryOrder, reversed: Bool) -> CatalogEntries {
        let records = catalog.records
        let byPath = sortedByPath.order
        let sorted: [Int] =
            switch order {
            case .path: Array(byPath.indices)
            case .date: Self.sorted(byPath.map { records[Int($0)].date })
            case .size:
                byPath.indices.sorted {
                    let (one, other) = (records[Int(byPath[$0])].size, records[Int(byPath[$1])].size)
                    return one == other ? $0 < $1 : one < other
                }
            }
        return reordered((reversed ? sorted.reversed() : sorted).map { byPath[$0] })
    }

    /// Returns the indices of dates, earliest first.
    private static func sorted(_ dates: [Timestamp]) -> [Int] {
        dates.indices.sorted { dates[$0] == dates[$1] ? $0 < $1 : dates[$0] < dates[$1] }
    }

    /// The entries sorted by path. They are already sorted, unless they were reordered.
    private var sortedByPath: CatalogEntries {
        let comes = { (one: Int, other: Int) in
            withPath(one) { path in withPath(other) { path.precedes($0) } }
        }
        guard zip(indices, indices.dropFirst()).contains(where: { comes($1, $0) }) else { return self }
        return reordered(indices.sorted { comes($0, $1) }.map { order[$0] })
    }

    /// The total size of the entries in bytes, capped at the largest number.
    package var bytes: Int64 { order.reduce(0) { $0.addingCapped(catalog.records[Int($1)].size) } }

    /// Returns when an entry was moved to the trash, by the store's clock and up to an hour late; `nil` if it is not in
    /// the trash.
    package func trashed(_ index: Int) -> Timestamp? {
        let trashed = catalog.records[Int(order[index])].trashed
        return trashed > 0 ? Timestamp(seconds: Int64(trashed), nanoseconds: 0) : nil
    }

    /// Returns the index of the first entry whose path does not sort before these bytes. The entries must be sorted by
    /// path.
    func firstIndex(notBefore bytes: [UInt8]) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let isBefore = bytes.withUnsafeBufferPointer { bytes in withPath(middle) { $0.precedes(bytes) } }
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package func folder(_ index: Int) -> [UInt8] {
        withPath(index) { path in path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? [] }
    }
}
