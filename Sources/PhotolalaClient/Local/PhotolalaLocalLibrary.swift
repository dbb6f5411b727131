import Foundation
import PhotoLibrary

/// The photos in folders of this device, without an account and without a network.
///
/// A scan reads each file once and remembers its content, type and dates. Whoever signs in later goes on from there:
/// ``PhotolalaLibrary/assessMigration(of:where:)`` tells what it takes to bring them to the account.
public struct PhotolalaLocalLibrary: Sendable {
    private let library: LocalLibrary

    package init(stateFolder: String, zone: CaptureZone? = nil, now: @escaping @Sendable () -> Date) {
        library = LocalLibrary(stateFolder: stateFolder, zone: zone, now: now)
    }

    /// Looks through a folder and remembers what is in it; nothing in it is changed. What is known is not read again.
    /// Cancelled, what was read until then is remembered.
    /// - Parameter folder: it is only read.
    public func scan(_ folder: URL) -> Transfer<TransferProgress, LocalScanReport> {
        Transfer { progress throws(PhotolalaError) in try await scan(folder, progress: progress) }
    }

    private func scan(
        _ folder: URL, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LocalScanReport {
        do {
            return LocalScanReport(try await library.scan(folder.path) { progress(TransferProgress($0)) })
        } catch {
            throw PhotolalaError(error == .cancelled ? BackupError.cancelled : .folder(error), folder: folder)
        }
    }

    /// The photos of all folders that were scanned, as the last scan of each saw them.
    /// - Throws: `folderUnusable` when what this device remembers cannot be read, `notFound` for paths at which there is
    ///   nothing.
    public func photos(where filter: PhotoFilter = PhotoFilter()) throws(PhotolalaError) -> [LocalFolderPhotos] {
        let selection = try filter.checked()
        let folders = LocalLibrary.outermost(try folders())
        let all = folders.map { Catalog(of: library.photos(of: $0)).entries }
        do {
            let chosen = try CatalogEntries.selected(selection, ofEach: all)
            return zip(folders, chosen).map { LocalFolderPhotos(folder: $0, photos: LibraryPhotos($1)) }
        } catch {
            throw PhotolalaError(.unknownPaths(error.paths), in: "device")
        }
    }

    /// The folders that were scanned, by their real paths.
    /// - Throws: `folderUnusable` when what this device remembers cannot be read.
    public func folders() throws(PhotolalaError) -> [String] {
        do {
            return try library.folders()
        } catch {
            throw PhotolalaError(BackupError.folder(error), folder: nil)
        }
    }

    /// Forgets a folder. Nothing in it is touched.
    /// - Returns: whether it had been scanned.
    /// - Throws: `folderUnusable` when what this device remembers cannot be read.
    public func forget(_ folder: URL) throws(PhotolalaError) -> Bool {
        do {
            return try library.forget(folder.path)
        } catch {
            throw PhotolalaError(BackupError.folder(error), folder: nil)
        }
    }
}
