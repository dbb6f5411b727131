import NIOCore
import PhotoCatalog

/// A tool that makes the thumbnails of photos.
package protocol ThumbnailMaker: Sendable {
    /// Returns whether it supports a type of photo.
    func canMake(_ type: MediaType) -> Bool

    /// Makes a thumbnail of a file, treating the file as hostile input.
    func thumbnail(of path: String) async throws(ThumbnailError) -> Thumbnail
}

/// The reason why a photo has no thumbnail. The photo itself is still backed up.
package enum ThumbnailError: Error, Equatable, Sendable {
    /// The tool found no picture in the file, or exceeded its memory or time limit.
    case notMade
    /// The tool exceeded its time limit.
    case tooSlow
    /// The tool could not be started.
    case toolFailed(String)
    case cancelled
}
