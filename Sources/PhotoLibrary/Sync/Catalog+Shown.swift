/// Where entries of a library are shown, and what is shown at a place.
extension Catalog {
    func name(at index: Int) -> LibraryEntryName {
        LibraryEntryName(path: path(at: index), md5: records[index].md5)
    }

    func index(of entry: LibraryEntryName) -> Int? { index(of: entry.path, entry.md5) }

    /// The index of an entry of which more is told than that it went to the trash or came out of it.
    func known(_ entry: LibraryEntryName) -> Int? {
        index(of: entry).flatMap { records[$0].hasFacts || records[$0].isPurged ? $0 : nil }
    }

    /// Whether an entry stands in the library.
    func holds(_ entry: LibraryEntryName) -> Bool { holds(entry.path, entry.md5) }

    /// Whether an entry of this content is shown at a path, under its own name or beside another one's.
    func shows(_ md5: ContentDigest, at path: LibraryPath) -> Bool {
        if let shown = self[path] { return shown.md5 == md5 }
        let originals = [8, 32].compactMap { path.unremarked("conflict \(md5.description.prefix($0))") }
        let isShown = originals.contains { original in
            index(of: original, md5).map { records[$0].isAlive && shownPath(of: $0) == path } ?? false
        }
        // Other names beside do not tell the path that they were made of.
        guard !isShown, path.name.contains(" (conflict ") else { return isShown }
        return records.indices.contains { index in
            records[index].md5 == md5 && records[index].isAlive && shownPath(of: index) == path
        }
    }

    /// Where an entry that stands in the library is shown.
    func shownPath(of index: Int) -> LibraryPath {
        let path = path(at: index)
        return self[path]?.md5 == records[index].md5 ? path : placeBeside(index)
    }
}
