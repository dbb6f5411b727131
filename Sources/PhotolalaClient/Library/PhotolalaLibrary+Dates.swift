import Foundation
import PhotoLibrary
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Reads again when stored photos and videos were taken, for those whose date or whose time zone the library does not
    /// know, and adds it. At most 1 MiB of each photo or video is read, and sidecars beside it.
    ///
    /// What is added is not looked for again, so it can be cancelled and run again. Nothing else of a photo is changed.
    /// - Parameters:
    ///   - filter: which photos are meant.
    ///   - folders: folders of this device that were backed up; photos that are there unchanged are read there.
    ///   - timeZone: of photos that do not tell theirs; the device's when left out.
    ///   - isDryRun: reads the same and writes nothing.
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
        let (user, store) = try await open(for: .looking)
        let refresh = DateRefresh(
            store: store, user: user, stateFolder: stateFolder, zone: zone, pause: pause, now: now)
        let counter = ProgressCounter(report: progress)
        let summary: DateRefreshSummary
        do {
            summary = try await refresh.run(selection, folders: folders.map(\.path), isDryRun: isDryRun) {
                counter.note($0)
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
            summary, zone: zone, isDryRun: isDryRun, stopped: try await reason(for: summary.ending))
    }
}

/// What a refresh of dates found.
public struct DateRefreshReport: Sendable, Codable, Equatable {
    /// Whether nothing was written.
    public let isDryRun: Bool
    /// Photos and videos whose date or time zone the library did not know.
    public let wantedFiles: Int
    /// Those of which more is known now, or would be.
    public let datedFiles: Int
    /// Of them, those that have the time zone `timeZone` because neither they nor their neighbours have one.
    public let zonedFiles: Int?
    /// That time zone; `nil` where no photo has it.
    public let timeZone: String?
    /// Those of which nothing more was found.
    public let undatedFiles: Int
    /// Those that could not be read.
    public let failures: [FileFailure]
    /// Those that were not read because they are archived. They are no failures.
    public let archived: [String]
    /// Why it stopped before the end; `nil` when all were tried.
    public let stopped: TransferStopReason?

    init(_ summary: DateRefreshSummary, zone: CaptureZone?, isDryRun: Bool, stopped: TransferStopReason?) {
        zonedFiles = summary.zonedFiles
        timeZone = summary.zonedFiles > 0 ? zone?.identifier : nil
        self.isDryRun = isDryRun
        wantedFiles = summary.progress.totalFiles
        datedFiles = summary.datedFiles
        undatedFiles = summary.undatedFiles
        failures = summary.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
        archived = summary.archived.map(\.description)
        self.stopped = stopped
    }
}
