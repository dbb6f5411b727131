import Foundation
import PhotoLibrary

/// What is in the library and what waits on this device.
public struct LibraryOverview: Sendable, Codable, Equatable {
    /// Files in the library.
    public let storedFiles: Int
    /// Bytes of their contents, each content counted once.
    public let storedBytes: Int64
    /// Files of the library of which the stored capture date is no possible date, so that it counts as unknown.
    public let unreadableDates: Int
    /// Photos and videos in the folder.
    public let localFiles: Int
    /// Their bytes.
    public let localBytes: Int64
    /// Those that are backed up.
    public let backedUpFiles: Int
    /// Those that are in the library's trash, and that no backup brings back.
    public let trashedFiles: Int
    /// Those whose content is not in the library.
    public let waitingFiles: Int
    /// Files of the library that were not seen in the folder.
    public let onlyStoredFiles: Int
    /// Photos and videos of the folder that were deleted from the library for good, and that no backup brings back.
    public let deletedFiles: Int
    /// What could not be looked at; such photos count neither as backed up nor as waiting.
    public let problems: [FileFailure]

    init(_ status: LibraryStatus) {
        storedFiles = status.storedFiles
        storedBytes = status.storedBytes
        unreadableDates = status.unreadableDates
        localFiles = status.localFiles
        localBytes = status.localBytes
        backedUpFiles = status.backedUpFiles
        trashedFiles = status.trashedFiles
        waitingFiles = status.waitingFiles
        onlyStoredFiles = status.onlyStoredFiles
        deletedFiles = status.deletedFiles
        problems = status.problems.map { FileFailure(path: $0.path, reason: $0.reason.words) }
    }
}
