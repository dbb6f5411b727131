import Foundation

/// A library of photos on this device that can be backed up: the system's photo library (`PhotoKitSource`), a folder
/// (``FolderSource``), photos that the app itself has (``StreamSource``), or an implementation of the app's own.
///
/// ```swift
/// let report = try await library.backUp(FolderSource(folder)).report
/// ```
///
/// A backup lists the assets, and reads each new resource once, or twice if it is larger than 8 MiB. For a thumbnail or
/// preview that the source does not have, a resource of more than 8 and up to 256 MiB is read once more, and a copy is
/// written to a temporary file; of a video this has only the first 8 and the last 4 MiB.
public protocol PhotoSource: Sendable {
    /// Identifies the source on this device. It names the state of its backups, so it must not change.
    var id: String { get }

    /// Returns all assets that are accessible, in batches of any size and in any order.
    ///
    /// The sequence may throw a ``PhotoSourceError``.
    func assets() -> any AsyncSequence<[PhotoAsset], any Error> & Sendable

    /// Returns those of the given assets that exist and are accessible, in any order, with their current resources.
    func assets(withIDs ids: [PhotoAsset.ID]) async throws(PhotoSourceError) -> [PhotoAsset]

    /// Returns a token for the current state; `nil` if the source does not record changes.
    func changeToken() async throws(PhotoSourceError) -> Data?

    /// Returns the assets that changed since a token; `nil` if they are unknown, for instance because the token is too
    /// old. Then the next backup lists all assets.
    func changes(since token: Data) async throws(PhotoSourceError) -> PhotoChanges?

    /// Returns the bytes of a resource from its beginning, in chunks of any length.
    ///
    /// The sequence throws a ``PhotoSourceError`` if the resource cannot be read, and ends only after the last byte. If
    /// its consumer is slower than the source, it must not buffer an unlimited number of bytes.
    /// - Parameters:
    ///   - resource: The ID of the resource in its asset.
    ///   - asset: The ID of the asset.
    ///   - isDownloadAllowed: Whether a resource that is not on this device may be downloaded. Otherwise, the sequence
    ///     throws ``PhotoSourceError/notDownloaded``.
    ///   - onDownload: Called with the downloaded fraction, from 0 to 1.
    func data(
        of resource: PhotoResource.ID, in asset: PhotoAsset.ID, isDownloadAllowed: Bool,
        onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<Data, any Error> & Sendable

    /// Returns a thumbnail that the source can make faster than from the bytes of the resource. Asked for each new
    /// photo with 512 pixels, with up to 1,024 if it is more than twice as long as wide and, if this returns a thumbnail and
    /// the photo is to have a preview, with 2,048. By default there is none, and the library makes them of the bytes.
    ///
    /// It is an upright JPEG in sRGB of at most 256 KiB, or 4 MiB as a preview, without metadata such as the location.
    /// Other data is not stored.
    /// - Parameters:
    ///   - resource: The ID of the resource in its asset. An original and its edited version have different thumbnails.
    ///   - asset: The ID of the asset.
    ///   - maximumPixels: The longest side. A smaller photo keeps its size.
    func thumbnail(
        of resource: PhotoResource.ID, in asset: PhotoAsset.ID, maximumPixels: Int
    ) async -> Data?

    /// Returns a stream with an element after each change of the source, to start the next backup. By default it is
    /// empty.
    func changeNotices() -> AsyncStream<Void>
}

extension PhotoSource {
    /// Returns `nil`: the source does not record changes.
    public func changeToken() async throws(PhotoSourceError) -> Data? { nil }

    /// Returns `nil`: changes are unknown.
    public func changes(since token: Data) async throws(PhotoSourceError) -> PhotoChanges? { nil }

    /// Returns `nil`: there is no thumbnail.
    public func thumbnail(
        of resource: PhotoResource.ID, in asset: PhotoAsset.ID, maximumPixels: Int
    ) async -> Data? { nil }

    /// Returns an empty stream.
    public func changeNotices() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// The assets of a source that changed since a token.
public struct PhotoChanges: Sendable, Equatable {
    /// New assets, and assets with a changed, added or removed resource.
    public var changed: Set<PhotoAsset.ID>
    /// Assets that no longer exist. Those that are merely inaccessible do not belong here: an app can let the library
    /// follow removals. One that was removed and restored is also in ``changed``.
    public var removed: Set<PhotoAsset.ID>

    /// Creates the changes.
    public init(changed: Set<PhotoAsset.ID> = [], removed: Set<PhotoAsset.ID> = []) {
        (self.changed, self.removed) = (changed, removed)
    }
}

/// The reason why a source or one of its assets cannot be read.
public enum PhotoSourceError: Error, Sendable, Equatable {
    /// The asset or resource does not exist any more.
    case missing
    /// The user has not granted access.
    case denied
    /// The bytes are not on this device and cannot be downloaded now.
    case notDownloaded
    /// The operation was cancelled.
    case cancelled
    /// An error of the platform: the domain and number of its `NSError`, and its text in the person's language.
    case platform(domain: String, number: Int, message: String)
    /// Any other reason, for a person.
    case failed(String)
}
