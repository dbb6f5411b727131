import PhotoCatalog

/// A file in the export of another photo service: in an archive, or in a folder into which archives were unpacked.
package struct ExportedFile: Sendable, Equatable {
    /// The path in the archive or folder, which can be any text.
    package let path: String
    /// Length in bytes.
    package let size: Int64
    /// The checksum, if the file is in an archive, or it was read to compare files.
    package var crc32: UInt32?
    package let modified: Timestamp
    /// The number of the archive or folder.
    package let container: Int
    /// Changes if the bytes change.
    package let revision: String

    package init(
        path: String, size: Int64, crc32: UInt32?, modified: Timestamp, container: Int = 0, revision: String = ""
    ) {
        (self.path, self.size, self.crc32, self.modified, self.container) = (path, size, crc32, modified, container)
        self.revision = revision
    }
}

/// A folder of an export. Those of other archives with equal paths are other folders.
struct ExportedFolder: Hashable, Comparable {
    /// The number of the archive or folder that was given.
    let container: Int
    /// The path in it, in the normalization form in which names are compared.
    let path: String

    static func < (one: ExportedFolder, other: ExportedFolder) -> Bool {
        (one.path, one.container) < (other.path, other.container)
    }

    var parent: ExportedFolder? {
        ExportedName.parent(of: path).map { ExportedFolder(container: container, path: $0) }
    }
}

/// What files of archives with equal bytes have in common.
struct FileContent: Hashable {
    let size: Int64
    let crc32: UInt32

    /// Returns `nil` for a file of a folder, unless it was read.
    init?(_ file: ExportedFile) {
        guard let crc32 = file.crc32 else { return nil }
        (size, self.crc32) = (file.size, crc32)
    }
}

/// Finds files that several parts of an export have.
struct RepeatedFiles {
    private struct Key: Hashable {
        let path: String
        let content: FileContent
    }

    private var known: Set<Key> = []

    /// Returns whether a file with this path and content was seen before.
    mutating func isRepeated(_ file: ExportedFile, at path: String) -> Bool {
        FileContent(file).map { !known.insert(Key(path: path, content: $0)).inserted } ?? false
    }
}

/// A photo or video of an export, and what the service says about it.
///
/// A reader of one service's exports makes these of a list of files; the importer uploads them, from any service.
package struct ForeignItem: Sendable {
    /// The index of the file.
    package let file: Int
    /// The path in the library.
    package let path: LibraryPath
    /// Further paths in the library at which the same content belongs, such as in an album.
    package var alsoAt: [LibraryPath] = []
    /// The file with the service's description, and its path in the library.
    package var description: (file: Int, path: LibraryPath)?
    /// When it was taken. A date in the file has precedence.
    package var taken: Timestamp?
    /// Where it was taken. A place in the file has precedence.
    package var location: GeoLocation?
    package var isFavorite = false
    /// Whether the service's main timeline does not show it: archived, hidden or locked photos.
    package var isHidden = false

    package init(file: Int, path: LibraryPath) { (self.file, self.path) = (file, path) }
}
