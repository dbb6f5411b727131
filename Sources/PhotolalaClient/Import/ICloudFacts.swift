import ForeignExports

/// The result of an import of a copy of iCloud Photos.
public typealias ICloudImportReport = ServiceImportReport<ICloudFacts>

/// What only a copy of iCloud Photos has.
public struct ICloudFacts: Sendable, Codable, Equatable {
    /// The number of hidden photos. They are imported, and hidden in the library.
    public let hidden: Int
    /// The number of photos in shared albums, which are smaller than the originals of their owners.
    public let sharedAlbumPhotos: Int
    /// The number of memories, which Photos makes by itself. They are not imported.
    public let memories: Int
    /// The number of files without content, whose photo is in another file.
    public let emptyFiles: Int
    /// Archives in archives, such as those of shared albums. They are not imported unless they are unpacked and given.
    public let unopenedArchives: [String]
    /// Photos of albums whose name several photos have, or none. They are not in the imported album.
    public let unresolvedAlbumPhotos: [String]

    init(_ findings: ForeignFindings) {
        hidden = findings.hidden
        sharedAlbumPhotos = findings.sharedAlbumPhotos
        memories = findings.memories
        emptyFiles = findings.emptyFiles
        unopenedArchives = findings.unopenedArchives.sorted()
        unresolvedAlbumPhotos = findings.unresolvedAlbumPhotos.sorted()
    }
}
