/// A photo or video of a library: its path and its content.
package struct CatalogEntry: Hashable, Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest
    /// Length in bytes.
    package let size: Int64
    /// The modification date of the file.
    package let modified: Timestamp
    package let type: MediaType
    /// The facts from the photo's metadata.
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

    /// When the photo was taken.
    package var taken: CaptureDate? { media.taken }

    /// The date for display, grouping and sorting, as if it were UTC: the local time at which the photo was taken or,
    /// if that is unknown, the file's modification date in UTC.
    package var date: Timestamp { taken?.clock ?? modified }

    /// The date in RFC 3339: when the photo was taken, with the offset if it is known, or when the file was last
    /// modified.
    package var dateText: String { taken?.description ?? modified.description }
}
