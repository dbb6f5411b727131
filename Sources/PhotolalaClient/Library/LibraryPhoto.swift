import PhotoCatalog

/// A photo or video of the library.
public struct LibraryPhoto: Sendable, Codable, Equatable {
    /// The path of the file in the library, with `/` between folders.
    public let path: String
    /// The MD5 of its bytes, as 32 lower-case hex digits.
    public let md5: String
    /// The size, in bytes.
    public let size: Int64
    /// The file's modification date: RFC 3339 in UTC, to the nanosecond if the file system recorded it.
    public let modified: String
    /// When the photo was taken: RFC 3339 with the local time and its offset, for example `2026-01-01T08:00:00+09:00`.
    /// With `Z`, the offset is unknown: the time is either the camera's local time or UTC.
    public let taken: String?
    /// The media type.
    public let type: String
    /// Where the photo was taken, to about a centimeter; `nil` if it is unknown.
    public let location: PhotoLocation?
    /// The average color of its thumbnail, to show until that has loaded; `nil` if it is unknown.
    public let placeholderColor: PlaceholderColor?
    /// The duration of a video in milliseconds; `nil` if it is unknown.
    public let durationMilliseconds: Int64?
    /// Maker and model of the camera, such as `Apple iPhone 15 Pro`; `nil` if it is unknown.
    public let camera: String?
    /// Whether the photo is a favorite.
    public var isFavorite: Bool { favorite ?? false }
    /// `true` or `nil`.
    private let favorite: Bool?
    /// Whether the photo is hidden from the portal's page with all photos, which calls it archived.
    public var isHidden: Bool { hidden ?? false }
    /// `true` or `nil`.
    private let hidden: Bool?

    /// When the photo was moved to the trash, by the store's clock and at most half an hour too early or too late; `nil` if
    /// it is not in the trash.
    public let trashed: String?
    /// The earliest time at which the photo may be purged from the trash.
    public let keptUntil: String?
    /// Whether the photo is in the trash because another version replaced it. Known for photos in the trash and for
    /// versions.
    public var isReplaced: Bool { replaced ?? false }
    /// `true` or `nil`.
    private let replaced: Bool?
    /// Whether the photo is in the trash and the library has its content at another path, as after a sync of a renamed
    /// file. Not known for versions.
    public var isInLibrary: Bool { inLibrary ?? false }
    /// `true` or `nil`.
    private let inLibrary: Bool?
    /// The name of the device that moved the photo to the trash; `nil` if it is not in the trash, or not known. Devices
    /// are known by their tags in the catalog while they are signed in, and only for photos in the trash and for versions.
    public let trashedBy: String?
    /// The name of the device that added the photo, if it is known.
    public let addedBy: String?

    private enum CodingKeys: String, CodingKey {
        case path, md5, size, modified, taken, type, location, placeholderColor, durationMilliseconds, camera
        case trashed, keptUntil, trashedBy, addedBy
        case favorite = "isFavorite"
        case hidden = "isHidden"
        case replaced = "isReplaced"
        case inLibrary = "isInLibrary"
    }

    /// What the catalog records of a photo's changes.
    struct Changes {
        let isReplaced: Bool
        let trashedBy: String?
        let addedBy: String?

        init(_ entries: CatalogEntries, _ index: Int, _ devices: [DeviceTag: String]) {
            isReplaced = entries.isReplaced(index)
            trashedBy = entries.trashedBy(index).flatMap { devices[$0] }
            addedBy = devices[entries.addedBy(index)]
        }
    }

    init(
        _ entry: CatalogEntry, isFavorite: Bool = false, isHidden: Bool = false, isInLibrary: Bool = false,
        trashed: Timestamp? = nil, changes: Changes? = nil
    ) {
        path = entry.path.description
        md5 = entry.md5.description
        size = entry.size
        modified = entry.modified.description
        taken = entry.taken?.description
        type = entry.type.description
        location = entry.media.location.map { PhotoLocation(latitude: $0.latitude, longitude: $0.longitude) }
        placeholderColor = entry.media.color.map { PlaceholderColor($0) }
        durationMilliseconds = entry.media.duration.map { Int64($0.milliseconds) }
        camera = entry.media.camera?.description
        favorite = isFavorite ? true : nil
        hidden = isHidden ? true : nil
        inLibrary = isInLibrary ? true : nil
        replaced = changes?.isReplaced ?? false ? true : nil
        (trashedBy, addedBy) = (changes?.trashedBy, changes?.addedBy)
        self.trashed =
            trashed.map { Timestamp(seconds: $0.seconds - Int64(CatalogStore.dateSlack), nanoseconds: 0) }?.description
        keptUntil =
            trashed.map { Timestamp(seconds: $0.seconds + Int64(PhotoTrash.days) * 86_400, nanoseconds: 0) }?
            .description
    }
}
