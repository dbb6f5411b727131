import Foundation
import PhotoCatalog
import PhotoSync

/// The result of scanning a folder of this device.
public struct LocalScanReport: Sendable, Codable, Equatable {
    /// The folder's resolved path.
    public let folder: String
    /// The number of readable photos, videos and sidecars.
    public let files: Int
    /// The number of pictures.
    public let photos: Int
    /// The number of videos.
    public let videos: Int
    /// The total size, in bytes.
    public let bytes: Int64
    /// The number of files without recorded state, which were read.
    public let readFiles: Int
    /// Pictures and videos that exist more than once; each list contains the paths of one content.
    public let duplicates: [[String]]
    /// The number of bytes that would be freed if each content existed only once.
    public let duplicateBytes: Int64
    /// When the earliest photo was taken, in the format of ``LibraryPhoto/taken``; the file's date if that is unknown.
    public let firstDate: String?
    /// When the latest photo was taken.
    public let lastDate: String?
    /// Files and folders that could not be read.
    public let failures: [FileFailure]
    /// Files that are neither photos nor videos, links or devices, with the reason.
    public let leftOut: [FileFailure]
    /// Names in one folder that differ only in case or Unicode normalization; each list is a single name on other
    /// systems.
    public let sameNames: [[String]]

    init(_ scan: LocalScan) {
        folder = scan.folder
        files = scan.photos.count
        videos = scan.photos.count { $0.type.isVideo }
        photos = scan.photos.count { !$0.type.isVideo && !$0.type.isSidecar }
        bytes = scan.bytes
        readFiles = scan.readFiles
        let copies = scan.duplicates
        duplicates = copies.map { $0.map(\.path.description) }
        duplicateBytes = copies.reduce(0) { $0 + $1.dropFirst().reduce(0) { $0 + $1.size } }
        firstDate = scan.firstAndLastTaken?.first.dateText
        lastDate = scan.firstAndLastTaken?.last.dateText
        failures = scan.problems.map { FileFailure($0.path, $0.reason.failure) }
        leftOut = scan.leftOut.map { FileFailure($0.path, $0.reason) }
        sameNames = scan.clashes.map { $0.paths.map(\.description) }
    }
}

/// The photos of one folder of this device at its last scan.
public struct LocalFolderPhotos: Sendable {
    /// The folder's resolved path.
    public let folder: String
    /// The folder's photos, ordered by their paths in it.
    public let photos: LibraryPhotos
}
