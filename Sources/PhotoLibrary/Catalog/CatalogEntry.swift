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

    /// When the photo was taken.
    package var taken: CaptureDate? { media.taken }

    /// The date to show, group and sort by, as if it were UTC: what the clock showed where the photo was taken or,
    /// unknown, when the file was last changed, in UTC.
    package var date: Timestamp { taken?.clock ?? modified }

    /// RFC 3339: when it was taken, with the offset where that is known, or when the file was last changed.
    package var dateText: String { taken?.description ?? modified.description }
}
