import PhotoCatalog

/// The result of walking a folder, sorted by the bytes of the paths.
package struct ScanResult: Sendable, Equatable {
    package var files: [ScannedFile] = []
    package var problems: [ScanProblem] = []
    package var leftOut: [LeftOutFile] = []
    package var clashes: [NameClash] = []
    /// Files that were opened and do not belong to the library.
    package var nonMedia: [LibraryPath: FileFingerprint] = [:]

    /// Whether the folder contains nothing except folders and the library's own files.
    var isEmpty: Bool { files.isEmpty && problems.isEmpty && leftOut.isEmpty }

    /// The total size of all files in bytes.
    package var bytes: Int64 { files.reduce(0) { $0 + $1.knownSize } }
}

/// A photo, video or sidecar on disk.
package struct ScannedFile: Sendable, Equatable {
    package let path: LibraryPath
    package let fingerprint: FileFingerprint
    package let type: MediaType
    /// Whether the bytes can only be read from the beginning, as those of an asset.
    var isSequential = false

    /// Whether the size is known. Sources of assets may not know it before a resource is read.
    package var isSizeKnown: Bool { fingerprint.size != FileFingerprint.unknownSize }

    /// The length in bytes; 0 if it is unknown.
    package var knownSize: Int64 { isSizeKnown ? fingerprint.size : 0 }
}

/// A file or folder that could not be read. The walk continues without it.
package struct ScanProblem: Sendable, Equatable {
    /// The path for display; a name that is not possible in a library has replacement characters.
    package let path: String
    package let reason: Reason
    /// The length of the file in bytes. With `unusableName`, `nil` for a folder or an unknown type, and 0 for a link or
    /// special file.
    var size: Int64?

    package enum Reason: Sendable, Equatable {
        case file(FileError)
        /// The source cannot read the asset.
        case source(SourceError)
        /// The name is too long for a catalog, or is the encoding of a name that is not UTF-8.
        case unusableName
        /// The file was modified while it was read.
        case changedWhileRead
        /// A folder that had files is completely empty: its disk may not be mounted.
        case emptied
        /// A source that had assets has none: access to them may have been withdrawn.
        case withoutAssets
        /// Another resource of the source has the same path.
        case repeatedPath
        /// The favorites of a source could not be stored.
        case favorites(CatalogError)
        /// The hidden photos of a source could not be stored.
        case hidden(CatalogError)
        /// The albums of an import could not be stored.
        case albums(CatalogError)
    }

    static let emptied = ScanProblem(path: ".", reason: .emptied)
    static let withoutAssets = ScanProblem(path: ".", reason: .withoutAssets)
}

/// A file in the folder that is not a photo or video and does not belong to the library.
package struct LeftOutFile: Sendable, Equatable {
    package let path: LibraryPath
    package let reason: Reason

    package enum Reason: Sendable, Equatable {
        case noPhotoOrVideo
        /// A file or folder that the folder's ignore files, the operation's filter or `IgnoreRules.standard` leave out.
        case ignored
        /// The name is that of a photo or video, but the format is unknown, or the file is damaged.
        case unknownFormat
        case empty
        /// A sidecar whose photo is not in its folder.
        case withoutPhoto
        /// A symbolic link. Links are never followed.
        case link
        /// A device, pipe or socket.
        case special
        /// The content was permanently deleted from the library's trash.
        case deleted
    }
}

/// Names in one folder that differ only in case or Unicode normalization. They are separate files here and in the
/// library; on a system that does not distinguish them, a restore puts the second one beside the first.
package struct NameClash: Sendable, Equatable {
    /// Sorted by bytes.
    package let paths: [LibraryPath]
}
