/// What a walk through a folder found, in the order of the paths' bytes.
package struct ScanResult: Sendable, Equatable {
    package var files: [ScannedFile] = []
    package var problems: [ScanProblem] = []
    package var leftOut: [LeftOutFile] = []

    /// The bytes of all photos and videos.
    package var bytes: Int64 { files.reduce(0) { $0 + $1.stamp.size } }
}

/// A photo or video on the disk.
package struct ScannedFile: Sendable, Equatable {
    package let path: LibraryPath
    package let stamp: FileStamp
    package let type: MediaType
}

/// A file or folder that could not be looked at. The walk goes on without it.
package struct ScanProblem: Sendable, Equatable {
    /// The path as far as it can be shown; a name that is not UTF-8 has replacement characters.
    package let path: String
    package let reason: Reason

    package enum Reason: Sendable, Equatable {
        case file(FileError)
        /// The name is not UTF-8 or longer than a catalog can hold.
        case unusableName
    }
}

/// Something in the folder that is no photo or video and so is not the library's business.
package struct LeftOutFile: Sendable, Equatable {
    package let path: LibraryPath
    package let reason: Reason

    package enum Reason: Sendable, Equatable {
        case noPhotoOrVideo
        case empty
        /// Links are never followed.
        case link
        /// A device, pipe or socket.
        case special
    }
}
