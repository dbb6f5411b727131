import Foundation
import PhotoCatalog
import PhotoSync

/// The photos in folders of this device, without an account or a network.
///
/// ```swift
/// let profile = try ProfileDirectory(URL(fileURLWithPath: "/Users/bob/.my-app"))
/// let local = PhotolalaLocalLibrary(profile: profile)
///
/// let scan = local.scan(URL(fileURLWithPath: "/Users/bob/Pictures"))
/// for await progress in scan { print("\(progress.finishedFiles) files read") }
/// let report = try await scan.report
/// print("\(report.photos) photos, \(report.duplicates.count) with duplicates")
///
/// for folder in try local.photos() {
///     for photo in folder.photos { print(folder.folder, photo.path) }
/// }
/// ```
///
/// A scan reads each file once and records its content hash, type and dates. After a sign-in,
/// ``PhotolalaLibrary/assessMigration(of:where:)-([URL]?,_)`` uses this data to estimate the migration of the photos to the
/// account.
public struct PhotolalaLocalLibrary: Sendable {
    private let library: LocalLibrary

    package init(stateFolder: String, zone: CaptureZone? = nil, now: @escaping @Sendable () -> Date) {
        library = LocalLibrary(stateFolder: stateFolder, zone: zone, now: now)
    }

    /// Scans a folder and records its files; changes nothing in it. Files that are already recorded are not read again.
    /// If cancelled, the files read so far remain recorded.
    /// - Parameter folder: The folder, which is only read.
    public func scan(_ folder: URL) -> Transfer<TransferProgress, LocalScanReport> {
        Transfer { progress throws(PhotolalaError) in try await scan(folder, progress: progress) }
    }

    private func scan(
        _ folder: URL, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LocalScanReport {
        do {
            return LocalScanReport(try await library.scan(folder.path) { progress(TransferProgress($0)) })
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
    }

    /// Returns the photos of all scanned folders at their last scan.
    /// - Throws: `localStorageFailed` if the recorded state cannot be read, `notFound` for paths without any photo.
    public func photos(where filter: PhotoFilter = PhotoFilter()) throws(PhotolalaError) -> [LocalFolderPhotos] {
        let selection = try filter.checkedForDevice()
        let folders = LocalLibrary.outermost(try folders())
        let all = folders.map { Catalog(of: library.photos(of: $0)).entries }
        do {
            let chosen = try CatalogEntries.selected(selection, ofEach: all)
            return zip(folders, chosen).map { LocalFolderPhotos(folder: $0, photos: LibraryPhotos($1)) }
        } catch {
            throw PhotolalaError(.unknownPaths(error.paths), in: "device")
        }
    }

    /// Returns the resolved paths of the scanned folders.
    /// - Throws: `localStorageFailed` if the recorded state cannot be read.
    public func folders() throws(PhotolalaError) -> [String] {
        do {
            return try library.folders()
        } catch {
            throw PhotolalaError(error, folder: nil)
        }
    }

    /// Removes the recorded state of a folder. The folder itself is not changed.
    /// - Returns: Whether the folder had been scanned.
    /// - Throws: `localStorageFailed` if the recorded state cannot be read.
    public func forget(_ folder: URL) throws(PhotolalaError) -> Bool {
        do {
            return try library.forget(folder.path)
        } catch {
            throw PhotolalaError(error, folder: nil)
        }
    }
}
