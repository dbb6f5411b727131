import Foundation

/// A photo or video of a ``PhotoSource``, with all its files.
public struct PhotoAsset: Sendable, Equatable, Identifiable {
    /// Identifies the asset on this device.
    public let id: String
    /// Identifies the asset on all devices of its owner. Without it, the paths of the asset in the library are derived
    /// from ``id``.
    public var cloudID: String?
    /// The capture date. It determines the folder in the library, and is the date of a photo whose file has none.
    public var created: Date?
    /// When the asset was last changed.
    public var modified: Date?
    /// Where it was taken. It is the location of a photo whose file has none.
    public var location: PhotoLocation?
    /// Whether the user marked it as a favorite. A backup takes changes of it over into the library.
    public var isFavorite = false
    /// Its files. Those of a Live Photo and those of an edited photo are resources of one asset.
    public var resources: [PhotoResource]

    /// Creates an asset.
    public init(id: String, created: Date? = nil, resources: [PhotoResource]) {
        (self.id, self.created, self.resources) = (id, created, resources)
    }

    /// Whether the asset has an edited version.
    public var isEdited: Bool { resources.contains { $0.kind.isEdited } }

    /// Whether the asset is a photo with a video.
    public var isLivePhoto: Bool { resources.contains { $0.kind == .pairedVideo || $0.kind == .editedPairedVideo } }
}

/// A place on earth, in degrees (WGS 84).
public struct PhotoLocation: Sendable, Hashable, Codable {
    /// Degrees north of the equator, from -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public let longitude: Double

    /// Creates a location.
    public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
}

/// One file of a ``PhotoAsset``.
public struct PhotoResource: Sendable, Equatable, Identifiable {
    /// The role of a file in its asset.
    public enum Kind: String, Sendable, CaseIterable {
        case photo
        case video
        /// The video of a Live Photo.
        case pairedVideo
        /// A further version from the camera, such as the RAW picture.
        case alternatePhoto
        case editedPhoto
        case editedVideo
        case editedPairedVideo
        /// A description of the edits.
        case adjustments
        /// Another description of the photo, such as an XMP file.
        case sidecar

        /// Whether it is an edited version of another resource.
        public var isEdited: Bool { self == .editedPhoto || self == .editedVideo || self == .editedPairedVideo }
    }

    /// Identifies the resource in its asset.
    public let id: String
    /// The role of the file.
    public let kind: Kind
    /// The original file name with its extension.
    public let name: String
    /// A date that changes whenever the bytes change. For originals, which never change, it is the capture date.
    public let modified: Date
    /// The exact length in bytes; `nil` if it is unknown before the resource is read.
    public var size: Int64?
    /// The path in the library, for a source that has paths of its own. Otherwise it is derived from the asset.
    public var path: String?

    /// Creates a resource.
    public init(
        id: String, kind: Kind, name: String, modified: Date, size: Int64? = nil, path: String? = nil
    ) {
        (self.id, self.kind, self.name, self.modified) = (id, kind, name, modified)
        (self.size, self.path) = (size, path)
    }
}
