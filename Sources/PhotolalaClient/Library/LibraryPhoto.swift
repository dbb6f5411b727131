import PhotoLibrary

/// A photo or video of the library.
public struct LibraryPhoto: Sendable, Codable, Equatable {
    /// Its name with its folders, divided by `/`.
    public let path: String
    /// The MD5 of its bytes, 32 lower-case hex digits.
    public let md5: String
    /// Length in bytes.
    public let size: Int64
    /// The file's modification date: RFC 3339 in UTC, to the nanosecond where the file system kept it.
    public let modified: String
    /// When the photo was taken: RFC 3339 with the time that clocks showed there and their offset, as
    /// `2026-01-01T08:00:00+09:00`. With `Z` the offset is unknown: the time is what the photo's clock showed, or UTC.
    public let taken: String?
    /// The media type.
    public let type: String

    /// When it went to the trash, by the store's clock and up to an hour late; `nil` for one that is not there.
    public let trashed: String?
    /// Until when it stays in the trash at least.
    public let keptUntil: String?

    init(_ entry: CatalogEntry, trashed: Timestamp? = nil) {
        path = entry.path.description
        md5 = entry.md5.description
        size = entry.size
        modified = entry.modified.description
        taken = entry.taken?.description
        type = entry.type.description
        self.trashed = trashed?.description
        keptUntil =
            trashed.map { Timestamp(seconds: $0.seconds + Int64(PhotoTrash.days) * 86_400, nanoseconds: 0) }?
            .description
    }
}
