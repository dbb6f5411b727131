import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Exports the account to a ZIP archive: the photos at their paths with their dates, those in the trash, and everything
    /// else that is stored about the person. The script `verify-export` in the archive verifies it.
    ///
    /// An interrupted export continues when it is started again with the same file: until it is complete, the file has
    /// the suffix `.partial`. The account's data is that of the first start, which requires authentication within the
    /// last 10 minutes. It works over quota and while the deletion of the account is scheduled.
    ///
    /// ```swift
    /// let export = library.export(to: URL(fileURLWithPath: "/Users/bob/photos.zip"))
    /// for await progress in export { print(progress.finishedFiles, "of", progress.totalFiles) }
    /// let report = try await export.report
    /// ```
    /// - Parameters:
    ///   - file: The archive. An existing file is never replaced.
    ///   - request: Requests each archived photo from the archive once, for a later start. Without it, archived photos
    ///     are only reported.
    public func export(
        to file: URL, askingBack request: ArchiveRequest? = nil
    ) -> Transfer<TransferProgress, ExportReport> {
        Transfer { progress throws(PhotolalaError) in
            try await export(to: file, askingBack: request, progress: progress)
        }
    }

    private func export(
        to file: URL, askingBack request: ArchiveRequest?, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> ExportReport {
        let order = try request?.checked()
        let (user, store) = try await open(for: .reading)
        var settings = RestoreSettings()
        settings.retrievalOrder = order
        settings.parallelFiles = parallelDownloads
        let restore = Restore(store: store, user: user, settings: settings, cache: cache(user), pause: pause)
        let session = session.limited(to: user)
        let exporter = LibraryExporter(
            restore: restore,
            server: LibraryExporter.Server(
                files: { try await session.exportFiles() }, sign: { try await session.signExport($0) }))
        let counter = ProgressCounter(report: progress)
        let summary: ExportSummary
        do {
            summary = try await exporter.run(to: file.path) { counter.record($0) }
        } catch {
            throw PhotolalaError(exporting: error, to: file)
        }
        return ExportReport(
            file: file, summary: summary, stopped: try await reason(for: summary.photos.ending, of: user))
    }
}

extension PhotolalaSession {
    /// Returns the account's files of an export.
    func exportFiles() async throws(PhotolalaError) -> ExportFiles { try await authorized(.exportFiles).value }

    /// Returns the server's signature of an export.
    /// - Parameter manifest: The SHA-256 of the manifest, in hex.
    func signExport(_ manifest: String) async throws(PhotolalaError) -> String {
        try await authorized(.signExport, body: ExportSignatureRequest(manifestSHA256: manifest)).value.signature
    }
}
