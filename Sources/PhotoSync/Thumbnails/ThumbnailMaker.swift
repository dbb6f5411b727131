import NIOCore
import PhotoCatalog

/// A tool that makes the thumbnails of photos and videos.
package protocol ThumbnailMaker: Sendable {
    /// Returns whether it supports a type.
    func canMake(_ type: MediaType) -> Bool

    /// Makes a thumbnail of a file, treating the file as hostile input.
    func thumbnail(of path: String, type: MediaType) async throws(ThumbnailError) -> Thumbnail

    /// Whether an attempt failed because the tool, or what it requires, is not installed.
    var isMissing: Bool { get }

    /// Ends the tool's idle processes. The next thumbnail starts them again.
    func endIdleProcesses() async
}

/// The reason why a photo has no thumbnail. The photo itself is still backed up.
package enum ThumbnailError: Error, Equatable, Sendable {
    /// The tool found no picture in the file, or exceeded its memory or time limit.
    case notMade
    /// The tool exceeded its time limit.
    case tooSlow
    /// The tool failed otherwise.
    case toolFailed(String)
    /// The tool, or what it requires, is not installed.
    case missing
    case cancelled
}
