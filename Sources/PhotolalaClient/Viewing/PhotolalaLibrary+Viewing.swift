import Foundation

/// Photos for display. Concurrent calls for the same photo share one download, and all copies of a library share a
/// limited number of downloads: 6 thumbnails, 4 previews, 2 originals and 4 ranges at a time. A cancelled call throws `cancelled`;
/// its download continues as long as another call waits for it.
extension PhotolalaLibrary {
    /// Returns a photo's thumbnail from the cache or the store: an upright JPEG without metadata, of 512 pixels on its
    /// longer side, or of a panorama 256 on its shorter one and up to 1,024 on the other, and at most 256 KiB. Thumbnails of
    /// earlier versions have at most 256 pixels per side.
    ///
    /// A cached thumbnail needs no network. The catalog has no digest of thumbnails, so one from the store is only
    /// checked to be a complete JPEG of a permitted size.
    /// - Parameter offline: Only reads the cache, and throws `notCached` if it has none.
    /// - Returns: `nil` if the library has no thumbnail of the photo, which costs one request.
    /// - Throws: `photoArchived`, `photoDamaged` if the stored object is no thumbnail, which
    ///   ``createPreviews(where:retries:verifying:renewingThumbnails:)`` with `verifying` repairs, and the errors of the
    ///   session and the photo store.
    public func thumbnail(
        for photo: LibraryPhoto, priority: PhotoPriority = .visible, offline: Bool = false
    ) async throws(PhotolalaError) -> Data? {
        try await viewer.picture(.thumbnail, of: photo, priority.load, offline: offline)
    }

    /// Returns a photo's preview from the cache or the store: an upright JPEG without metadata, at most 2,048 pixels per
    /// side and 4 MiB. Of a video it is a frame. It is cached and checked like a thumbnail.
    ///
    /// Small photos that browsers show have none: show the original then. Other photos may have none yet.
    /// - Returns: `nil` if the library has no preview of the photo, which costs one request.
    /// - Throws: As ``thumbnail(for:priority:offline:)``.
    public func preview(
        for photo: LibraryPhoto, priority: PhotoPriority = .visible, offline: Bool = false
    ) async throws(PhotolalaError) -> Data? {
        try await viewer.picture(.preview, of: photo, priority.load, offline: offline)
    }

    /// Loads thumbnails into the cache, in order and after all visible photos. Cancel it, or release it, when the photos
    /// are no longer about to be shown.
    ///
    /// Its report throws `invalidRequest` without a cache, and the first error that is not specific to one photo.
    public func prefetchThumbnails(for photos: [LibraryPhoto]) -> Transfer<TransferProgress, PrefetchReport> {
        Transfer { progress throws(PhotolalaError) in try await viewer.prefetch(photos, progress) }
    }

    /// Returns a photo or video in the cache, downloading it if necessary. The bytes are checked against the MD5 in the
    /// catalog before the file gets its name. An interrupted download of 8 MiB or more is resumed.
    /// - Parameter offline: Only reads the cache, and throws `notCached` if it does not have the photo.
    /// - Throws: `photoArchived` if it must be requested from the archive first, `photoDamaged` if the stored bytes are
    ///   damaged or missing, `cacheTooSmall` if it is larger than the cache or originals in use fill the cache,
    ///   `invalidRequest` without a cache, `temporarilyUnavailable` while another process downloads it, and the errors
    ///   of the session and the photo store.
    public func original(
        for photo: LibraryPhoto, priority: PhotoPriority = .visible, offline: Bool = false
    ) async throws(PhotolalaError) -> CachedOriginal {
        try await viewer.original(of: photo, priority.load, offline: offline)
    }

    /// Downloads a photo or video to a file outside of the cache, with its modification date. The file appears when it is
    /// complete and its MD5 is that of the catalog. An interrupted download of 8 MiB or more is resumed by the next call.
    /// - Parameter file: The destination. A file that already has the photo's content is kept.
    /// - Throws: `fileUnusable` if the file exists with other content or cannot be written, `photoArchived`,
    ///   `photoDamaged`, `outOfSpace`, and the errors of the session and the photo store; `notSignedIn`, without a new
    ///   file, if the account is signed out during the download.
    public func downloadOriginal(
        of photo: LibraryPhoto, to file: URL, priority: PhotoPriority = .visible
    ) async throws(PhotolalaError) {
        try await viewer.download(photo, to: file.standardizedFileURL, priority.load)
    }

    /// The maximum length of a range for ``data(for:range:priority:)``, in bytes: 16 MiB.
    public static let maximumRangeLength: Int64 = 16 << 20

    /// Returns some bytes of a photo or video, for example to play a video during its download. Reads a cached original
    /// that this process has verified; otherwise makes one request. Ranges are not cached, and their bytes cannot be
    /// verified, because the catalog has only the MD5 of the whole file.
    /// - Parameter range: The offsets of the bytes, at most ``maximumRangeLength``. A range that ends beyond the end of
    ///   the photo is truncated.
    /// - Throws: `invalidRequest` for a range that is too long or starts beyond the end, `photoArchived`, `photoDamaged`,
    ///   and the errors of the session and the photo store.
    public func data(
        for photo: LibraryPhoto, range: Range<Int64>, priority: PhotoPriority = .visible
    ) async throws(PhotolalaError) -> Data {
        try await viewer.data(of: photo, range, priority.load)
    }
}

/// The result of a prefetch.
public struct PrefetchReport: Sendable, Codable, Equatable {
    /// The number of photos whose thumbnail was loaded or already cached.
    public internal(set) var thumbnails = 0
    /// The number of photos of which the library has no thumbnail.
    public internal(set) var photosWithoutThumbnail = 0
    /// The number of photos whose thumbnail is damaged or archived.
    public internal(set) var failures = 0
}
