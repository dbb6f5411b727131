/// One photo or video of a library: where it stands, and which bytes it is.
package struct CatalogEntry: Hashable, Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest
    /// Length in bytes.
    package let size: Int64
    /// The file's modification date.
    package let modified: Timestamp
    /// When the photo was taken, as it says itself; a camera's clock without an offset counts as UTC.
    package let taken: Timestamp?
    package let type: MediaType

    package init(
        path: LibraryPath, md5: ContentDigest, size: Int64, modified: Timestamp, taken: Timestamp?, type: MediaType
    ) {
        self.path = path
        self.md5 = md5
        self.size = size
        self.modified = modified
        self.taken = taken
        self.type = type
    }

    /// The date to sort by: when it was taken or, unknown, when the file was last changed.
    package var date: Timestamp { taken ?? modified }

    func moved(to path: LibraryPath) -> CatalogEntry {
        CatalogEntry(path: path, md5: md5, size: size, modified: modified, taken: taken, type: type)
    }
}
