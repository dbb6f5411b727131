import Foundation
import PhotoLibrary

/// What a scan found in a folder of this device.
public struct LocalScanReport: Sendable, Codable, Equatable {
    /// The folder's real path.
    public let folder: String
    /// Photos, videos and sidecars that could be read.
    public let files: Int
    /// Of them, pictures.
    public let photos: Int
    /// Of them, videos.
    public let videos: Int
    /// Bytes of all of them.
    public let bytes: Int64
    /// Those that were not known before and so were read.
    public let readFiles: Int
    /// Pictures and videos that are there more than once; each list has the paths of one content.
    public let duplicates: [[String]]
    /// What would be free if each content were there once.
    public let duplicateBytes: Int64
    /// When the first of them was taken, as ``LibraryPhoto/taken``; the file's date where that is unknown.
    public let firstDate: String?
    /// When the last of them was taken.
    public let lastDate: String?
    /// Files and folders that could not be read.
    public let failures: [FileFailure]
    /// Files that are neither photo nor video, links and devices, with the reason.
    public let leftOut: [FileFailure]
    /// Names in one folder that differ only in case or in how a letter is composed; each list is one name elsewhere.
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
        firstDate = scan.ends?.first.dateText
        lastDate = scan.ends?.last.dateText
        failures = scan.problems.map { FileFailure(path: $0.path, reason: $0.reason.words) }
        leftOut = scan.leftOut.map { FileFailure(path: $0.path.description, reason: $0.reason.words) }
        sameNames = scan.clashes.map { $0.paths.map(\.description) }
    }
}

/// The photos of one folder of this device, as the last scan saw them.
public struct LocalFolderPhotos: Sendable {
    /// The folder's real path.
    public let folder: String
    /// Its photos, in the order of their paths in it.
    public let photos: LibraryPhotos
}
