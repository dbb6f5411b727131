import Foundation

/// Body of `POST /photos`: 1 to 100 photos or videos whose bytes are in the store, in a body of at most
/// `limits.bodyBytes`.
public struct NewPhotos: Codable, Sendable, Equatable {
    /// The maximum number of photos in one request.
    public static let maximum = 100

    /// The photos.
    public let photos: [NewPhoto]
    /// Whether photos are also added that a person moved to the trash or deleted permanently, at these paths. Only for
    /// photos that the person chose: an app that sends its whole list again would undo what was deleted elsewhere.
    public let restoreRemoved: Bool?

    /// Creates a request.
    public init(photos: [NewPhoto], restoreRemoved: Bool? = nil) {
        self.photos = photos
        self.restoreRemoved = restoreRemoved
    }
}

/// An uploaded photo or video and its place in the library.
public struct NewPhoto: Codable, Sendable, Equatable {
    /// The path in the library, such as `Camera/2026/IMG_0001.heic`: parts of at most 255 bytes separated by `/`, together
    /// at most 4,096.
    public let path: String
    /// The MD5 of the bytes as 32 lower-case hex digits.
    public let md5: String
    /// When the file was last modified: the date of photos whose metadata have none.
    public let modifiedAt: Date

    /// Creates a photo.
    public init(path: String, md5: String, modifiedAt: Date) {
        self.path = path
        self.md5 = md5
        self.modifiedAt = modifiedAt
    }
}

/// What became of a new photo.
public enum PhotoAddition: String, Codable, Sendable, CaseIterable {
    /// It is in the library, and its object in the store.
    case added
    /// The store has no object with this MD5, or it is damaged or archived: upload it and add it again.
    case missing
    /// The stored object is not a photo or video.
    case notMedia = "not_media"
    /// The library cannot have this path, or an earlier photo of the request has it.
    case badPath = "bad_path"
    /// A person or device moved it to the trash at this path, where it stays.
    case inTrash = "in_trash"
    /// It was deleted permanently at this path. Do not upload it again.
    case deleted
}

/// Response body of `POST /photos`.
public struct AddedPhotos: Codable, Sendable, Equatable {
    /// The outcomes in the order of the request.
    public let photos: [PhotoAddition]

    /// Creates a response.
    public init(photos: [PhotoAddition]) { self.photos = photos }
}

/// A part of a library.
public enum PhotoList: String, Codable, Sendable, CaseIterable {
    /// The photos that are not in the trash.
    case photos
    /// The photos in the trash.
    case trash
}

/// A photo or video of a library. Sidecars and the other files of a photo, such as the video of a Live Photo, are not
/// listed.
public struct ListedPhoto: Codable, Sendable, Equatable {
    /// The MD5 of the bytes, which identifies the photo.
    public let md5: String
    /// The first of its paths.
    public let path: String
    /// The length in bytes.
    public let size: Int64
    /// The media type, such as `image/heic`.
    public let type: String
    /// When it was taken, with the camera's offset from UTC if that is known, else as local time without one (RFC 3339
    /// without an offset); for photos without a capture date, when the file was modified, in UTC.
    public let date: String
    /// The size in pixels as stored, before `orientation` is applied.
    public let width: Int?
    /// The size in pixels as stored, before `orientation` is applied.
    public let height: Int?
    /// The EXIF orientation, 1 to 8.
    public let orientation: Int?
    /// Where it was taken, in degrees north of the equator; omitted with `longitude` if unknown.
    public let latitude: Double?
    /// Where it was taken, in degrees east of Greenwich; omitted with `latitude` if unknown.
    public let longitude: Double?
    /// The average color of the thumbnail in sRGB as six lower-case hex digits; omitted if unknown.
    public let color: String?
    /// The duration of a video in milliseconds, 1 to 4,294,967,295; omitted if unknown.
    public let durationMilliseconds: Int64?
    /// Maker and model of the camera, such as `Apple iPhone 15 Pro`, at most 64 bytes; omitted if unknown.
    public let camera: String?
    /// Whether its owner marked it as a favorite; omitted if the favorites cannot be read.
    public let isFavorite: Bool?
    /// The address of the thumbnail, a JPEG, for a GET without further headers. 404 there: the photo has none.
    public let thumbnailURL: String

    /// Creates a photo.
    public init(
        md5: String, path: String, size: Int64, type: String, date: String, width: Int?, height: Int?,
        orientation: Int?, latitude: Double? = nil, longitude: Double? = nil, color: String? = nil,
        durationMilliseconds: Int64? = nil, camera: String? = nil, isFavorite: Bool? = nil, thumbnailURL: String
    ) {
        self.md5 = md5
        self.path = path
        self.size = size
        self.type = type
        self.date = date
        self.width = width
        self.height = height
        self.orientation = orientation
        self.latitude = latitude
        self.longitude = longitude
        self.color = color
        self.durationMilliseconds = durationMilliseconds
        self.camera = camera
        self.isFavorite = isFavorite
        self.thumbnailURL = thumbnailURL
    }
}

/// Response body of `GET /photos`: some photos of one version of the library, newest first.
public struct PhotoPage: Codable, Sendable, Equatable {
    /// The largest page.
    public static let maximumLength = 200

    /// The version of the library, which changes with every change of it.
    public let version: String
    /// The number of photos in the list.
    public let count: Int
    /// The photos.
    public let photos: [ListedPhoto]
    /// The `from` of the next page; omitted after the last photo.
    public let next: Int?

    /// Creates a page.
    public init(version: String, count: Int, photos: [ListedPhoto], next: Int?) {
        self.version = version
        self.count = count
        self.photos = photos
        self.next = next
    }
}

/// Response body of `GET /photos/original`.
public struct PhotoOriginal: Codable, Sendable, Equatable {
    /// The photo, or the file that belongs to it.
    public let photo: ListedPhoto
    /// The address of the original, for a GET without further headers, also of ranges. It works for some minutes.
    public let url: String
    /// The address of a smaller JPEG, likewise. 404 there if the photo has no preview.
    public let previewURL: String

    /// Creates a response.
    public init(photo: ListedPhoto, url: String, previewURL: String) {
        self.photo = photo
        self.url = url
        self.previewURL = previewURL
    }
}
