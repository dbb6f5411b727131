import Foundation
import PhotoCatalog

/// A filter for photos of the library. Unset criteria match everything, so an empty filter matches all photos.
public struct PhotoFilter: Sendable, Codable, Equatable {
    /// Photos at these paths and all photos in folders at these paths. A path without any photo is an error.
    public var paths: [String] = []
    /// Photos dated at this time or later. A photo's date is the local time at which it was taken or, if unknown, the
    /// file's modification date in UTC. Specify a local time as if it were UTC: `2024-01-01T00:00:00Z` is midnight in
    /// Tokyo for a photo from Tokyo, and midnight in Berlin for one from Berlin.
    public var from: Date?
    /// Photos dated before this time, on the same clock as `from`.
    public var before: Date?
    /// Photos of one of these kinds.
    public var kinds: [PhotoKind] = []
    /// A part of the file's name or, with `*` for any text and `?` for one character, the whole name. Ignores case.
    public var name: String?
    /// Words that must all match: a part of the path, of its folders or the file name, a name of the city, region or
    /// country where the photo was taken, its date or its kind. A date is a year, month or day (`2024`, `2024-05`,
    /// `17.5.2024`), a month of every year (`May`), or consists of several words (`17`, `May`, `2024`); names are English. A
    /// kind is `videos`, `video`, `raw`, an extension or a media type. A word with `*` for any text or `?` for one character
    /// must match the whole path; other elements may have several words. Ignores case and, in names of places, accents.
    public var words: [String]?
    /// The minimum size, in bytes.
    public var smallest: Int64?
    /// The maximum size, in bytes.
    public var largest: Int64?
    /// Only favorites, or only other photos. Not for photos on this device.
    public var isFavorite: Bool?
    /// Only hidden photos, or only other photos. Not for photos on this device.
    public var isHidden: Bool?
    /// Photos of the album with this name, ignoring case, or this ID. Not for photos on this device.
    public var album: String?

    /// Creates a filter that matches all photos.
    public init() {}

    /// Returns the filter as a selection of photos on this device.
    /// - Throws: `invalidRequest` as `checked`, and if it depends on the library's favorites, hidden photos or albums.
    func checkedForDevice() throws(PhotolalaError) -> PhotoSelection {
        guard isFavorite == nil else {
            throw PhotolalaError(code: .invalidRequest, detail: "Only photos of the library can be favorites.")
        }
        guard isHidden == nil else {
            throw PhotolalaError(code: .invalidRequest, detail: "Only photos of the library can be hidden.")
        }
        guard album == nil else {
            throw PhotolalaError(code: .invalidRequest, detail: "Only photos of the library can be in albums.")
        }
        return try checked()
    }

    /// Returns the filter as a selection of the library.
    /// - Throws: `invalidRequest` if the minimum size exceeds the maximum.
    func checked() throws(PhotolalaError) -> PhotoSelection {
        var selection = PhotoSelection()
        selection.paths = paths
        selection.from = from.map { Timestamp($0) }
        selection.before = before.map { Timestamp($0) }
        selection.kinds = kinds.map(\.kind)
        selection.name = name.map { NamePattern($0) }
        selection.words = SearchWord.words(ofArguments: words ?? [])
        let (smallest, largest) = (max(0, smallest ?? 0), largest ?? .max)
        guard smallest <= largest else {
            throw PhotolalaError(code: .invalidRequest, detail: "The minimum size exceeds the maximum size.")
        }
        selection.sizes = smallest...largest
        selection.isFavorite = isFavorite
        selection.isHidden = isHidden
        selection.album = album
        return selection
    }
}

/// A kind of file in the library.
public struct PhotoKind: Sendable, Hashable, LosslessStringConvertible {
    let kind: MediaKind

    /// Files that are neither videos nor sidecars.
    public static let photo = PhotoKind(kind: .photo)
    /// Videos, including those of Live Photos.
    public static let video = PhotoKind(kind: .video)
    /// Raw images: unprocessed sensor data of a camera.
    public static let raw = PhotoKind(kind: .raw)
    /// Text files that accompany a photo: `.xmp`, `.aae`, Google Takeout's `.json`.
    public static let sidecar = PhotoKind(kind: .sidecar)

    private init(kind: MediaKind) { self.kind = kind }

    /// Creates a kind from `photo`, `video`, `raw`, `sidecar`, a media type such as `image/jpeg` or a file extension
    /// such as `jpg`. Returns `nil` for any other text.
    public init?(_ text: String) {
        guard let kind = MediaKind(text) else { return nil }
        self.kind = kind
    }

    /// The text of the kind; for a file extension, its media type.
    public var description: String { kind.description }
}

extension PhotoKind: Codable {
    /// Decodes a kind.
    /// - Throws: `DecodingError.dataCorrupted` for text that is not a kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let kind = PhotoKind(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown photo kind")
        }
        self = kind
    }

    /// Encodes the kind as the text that `--type` accepts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(kind.description)
    }
}

extension Timestamp {
    /// Creates the nearest timestamp that a library can represent.
    init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let nanoseconds = ((date.timeIntervalSince1970 - seconds) * 1e9).rounded()
        // Values far outside of the representable range are clamped.
        self.init(
            seconds: Int64(min(max(seconds, -1e15), 1e15)), nanoseconds: nanoseconds.isFinite ? Int64(nanoseconds) : 0)
    }
}
