import Foundation
import PhotoLibrary

/// What is in the library and what waits on this device.
public struct LibraryOverview: Sendable, Codable, Equatable {
    /// Files in the library.
    public let storedFiles: Int
    /// Bytes of their contents, each content counted once.
    public let storedBytes: Int64
    /// Photos and videos in the folder.
    public let localFiles: Int
    /// Their bytes.
    public let localBytes: Int64
    /// Those that are backed up.
    public let backedUpFiles: Int
    /// Those whose content is not in the library.
    public let waitingFiles: Int
    /// Files of the library that were not seen in the folder.
    public let onlyStoredFiles: Int
    /// What could not be looked at; such photos count neither as backed up nor as waiting.
    public let problems: [FileFailure]

    init(_ status: LibraryStatus) {
        storedFiles = status.storedFiles
        storedBytes = status.storedBytes
        localFiles = status.localFiles
        localBytes = status.localBytes
        backedUpFiles = status.backedUpFiles
        waitingFiles = status.waitingFiles
        onlyStoredFiles = status.onlyStoredFiles
        problems = status.problems.map { FileFailure(path: $0.path, reason: $0.reason.words) }
    }
}

/// A photo or video of the library.
public struct LibraryPhoto: Sendable, Codable, Equatable {
    /// Its name with its folders, divided by `/`.
    public let path: String
    /// The MD5 of its bytes, 32 lower-case hex digits.
    public let md5: String
    /// Length in bytes.
    public let size: Int64
    /// The file's modification date: RFC 3339 in UTC, to the nanosecond where the file system kept it.
    public let modified: String
    /// When the photo was taken, as it says itself, in the same form.
    public let taken: String?
    /// The media type.
    public let type: String

    init(_ entry: CatalogEntry) {
        path = entry.path.description
        md5 = entry.md5.description
        size = entry.size
        modified = entry.modified.description
        taken = entry.taken?.description
        type = entry.type.description
    }
}
