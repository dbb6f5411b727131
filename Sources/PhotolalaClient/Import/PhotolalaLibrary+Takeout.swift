import ForeignExports
import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

/// The choices of ``PhotolalaLibrary/importTakeout(_:options:)``.
public struct TakeoutImportOptions: Sendable, Equatable {
    /// The folder of the library for the photos.
    public var destination: String
    /// Whether photos that are in the trash of Google Photos are imported, as photos that are not.
    public var includesTrashed: Bool
    /// Whether the import is only predicted: nothing is changed, neither on this device nor in the library.
    public var isDryRun: Bool

    /// Creates the choices.
    /// - Parameters:
    ///   - destination: The folder of the library for the photos.
    ///   - includesTrashed: Whether photos that are in the trash of Google Photos are imported.
    ///   - isDryRun: Whether the import is only predicted.
    public init(destination: String = "Google Photos", includesTrashed: Bool = false, isDryRun: Bool = false) {
        (self.destination, self.includesTrashed, self.isDryRun) = (destination, includesTrashed, isDryRun)
    }
}

extension PhotolalaLibrary {
    /// Imports the photos of a Google Takeout: uploads them as ``backUp(_:selecting:verifying:thumbnails:)`` does, with
    /// the dates, places and favorites that Google Photos recorded. Photos that the library has are not uploaded again,
    /// and nothing is replaced or removed. An interrupted import continues when it is started again with the same parts.
    ///
    /// ```swift
    /// let parts = ["takeout-20260101T000000Z-001.zip", "takeout-20260101T000000Z-002.zip"].map(URL.init(fileURLWithPath:))
    /// let plan = try await library.importTakeout(parts, options: TakeoutImportOptions(isDryRun: true)).report
    /// if plan.missingParts.isEmpty { _ = try await library.importTakeout(parts).report }
    /// ```
    ///
    /// A photo of the year folder is at `Google Photos/2023/IMG_1.jpg`, with Google's description beside it as
    /// `IMG_1.jpg.json`. If it is also in an album, the same content is a second time in
    /// `Google Photos/Albums/Summer in Rome`; it is stored once.
    /// - Parameters:
    ///   - parts: The ZIP archives of one export, which belong together, or folders into which they were unpacked.
    ///   - options: The place in the library, and what is imported.
    /// - Throws: `fileUnusable` if a part cannot be read or no part has photos of Google Photos.
    public func importTakeout(
        _ parts: [URL], options: TakeoutImportOptions = TakeoutImportOptions()
    ) -> Transfer<TransferProgress, TakeoutImportReport> {
        Transfer { progress throws(PhotolalaError) in
            try await importTakeout(parts, options, progress: progress)
        }
    }

    private func importTakeout(
        _ parts: [URL], _ options: TakeoutImportOptions, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> TakeoutImportReport {
        guard let destination = LibraryPath(options.destination) else {
            throw PhotolalaError(
                code: .invalidRequest, detail: "“\(options.destination)” is not a folder of a library.")
        }
        let (user, store) = try await open(for: options.isDryRun ? .reading : .backingUp)
        var settings = BackupSettings()
        settings.zone = zone
        settings.previewQuality = previews.quality
        settings.limitParallelFiles(parallelFiles)
        let uploads = uploads(to: store, of: user)
        let device = options.isDryRun ? DeviceTag.none : try await session.catalogTag()
        let backup = Backup(
            store: uploads, user: user, device: device, stateFolder: stateFolder, settings: settings,
            thumbnails: thumbnails, pause: pause, pressure: pressure, now: now)
        var choices = TakeoutExport.Options(destination: destination)
        choices.includesTrashed = options.includesTrashed
        let counter = ProgressCounter(report: progress)
        let summary: TakeoutImportSummary
        do {
            summary = try await TakeoutImporter(backup, options: choices).run(
                parts.map(\.path), isDryRun: options.isDryRun
            ) { [onFile] event in
                counter.record(event)
                if let onFile, let file = FileEvent(event) { onFile(file) }
            }
        } catch let error as BackupError {
            throw PhotolalaError(error, folder: nil)
        } catch {
            throw PhotolalaError(importing: error)
        }
        return TakeoutImportReport(
            summary, isDryRun: options.isDryRun, lacksThumbnailTool: lacksThumbnailTool(for: .ofNewPhotos),
            stopped: try await reason(for: summary.backup.ending, of: user), storage: uploads.quota.storageUsage)
    }
}

extension PhotolalaError {
    /// Maps the reason why the export of another service cannot be imported.
    fileprivate init(importing error: any Error) {
        let detail: String
        switch error {
        case ForeignExportError.file(_, .cancelled), is CancellationError:
            self.init(code: .cancelled, detail: "Cancelled.")
            return
        case ForeignExportError.file(let path, let error): detail = "Cannot read \(path): \(error.message)."
        case ForeignExportError.archive(let path, .noDirectory):
            detail = "\(path) is no ZIP archive, or not complete. Download it again."
        case ForeignExportError.archive(let path, .damagedDirectory):
            detail = "The list of files in \(path) is damaged. Download it again."
        case ForeignExportError.archive(let path, .multipart):
            detail = "\(path) is a piece of a split archive. Join the pieces, and import the whole archive."
        case ForeignExportError.archive(let path, .tooManyFiles): detail = "\(path) has too many files."
        case ForeignExportError.compressedTar(let path):
            detail = "\(path) is a .tgz archive. Unpack it, and import its folder, or choose ZIP at takeout.google.com."
        case ForeignExportError.ownExport:
            detail = "This is an export of Photolala. Import it as such: photolala import FILE"
        case ForeignExportError.noPhotos: detail = "No photos of Google Photos found in the given files."
        default: detail = "Cannot import: \(error)."
        }
        self.init(code: .fileUnusable, detail: detail)
    }
}
