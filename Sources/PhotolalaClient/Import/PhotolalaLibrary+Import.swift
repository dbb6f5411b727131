import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Imports an export into the library: uploads its photos and adds them to the catalog, those of the trash to the
    /// trash, and takes its albums, favorites and hidden photos over. Photos that the library has are skipped, and nothing is
    /// replaced or removed: a deleted album, and a photo that is no favorite, not hidden or not in an album any more, stay
    /// so. An interrupted import continues when it is started again.
    /// - Parameter file: An export as it was downloaded, from this server or another one.
    public func importExport(_ file: URL) -> Transfer<TransferProgress, ImportReport> {
        Transfer { progress throws(PhotolalaError) in try await importExport(file, progress: progress) }
    }

    private func importExport(
        _ file: URL, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> ImportReport {
        let (user, store) = try await open(for: .backingUp)
        let importer = LibraryImporter(
            store: uploads(to: store, of: user), user: user, device: try await session.catalogTag(),
            cache: cache(user), pause: pause)
        let counter = ProgressCounter(report: progress)
        let summary: ImportSummary
        do {
            summary = try await importer.run(from: file.path) { counter.record($0) }
        } catch {
            throw PhotolalaError(importing: error, from: file)
        }
        return ImportReport(
            file: file, summary: summary, stopped: try await reason(for: summary.photos.ending, of: user))
    }
}

/// The result of an import.
public struct ImportReport: Sendable, Codable, Equatable {
    /// The archive.
    public let file: String
    /// The number of photos in the archive, those of the trash included.
    public let photos: Int
    /// The number of photos whose content was uploaded.
    public let uploadedPhotos: Int
    /// The number of uploaded bytes.
    public let uploadedBytes: Int64
    /// The number of photos that the library, or the photo store, had before.
    public let alreadyStoredPhotos: Int
    /// The number of different photos that became hidden.
    public let hiddenPhotos: Int
    /// The number of different photos that became favorites.
    public let favorites: Int
    /// The number of albums that were created or got photos.
    public let albums: Int
    /// Photos, albums and favorites that could not be imported.
    public let failures: [FileFailure]
    /// The number of photos that the archive lists and does not have.
    public let missingPhotos: Int
    /// The number of files in the archive that no library listed. They are not imported.
    public let unlistedFiles: Int
    /// Photos that were added under another path because the library has another photo there.
    public let keptBeside: [KeptBeside]
    /// Why the import stopped early; `nil` if every photo was tried.
    public let stopped: TransferStopReason?

    /// Whether every photo of the archive is in the library.
    public var isComplete: Bool { failures.isEmpty && missingPhotos == 0 && stopped == nil }

    init(file: URL, summary: ImportSummary, stopped: TransferStopReason?) {
        self.file = file.path
        photos = summary.photos.progress.totalFiles
        uploadedPhotos = summary.photos.progress.restoredFiles
        uploadedBytes = summary.photos.progress.restoredBytes
        alreadyStoredPhotos = summary.photos.progress.alreadyThereFiles
        failures =
            summary.photos.failures.map {
                $0.failure == .contentMismatch
                    ? FileFailure($0.path.description, FailureReason(.damagedInArchive, "damaged in the archive"))
                    : FileFailure($0.path, $0.failure)
            } + summary.documents.problems.map { FileFailure($0.path, $0.reason.failure) }
        hiddenPhotos = summary.documents.hidden
        favorites = summary.documents.favorites
        albums = summary.documents.albums
        missingPhotos = summary.missing.count
        unlistedFiles = summary.unlisted
        keptBeside = summary.placedElsewhere.map {
            KeptBeside(
                path: ($0.item.catalogPath ?? $0.path).description, alternativePath: $0.path.description)
        }
        self.stopped = stopped
    }
}
