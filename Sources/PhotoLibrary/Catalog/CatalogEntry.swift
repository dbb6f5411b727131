/// One photo or video of a library: where it stands, and which bytes it is.
package struct CatalogEntry: Hashable, Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest
    /// Length in bytes.
    package let size: Int64
    /// The file's modification date.
    package let modified: Timestamp
    package let type: MediaType
    /// What the photo says itself.
    package let media: MediaFacts

    package init(
        path: LibraryPath, md5: ContentDigest, size: Int64, modified: Timestamp, type: MediaType, media: MediaFacts
    ) {
        self.path = path
        self.md5 = md5
        self.size = size
        self.modified = modified
        self.type = type
        self.media = media
    }

    /// When the photo was taken, as it says itself; a camera's clock without an offset counts as UTC.
    package var taken: Timestamp? { media.taken }

    /// The date to sort by: when it was taken or, unknown, when the file was last changed.
    package var date: Timestamp { taken ?? modified }
}
