import Foundation

/// Makes the thumbnails and previews of a library's backups, instead of the installed tools. Calls are concurrent.
///
/// ```swift
/// struct DecoderService: ThumbnailMaker {
///     func supports(mediaType: String) -> Bool { mediaType == "image/jpeg" }
///
///     func pictures(
///         of file: URL, mediaType: String, previewQuality: Int?
///     ) async throws(ThumbnailMakerError) -> MadePictures {
///         guard let small = decode(file, 512, 80) else { throw .noPicture }
///         return MadePictures(thumbnail: small, preview: previewQuality.flatMap { decode(file, 2048, $0) })
///     }
/// }
/// let library = PhotolalaLibrary(
///     session: session, profile: profile, network: network, thumbnailMaker: DecoderService())
/// ```
///
/// The files come from cameras, messengers and the web: decode them where a malicious one does least harm.
public protocol ThumbnailMaker: Sendable {
    /// Returns whether it supports a media type, such as `image/heic` or `video/mp4`.
    func supports(mediaType: String) -> Bool

    /// Makes the thumbnail and the preview of a file, which must not be changed.
    ///
    /// Both are complete JPEGs, upright, in sRGB and without metadata such as the location; the thumbnail has 512
    /// pixels on its longer side, or 256 on its shorter one if the photo is more than twice as long as wide, and at most 1,024
    /// pixels a side and 256 KiB, the preview at most 2,048 pixels a side and 4 MiB. None is larger than the photo. They are
    /// checked to be JPEGs of a permitted size. Of a video they show a frame.
    /// - Parameter previewQuality: The JPEG quality of the preview, 1 to 100; `nil` if none is wanted.
    /// - Throws: The reason why there is no thumbnail. The photo itself is backed up.
    func pictures(
        of file: URL, mediaType: String, previewQuality: Int?
    ) async throws(ThumbnailMakerError) -> MadePictures

    /// The version of its decoders. ``PhotolalaLibrary/createPreviews(where:retries:verifying:renewingThumbnails:)`` tries files again of which another
    /// version made nothing. By default empty.
    var version: String { get }

    /// Releases what is kept between calls. Called at the end of a backup; further calls may follow. By default nothing.
    func endIdleProcesses() async
}

extension ThumbnailMaker {
    /// Returns an empty text.
    public var version: String { "" }

    /// Does nothing.
    public func endIdleProcesses() async {}
}

/// The pictures that a ``ThumbnailMaker`` made of a file.
public struct MadePictures: Sendable, Equatable {
    /// The thumbnail, a JPEG.
    public let thumbnail: Data
    /// The preview, a JPEG; `nil` if none was requested or made.
    public let preview: Data?
    /// The average color of the thumbnail in sRGB, shown until it has loaded; `nil` if it is not known.
    public let color: PlaceholderColor?

    /// Creates the pictures.
    public init(thumbnail: Data, preview: Data? = nil, color: PlaceholderColor? = nil) {
        self.thumbnail = thumbnail
        self.preview = preview
        self.color = color
    }
}

/// The reason why a ``ThumbnailMaker`` made no thumbnail.
public enum ThumbnailMakerError: Error, Equatable, Sendable {
    /// The file has no picture that can be decoded.
    case noPicture
    /// The maker exceeded its time limit.
    case timedOut
    /// The maker failed otherwise, for example because its process crashed.
    case failed(String)
    /// Something that the maker requires is not installed. It is not called again.
    case unavailable
    /// The task was cancelled.
    case cancelled
}
