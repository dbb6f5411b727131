import Foundation
import PhotoSync

extension PhotolalaLibrary {
    /// Downloads photos of the library to a folder, with their names and dates. Existing files are never replaced. An
    /// interrupted download of a large file is resumed.
    /// - Parameters:
    ///   - folder: The destination; created if missing.
    ///   - filter: The photos to restore. Their companion files, such as the other half of a Live Photo and sidecars,
    ///     are restored with them.
    ///   - versions: The beginnings of MD5s, of 4 to 32 hexadecimal digits: restores only these versions of the photos,
    ///     also from the trash, without companion files. Empty for the photos of the library.
    ///   - request: Requests each archived photo from the archive once, for a later restore. Without it, archived
    ///     photos are only reported.
    ///   - isDryRun: Determines what would be restored, writes nothing and does not read photos from the store.
    public func restore(
        to folder: URL, where filter: PhotoFilter = PhotoFilter(), versions: [String] = [],
        askingBack request: ArchiveRequest? = nil, isDryRun: Bool = false
    ) -> Transfer<TransferProgress, RestoreReport> {
        Transfer { progress throws(PhotolalaError) in
            try await restore(
                to: folder, where: filter, versions: versions, askingBack: request, isDryRun: isDryRun,
                progress: progress)
        }
    }

    private func restore(
        to folder: URL, where filter: PhotoFilter, versions: [String], askingBack request: ArchiveRequest?,
        isDryRun: Bool, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> RestoreReport {
        let (selection, order) = (try filter.checked(), try request?.checked())
        let ids = versions.isEmpty ? [] : try TrashVersionChoice.checkedIDs(versions)
        let (user, store) = try await open(for: .reading)
        var settings = RestoreSettings()
        settings.isDryRun = isDryRun
        settings.retrievalOrder = order
        settings.parallelFiles = parallelDownloads
        let restore = Restore(store: store, user: user, settings: settings, cache: cache(user), pause: pause)
        let counter = ProgressCounter(report: progress)
        let summary: RestoreSummary
        do {
            summary = try await restore.run(into: folder.path, selection, versions: ids) { [onFile] event in
                counter.record(event)
                if let onFile, let file = FileEvent(event) { onFile(file) }
            }
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
        return RestoreReport(
            folder: folder, summary: summary, isDryRun: isDryRun,
            stopped: try await reason(for: summary.ending, of: user))
    }
}
