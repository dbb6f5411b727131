/// The paths at which entries of a library are shown.
extension Catalog {
    func name(at index: Int) -> LibraryEntryName {
        LibraryEntryName(path: path(at: index), md5: records[index].md5)
    }

    func index(of entry: LibraryEntryName) -> Int? { index(of: entry.path, entry.md5) }

    /// Returns the index of an entry with facts, or of a purged one; `nil` if only its trash state is known.
    func known(_ entry: LibraryEntryName) -> Int? {
        index(of: entry).flatMap { records[$0].hasFacts || records[$0].isPurged ? $0 : nil }
    }

    /// Returns whether an entry is in the library.
    func holds(_ entry: LibraryEntryName) -> Bool { holds(entry.path, entry.md5) }

    /// Returns whether an entry with this content is shown at a path, under its own path or beside another entry.
    func shows(_ md5: ContentDigest, at path: LibraryPath) -> Bool {
        if let shown = self[path] { return shown.md5 == md5 }
        let originals = [8, 32].compactMap { path.unremarked("conflict \(md5.description.prefix($0))") }
        let isShown = originals.contains { original in
            index(of: original, md5).map { records[$0].isAlive && shownPath(of: $0) == path } ?? false
        }
        // Other alternative names do not contain the original path, so all records are searched.
        guard !isShown, path.name.contains(" (conflict ") else { return isShown }
        return records.indices.contains { index in
            records[index].md5 == md5 && records[index].isAlive && shownPath(of: index) == path
        }
    }

    /// Returns the path at which an entry of the library is shown.
    func shownPath(of index: Int) -> LibraryPath {
        let path = path(at: index)
        return self[path]?.md5 == records[index].md5 ? path : placeBeside(index)
    }
}
