import Foundation
import PhotoSync

/// What a sync would download to a folder that receives photos of the library for the first time.
public struct FirstDownload: Sendable, Equatable {
    /// The number of photos, videos and sidecars.
    public let files: Int
    /// Their size in bytes.
    public let bytes: Int64
    /// The free space on the folder's disk in bytes; `nil` if unknown.
    public let freeBytes: Int64?

    package init(files: Int, bytes: Int64, freeBytes: Int64?) {
        (self.files, self.bytes, self.freeBytes) = (files, bytes, freeBytes)
    }

    init(_ download: SyncDownload, to folder: URL) {
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        self.init(
            files: download.files, bytes: download.bytes,
            freeBytes: (facts?[.systemFreeSize] as? NSNumber)?.int64Value)
    }
}
