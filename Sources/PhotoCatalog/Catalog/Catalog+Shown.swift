/// The paths at which entries of a library are shown.
extension Catalog {
    func identity(at index: Int) -> EntryIdentity {
        EntryIdentity(path: path(at: index), md5: records[index].md5)
    }

    package func index(of entry: EntryIdentity) -> Int? { index(of: entry.path, entry.md5) }

    /// Returns the index of an entry with facts, or of a purged one; `nil` if only its trash state is known.
    package func knownIndex(_ entry: EntryIdentity) -> Int? {
        index(of: entry).flatMap { records[$0].hasFacts || records[$0].isPurged ? $0 : nil }
    }

    /// Returns whether an entry is in the library.
    package func holds(_ entry: EntryIdentity) -> Bool { holds(entry.path, entry.md5) }

    /// Returns whether an entry with this content is shown at a path, under its own path or beside another entry.
    package func shows(_ md5: ContentDigest, at path: LibraryPath) -> Bool {
        if let shown = self[path] { return shown.md5 == md5 }
        let originals = [8, 32].compactMap { path.withoutRemark("conflict \(md5.description.prefix($0))") }
        let isShown = originals.contains { original in
            index(of: original, md5).map { records[$0].isPresent && shownPath(of: $0) == path } ?? false
        }
        // Other alternative names do not contain the original path, so all records are searched.
        guard !isShown, path.name.contains(" (conflict ") else { return isShown }
        return records.indices.contains { index in
            records[index].md5 == md5 && records[index].isPresent && shownPath(of: index) == path
        }
    }

    /// Returns the path at which an entry of the library is shown.
    package func shownPath(of index: Int) -> LibraryPath {
        let path = path(at: index)
        return self[path]?.md5 == records[index].md5 ? path : alternativePath(index)
    }

    /// Returns the first entry with a content, also of a file that is not shown because it belongs to another one: of the
    /// library, else of the trash.
    package func firstEntry(of md5: ContentDigest) -> CatalogEntry? {
        records.withUnsafeBufferPointer { records in
            if let index = records.firstIndex(where: { $0.md5 == md5 && $0.isPresent }) {
                return entry(at: index, shownAs: shownPath(of: index))
            }
            return records.firstIndex { $0.md5 == md5 && $0.isInTrash }.map { entry(at: $0) }
        }
    }
}
