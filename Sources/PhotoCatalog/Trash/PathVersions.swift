/// All contents that the library and its trash have at one path.
extension Catalog {
    /// The entries in the library and in the trash, in the order of the paths under which they are shown.
    package var entriesWithTrash: CatalogEntries {
        let (present, trashed) = (entries, trash)
        var order: [UInt32] = []
        order.reserveCapacity(present.count + trashed.count)
        var next = 0
        for index in present.indices {
            while next < trashed.count, trashed.precedes(next, index, of: present) {
                order.append(trashed.order[next])
                next += 1
            }
            order.append(present.order[index])
        }
        return present.reordered(order + trashed.order[next...])
    }

    /// Returns the versions of a photo: the entries in the library, first the one shown under the path, then those in
    /// the trash, the one that was moved there last first.
    /// - Parameter path: The path at which the photo is shown, or was before it was moved to the trash.
    /// - Throws: `unknownPaths` if there are no entries at the path, `folderPath` if there are only entries below it.
    package func versions(of path: String) throws(SelectionError) -> CatalogEntries {
        var selection = PhotoSelection()
        selection.paths = [path]
        let all = entriesWithTrash
        let selected: CatalogEntries
        do { selected = try all.selected(selection) } catch { throw .unknownPaths(error.paths) }
        let plain = SelectedPaths.plain(path)
        let depth = plain.utf8.count { $0 == UInt8(ascii: "/") }
        let paths = Set(
            selected.indices.filter { index in
                !plain.isEmpty && selected[index].path.description.utf8.count { $0 == UInt8(ascii: "/") } == depth
            }.map { selected.identity(at: $0).path })
        guard !paths.isEmpty else { throw .folderPath(path) }
        let versions = paths.sorted().flatMap { range(of: $0) }
        let present = versions.filter { records[$0].isPresent }.sorted { records[$1].yields(to: records[$0]) }
        let trashed = versions.filter { records[$0].isInTrash }
            .sorted { records[$0].trashChanged > records[$1].trashChanged }
        return all.reordered((present + trashed).map { UInt32($0) })
    }
}

extension CatalogEntries {
    /// Returns whether an entry sorts before one of another collection.
    fileprivate func precedes(_ index: Int, _ other: Int, of entries: CatalogEntries) -> Bool {
        withPath(index) { path in entries.withPath(other) { path.precedes($0) } }
    }
}

extension CatalogStore {
    /// Returns the versions of a photo in the newest catalog.
    package func versions(of path: String) async throws(SelectionError) -> CatalogEntries {
        let catalog: Catalog
        do { catalog = try await load().catalog } catch { throw .catalog(error) }
        return try catalog.versions(of: path)
    }
}
