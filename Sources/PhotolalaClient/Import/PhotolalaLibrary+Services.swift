import ForeignExports
import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Imports the photos of a Google Takeout: uploads them as ``backUp(_:selecting:verifying:thumbnails:)`` does, with
    /// the favorites that Google Photos recorded, and its dates and places where the files have none. Photos that the library has are not uploaded again,
    /// and nothing is replaced or removed. An interrupted import continues when it is started again with the same parts.
    ///
    /// ```swift
    /// let parts = ["takeout-20260101T000000Z-001.zip", "takeout-20260101T000000Z-002.zip"].map(URL.init(fileURLWithPath:))
    /// let plan = try await library.importTakeout(parts, options: ServiceImportOptions(isDryRun: true)).report
    /// if plan.contents.missingParts.isEmpty { _ = try await library.importTakeout(parts).report }
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
        _ parts: [URL], options: ServiceImportOptions = ServiceImportOptions()
    ) -> Transfer<TransferProgress, TakeoutImportReport> {
        importExport(of: .googlePhotos, parts, options) { GooglePhotosFacts($0) }
    }

    /// Imports the photos of a copy of iCloud Photos from privacy.apple.com, with the dates and favorites in Apple's tables.
    /// Otherwise as ``importTakeout(_:options:)``.
    ///
    /// A photo is at `iCloud Photos/2023/IMG_1.HEIC`, and a second time in `iCloud Photos/Albums/Summer in Rome` if an
    /// album has it. Apple's albums are lists of file names. A name that several photos have is in no imported album; the
    /// report names it.
    /// - Parameters:
    ///   - parts: The ZIP archives of one copy, which belong together, or folders with them or their content.
    ///   - options: The place in the library, and what is imported.
    /// - Throws: `fileUnusable` if a part cannot be read or no part has photos of iCloud.
    public func importICloud(
        _ parts: [URL], options: ServiceImportOptions = ServiceImportOptions()
    ) -> Transfer<TransferProgress, ICloudImportReport> {
        importExport(of: .iCloud, parts, options) { ICloudFacts($0) }
    }

    /// Imports the photos of an export of Ente, by its desktop app or by `ente export`, with the dates, places and favorites
    /// of Ente. Otherwise as ``importTakeout(_:options:)``.
    ///
    /// A photo is once at `Ente/2023/IMG_1.jpg`, with Ente's description beside it as `IMG_1.jpg.json`, and in
    /// `Ente/Albums/Summer in Rome` for each album that has it.
    /// - Parameters:
    ///   - parts: The folder of an export, or archives that were made of it.
    ///   - options: The place in the library, and what is imported.
    /// - Throws: `fileUnusable` if a part cannot be read or no part has photos of Ente.
    public func importEnteExport(
        _ parts: [URL], options: ServiceImportOptions = ServiceImportOptions()
    ) -> Transfer<TransferProgress, EnteImportReport> {
        importExport(of: .ente, parts, options) { EnteFacts($0) }
    }

    private func importExport<Facts>(
        of service: PhotoService, _ parts: [URL], _ options: ServiceImportOptions,
        _ facts: @escaping @Sendable (ForeignFindings) -> Facts
    ) -> Transfer<TransferProgress, ServiceImportReport<Facts>> {
        Transfer { progress throws(PhotolalaError) in
            let (summary, photos) = try await importExport(of: service, parts, options, progress: progress)
            return ServiceImportReport(
                photos: photos, contents: ExportContents(summary), facts: facts(summary.findings))
        }
    }

    private func importExport(
        of service: PhotoService, _ parts: [URL], _ options: ServiceImportOptions,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> (ForeignImportSummary, BackupReport) {
        let folder = options.destination ?? service.name
        guard let destination = LibraryPath(folder) else {
            throw PhotolalaError(code: .invalidRequest, detail: "“\(folder)” is not a folder of a library.")
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
            thumbnails: maker(for: .ofNewPhotos), pause: pause, pressure: pressure, now: now)
        var choices = ForeignExportOptions(destination: destination)
        choices.includesTrashed = options.includesTrashed
        let counter = ProgressCounter(report: progress)
        let summary: ForeignImportSummary
        do {
            summary = try await ForeignImporter(service.reader, backup, options: choices).run(
                parts.map(\.path), isDryRun: options.isDryRun
            ) { [onFile] event in
                counter.record(event)
                if let onFile, let file = FileEvent(event) { onFile(file) }
            }
        } catch let error as BackupError {
            throw PhotolalaError(error, folder: nil)
        } catch {
            throw PhotolalaError(importing: error, of: service)
        }
        let report = BackupReport(
            named: service.exportName, summary: summary.backup, isDryRun: options.isDryRun,
            lacksThumbnailTool: lacksThumbnailTool(for: .ofNewPhotos),
            stopped: try await reason(for: summary.backup.ending, of: user), storage: uploads.quota.storageUsage)
        return (summary, report)
    }
}

extension PhotolalaError {
    /// Maps the reason why the export of another service cannot be imported.
    fileprivate init(importing error: any Error, of service: PhotoService) {
        let detail: String
        switch error {
        case ForeignExportError.file(_, .cancelled), is CancellationError:
            self.init(code: .cancelled, detail: "Cancelled.")
            return
        case ForeignExportError.file(let path, let error):
            self.init(reading: path, error)
            return
        case ForeignExportError.archive(let path, .noDirectory):
            detail = "\(path) is not a ZIP archive, or is incomplete. Download it again."
        case ForeignExportError.archive(let path, .damagedDirectory):
            detail = "The list of files in \(path) is damaged. Download it again."
        case ForeignExportError.archive(let path, .multipart):
            detail = "\(path) is a piece of a split archive. Join the pieces, and import the whole archive."
        case ForeignExportError.archive(let path, .tooManyFiles): detail = "\(path) has too many files."
        case ForeignExportError.compressedTar(let path):
            detail = "\(path) is a .tgz archive. Unpack it, and import its folder, or choose ZIP at takeout.google.com."
        case ForeignExportError.ownExport(.archive):
            detail = "This is a Photolala export. Use:  photolala import FILE"
        case ForeignExportError.ownExport(.folder):
            detail =
                "This is an unpacked Photolala export. Import its ZIP archive:  photolala import FILE, or upload the "
                + "photos in it:  photolala backup FOLDER/photos --exclude '*.json'"
        case ForeignExportError.otherService(let other):
            let other = PhotoService(other)
            detail = "This is an export of \(other.name). Use:  photolala import \(other.subcommand) PATH"
        case ForeignExportError.noPhotos:
            detail =
                "No photos of \(service.name) found in the given files. To upload the photos of any folder:  "
                + "photolala backup FOLDER"
        default:
            self.init(code: .internalError, detail: "Cannot import: unexpected error: \(error).")
            return
        }
        self.init(code: .fileUnusable, detail: detail)
    }
}
