import NIOCore
import PhotoCatalog

/// A tool that makes the thumbnails and previews of photos and videos.
package protocol PictureMaker: Sendable {
    /// Returns whether it supports a type.
    func canMake(_ type: MediaType) -> Bool

    /// Makes the pictures of a file, treating the file as hostile input.
    /// - Parameter preview: The JPEG quality of a preview, 1 to 100; `nil` for none.
    func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures

    /// Returns whether it would support a type if another program were installed.
    func lacksProgram(for type: MediaType) -> Bool

    /// Returns whether it states the duration of videos of a type with their pictures.
    func statesDuration(of type: MediaType) -> Bool

    /// Whether it runs other programs, which may fail with every file.
    var runsPrograms: Bool { get }

    /// Whether an attempt failed because the tool, or what it requires, is not installed.
    var isMissing: Bool { get }

    /// Changes with a new version that may decode more files.
    var version: String { get }

    /// Ends the tool's idle processes. The next thumbnail starts them again.
    func endIdleProcesses() async
}

extension PictureMaker {
    /// Tools that have the version of this program need no other one.
    package var version: String { "" }

    /// Most tools decode in this process, or as an app decides.
    package var runsPrograms: Bool { false }

    /// Most tools make pictures only.
    package func statesDuration(of type: MediaType) -> Bool { false }

    /// Tools that need no other program lack none.
    package func lacksProgram(for type: MediaType) -> Bool { false }
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
