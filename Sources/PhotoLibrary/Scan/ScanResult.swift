/// What a walk through a folder found, in the order of the paths' bytes.
package struct ScanResult: Sendable, Equatable {
    package var files: [ScannedFile] = []
    package var problems: [ScanProblem] = []
    package var leftOut: [LeftOutFile] = []
    package var clashes: [NameClash] = []
    /// Files that were opened and are none of the library's business.
    package var foreign: [LibraryPath: FileStamp] = [:]

    /// Whether there was nothing at all, but for folders and the library's own files.
    var isEmpty: Bool { files.isEmpty && problems.isEmpty && leftOut.isEmpty }

    /// The bytes of all files.
    package var bytes: Int64 { files.reduce(0) { $0 + $1.stamp.size } }
}

/// A photo, a video or the sidecar of one, on the disk.
package struct ScannedFile: Sendable, Equatable {
    package let path: LibraryPath
    package let stamp: FileStamp
    package let type: MediaType
}

/// A file or folder that could not be looked at. The walk goes on without it.
package struct ScanProblem: Sendable, Equatable {
    /// The path as far as it can be shown; a name that no library can have has replacement characters.
    package let path: String
    package let reason: Reason
    /// The length in bytes of a file that stands there. With `unusableName`, `nil` for a folder or an unknown type, and 0
    /// for a link or special file.
    var size: Int64?

    package enum Reason: Sendable, Equatable {
        case file(FileError)
        /// The name is longer than a catalog can hold, or is the spelling of a name that is not UTF-8.
        case unusableName
        /// Somebody wrote to the file while it was read.
        case changedWhileRead
        /// Nothing at all is in a folder that had files: its disk may not be mounted.
        case emptied
    }

    static let emptied = ScanProblem(path: ".", reason: .emptied)
}

/// Something in the folder that is no photo or video and so is not the library's business.
package struct LeftOutFile: Sendable, Equatable {
    package let path: LibraryPath
    package let reason: Reason

    package enum Reason: Sendable, Equatable {
        case noPhotoOrVideo
        /// By its name a photo or video, but of a format that is not known, or damaged.
        case unknownFormat
        case empty
        /// A sidecar whose photo is not in its folder.
        case withoutPhoto
        /// Links are never followed.
        case link
        /// A device, pipe or socket.
        case special
        /// It was deleted from the library's trash for good.
        case deleted
    }
}

/// Names in one folder that differ only in case or in the normalisation of letters. Each is a file of its own here and
/// in the library; on a system that does not tell them apart, a restore puts the second beside the first.
package struct NameClash: Sendable, Equatable {
    /// In the order of their bytes.
    package let paths: [LibraryPath]
}
