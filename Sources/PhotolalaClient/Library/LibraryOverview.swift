import Foundation
import PhotoSync

/// The state of the library and the files that wait on this device.
public struct LibraryOverview: Sendable, Codable, Equatable {
    /// The number of files in the library.
    public let storedFiles: Int
    /// The total size of their contents in bytes, each content counted once.
    public let storedBytes: Int64
    /// The number of files in the library beyond the first of each content.
    public let duplicateFiles: Int
    /// The number of files in the library whose stored capture date is invalid and is therefore treated as unknown.
    public let unreadableDates: Int
    /// The number of photos and videos in the folder.
    public let localFiles: Int
    /// Their total size, in bytes.
    public let localBytes: Int64
    /// The number of folder files that are backed up.
    public let backedUpFiles: Int
    /// The number of folder files that are in the library's trash, which a backup does not restore.
    public let trashedFiles: Int
    /// The number of folder files whose content is not in the library.
    public let waitingFiles: Int
    /// The number of library files that are not in the folder.
    public let onlyStoredFiles: Int
    /// The number of folder files that were permanently deleted from the library, which a backup does not upload again.
    public let deletedFiles: Int
    /// Files that could not be examined. They count neither as backed up nor as waiting.
    public let problems: [FileFailure]

    init(_ status: LibraryStatus) {
        storedFiles = status.storedFiles
        storedBytes = status.storedBytes
        duplicateFiles = status.duplicateFiles
        unreadableDates = status.unreadableDates
        localFiles = status.localFiles
        localBytes = status.localBytes
        backedUpFiles = status.backedUpFiles
        trashedFiles = status.trashedFiles
        waitingFiles = status.waitingFiles
        onlyStoredFiles = status.onlyStoredFiles
        deletedFiles = status.deletedFiles
        problems = status.problems.map { FileFailure($0.path, $0.reason.failure) }
    }
}
