import ForeignExports
import NIOCore
import PhotoCatalog

/// A library of assets on this device that a backup reads, such as the photos of the system. An asset is a photo or
/// video with one or more resources: the original, the video of a Live Photo, the edited version.
package protocol AssetSource: Sendable {
    /// Identifies the source on this device. It names the state that the device stores about it.
    var id: String { get }

    /// Returns all assets, in batches of any size and order.
    func assets() -> any AsyncSequence<[SourceAsset], any Error> & Sendable

    /// Returns those of the given assets that exist and are accessible, in any order.
    func assets(withIDs ids: [String]) async throws(SourceError) -> [SourceAsset]

    /// Returns a token for the current state; `nil` if the source does not record changes.
    func changeToken() async throws(SourceError) -> [UInt8]?

    /// Returns the changes since a token; `nil` if they are unknown, so that all assets must be listed.
    func changes(since token: [UInt8]) async throws(SourceError) -> SourceChanges?

    /// Returns the bytes of a resource from its beginning.
    /// - Parameters:
    ///   - isDownloadAllowed: Whether a resource that is not on this device may be downloaded.
    ///   - onDownload: Called with the downloaded fraction.
    func bytes(
        of resource: String, in asset: String, isDownloadAllowed: Bool, onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<ByteBuffer, any Error> & Sendable

    /// Returns a thumbnail that the source has of a resource, an upright JPEG; `nil` if it has none.
    /// - Parameter maximumPixels: The longest side.
    func thumbnail(of resource: String, in asset: String, maximumPixels: Int) async -> ByteBuffer?

    /// Why no more assets can be read; `nil` if others may be readable.
    var unavailability: SourceError? { get }
}

extension AssetSource {
    package var unavailability: SourceError? { nil }
}

/// The facts of an asset that a backup uses.
package struct SourceAsset: Sendable, Equatable {
    /// Identifies the asset on this device.
    package let id: String
    /// Identifies the asset on all devices, as far as the source knows.
    package let stableID: String
    package let created: Timestamp?
    package let location: GeoLocation?
    package let isFavorite: Bool
    /// Whether it is hidden from the main timeline of its source, and is to be in the library.
    package let isHidden: Bool
    package let resources: [SourceResource]

    package init(
        id: String, stableID: String, created: Timestamp?, location: GeoLocation? = nil, isFavorite: Bool = false,
        isHidden: Bool = false, resources: [SourceResource]
    ) {
        (self.id, self.stableID, self.created) = (id, stableID, created)
        (self.location, self.resources) = (location, resources)
        (self.isFavorite, self.isHidden) = (isFavorite, isHidden)
    }

    func has(_ mark: AssetMark.Kind) -> Bool {
        switch mark {
        case .favorite: isFavorite
        case .hidden: isHidden
        }
    }
}

/// One file of an asset.
package struct SourceResource: Sendable, Equatable {
    /// Identifies the resource in its asset.
    package let id: String
    /// The original file name.
    package let name: String
    /// The path in the library, if the source has paths of its own.
    package let path: String?
    package let isEdited: Bool
    /// Changes if the bytes change.
    package let modified: Timestamp
    /// Length in bytes; `nil` if it is unknown.
    package let size: Int64?
    /// The ID of a resource of the asset with the same bytes, which are then not read again.
    package let copyOf: String?

    package init(
        id: String, name: String, path: String?, isEdited: Bool, modified: Timestamp, size: Int64?,
        copyOf: String? = nil
    ) {
        (self.id, self.name, self.path, self.isEdited) = (id, name, path, isEdited)
        (self.modified, self.size, self.copyOf) = (modified, size, copyOf)
    }
}

/// The assets that changed since a token.
package struct SourceChanges: Sendable, Equatable {
    /// New and changed assets.
    package let changed: Set<String>
    package let removed: Set<String>

    package init(changed: Set<String>, removed: Set<String>) { (self.changed, self.removed) = (changed, removed) }
}

/// The reason why a source or one of its assets cannot be read.
package enum SourceError: Error, Equatable, Sendable {
    /// The asset does not exist any more.
    case missing
    /// Access was not granted.
    case denied
    /// The bytes are not on this device and cannot be downloaded now.
    case notDownloaded
    case cancelled
    case platform(domain: String, number: Int, message: String)
    case failed(String)
    /// The Immich server of the source failed, or refused the request.
    case server(ImmichError)

    /// Returns the error that a source's sequence threw.
    init(_ error: any Error) {
        switch error {
        case let error as SourceError: self = error
        case is CancellationError: self = .cancelled
        default: self = .failed("\(error)")
        }
    }
}

extension BackupError {
    init(_ error: SourceError) { self = error == .cancelled ? .cancelled : .source(error) }
}

extension BackupFailure {
    init(_ error: SourceError) {
        switch error {
        case .missing: self = .file(.missing)
        case .denied: self = .file(.denied)
        case .cancelled: self = .file(.cancelled)
        case .notDownloaded, .platform, .failed, .server: self = .source(error)
        }
    }
}
