import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Reads the capture dates of stored photos and videos again if the library lacks their date or time zone, and adds
    /// what it finds. Reads at most 1 MiB of each photo or video, and its sidecars.
    ///
    /// Added dates are not read again, so the operation can be cancelled and repeated. Nothing else about a photo
    /// changes.
    /// - Parameters:
    ///   - filter: The photos to examine.
    ///   - folders: Folders of this device that were backed up. Photos that are unchanged there are read locally.
    ///   - timeZone: The time zone of photos without one; the device's by default.
    ///   - isDryRun: Reads the same data and writes nothing.
    public func refreshDates(
        where filter: PhotoFilter = PhotoFilter(), readingCopiesIn folders: [URL] = [], timeZone: TimeZone? = nil,
        isDryRun: Bool = false
    ) -> Transfer<TransferProgress, DateRefreshReport> {
        Transfer { progress throws(PhotolalaError) in
            try await refreshDates(
                where: filter, folders: folders, zone: timeZone.map { CaptureZone($0) } ?? zone, isDryRun: isDryRun,
                progress: progress)
        }
    }

    private func refreshDates(
        where filter: PhotoFilter, folders: [URL], zone: CaptureZone?, isDryRun: Bool,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> DateRefreshReport {
        let selection = try filter.checked()
        let (user, store) = try await open(for: .reading)
        let refresh = DateRefresh(
            store: store, user: user, stateFolder: stateFolder, zone: zone, pause: pause, now: now)
        let counter = ProgressCounter(report: progress)
        let summary: DateRefreshSummary
        do {
            summary = try await refresh.run(selection, folders: folders.map(\.path), isDryRun: isDryRun) {
                counter.record($0)
            }
        } catch {
            switch error {
            case .selection(let error): throw PhotolalaError(error)
            case .folder(let path, let error):
                throw PhotolalaError(BackupError.folder(error), folder: URL(fileURLWithPath: path))
            case .cancelled: throw PhotolalaError(BackupError.cancelled, folder: nil)
            }
        }
        return DateRefreshReport(
            summary, zone: zone, isDryRun: isDryRun, stopped: try await reason(for: summary.ending, of: user))
    }
}

/// The result of a date refresh.
public struct DateRefreshReport: Sendable, Codable, Equatable {
    /// Whether nothing was written.
    public let isDryRun: Bool
    /// The number of photos and videos whose date or time zone was missing in the library.
    public let wantedFiles: Int
    /// The number of those for which a date or time zone was found (or would be added in a dry run).
    public let datedFiles: Int
    /// The number of those that were given `timeZone`, because neither they nor their neighbors have a time zone.
    public let zonedFiles: Int?
    /// The time zone that was applied; `nil` if it was not applied to any photo.
    public let timeZone: String?
    /// The number of those for which nothing was found.
    public let undatedFiles: Int
    /// Files that could not be read.
    public let failures: [FileFailure]
    /// Files that were not read because they are archived. These do not count as failures.
    public let archived: [String]
    /// Why the operation stopped early; `nil` if all files were tried.
    public let stopped: TransferStopReason?

    init(_ summary: DateRefreshSummary, zone: CaptureZone?, isDryRun: Bool, stopped: TransferStopReason?) {
        zonedFiles = summary.zonedFiles
        timeZone = summary.zonedFiles > 0 ? zone?.identifier : nil
        self.isDryRun = isDryRun
        wantedFiles = summary.progress.totalFiles
        datedFiles = summary.datedFiles
        undatedFiles = summary.undatedFiles
        failures = summary.failures.map { FileFailure($0.path, $0.failure) }
        archived = summary.archived.map(\.description)
        self.stopped = stopped
    }
}
