import Foundation
import PhotoSync

/// A disk cache for thumbnails, previews and originals of a ``PhotolalaLibrary``, in a folder with a limited number of files and
/// bytes. The photos that were used least recently are removed first.
///
/// Each account has a subfolder, so a device never shows a photo of another account. Cached bytes are verified when they
/// are read: thumbnails and previews against a digest that is stored with them, originals against the MD5 in the catalog, once for
/// each process and again after a change of the file. A damaged file is removed and downloaded again.
///
/// Several processes can share a folder. Each keeps the limits for what it knows and counts the files of the others
/// when it removes some. On Apple platforms the folder is excluded from backups.
public struct PhotoCache: Sendable {
    let files: DiskCache

    /// The default for the maximum total size: 1 GiB.
    public static let defaultMaximumBytes: Int64 = 1 << 30
    /// The default for the maximum number of files.
    public static let defaultMaximumFiles = 50_000

    package init(
        folder: URL, maximumBytes: Int64, maximumFiles: Int, now: @escaping @Sendable () -> Date
    ) throws(PhotolalaError) {
        guard maximumBytes > 0, maximumFiles > 0 else {
            throw PhotolalaError(code: .invalidRequest, detail: "A cache must have room for at least one file.")
        }
        do {
            let limits = DiskCache.Limits(bytes: maximumBytes, files: maximumFiles)
            files = try DiskCache(folder: folder.standardizedFileURL.path, limits: limits, now: now)
        } catch {
            throw PhotolalaError(cache: error)
        }
        #if canImport(Darwin)
            var (excluded, values) = (folder, URLResourceValues())
            values.isExcludedFromBackup = true
            // A cache that is backed up uses space and nothing else.
            try? excluded.setResourceValues(values)
        #endif
    }

    /// Counts the files of all accounts. Takes one system call for each.
    /// - Throws: `localStorageFailed`.
    public func usage() async throws(PhotolalaError) -> PhotoCacheUsage {
        do {
            let usage = try await files.usage()
            return PhotoCacheUsage(bytes: usage.bytes, files: usage.files)
        } catch {
            throw PhotolalaError(cache: error)
        }
    }

    /// Removes the cached photos of all accounts, also originals in use. Call it after a sign-out, unless the same person
    /// will sign in again. Downloads that are still running can store their photo afterwards.
    /// - Throws: `localStorageFailed`.
    public func removeAll() async throws(PhotolalaError) {
        do { try await files.removeAll() } catch { throw PhotolalaError(cache: error) }
    }
}

/// The contents of a ``PhotoCache``.
public struct PhotoCacheUsage: Sendable, Equatable {
    /// The total size, in bytes.
    public let bytes: Int64
    /// The number of files.
    public let files: Int
}

/// An original in a ``PhotoCache``. It is not removed to make room as long as a copy of this value exists: keep the
/// value while its URL is in use.
public struct CachedOriginal: Sendable {
    private let file: CachedFile

    init(_ file: CachedFile) { self.file = file }

    /// The location of the file, which must not be changed. Its name has the extension of the photo.
    public var url: URL { URL(fileURLWithPath: file.path) }
}
