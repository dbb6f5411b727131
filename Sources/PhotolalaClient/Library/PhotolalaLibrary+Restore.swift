import Foundation
import PhotoLibrary

extension PhotolalaLibrary {
    /// Brings photos of the library to a folder, with their names and dates. Nothing that stands there is replaced. A large
    /// file that broke off goes on where it was.
    /// - Parameters:
    ///   - folder: made where it is missing.
    ///   - filter: what to bring; what belongs to such a photo comes with it, as the other half of a Live Photo and sidecars
    ///     do.
    ///   - askingBack: how those that are archived are asked for, once each; a later restore brings them. Without it they
    ///     are only reported.
    ///   - isDryRun: only looks what would come, writes nothing and asks the store for no photo.
    public func restore(
        to folder: URL, where filter: PhotoFilter = PhotoFilter(), askingBack request: ArchiveRequest? = nil,
        isDryRun: Bool = false
    ) -> Transfer<TransferProgress, RestoreReport> {
        Transfer { progress throws(PhotolalaError) in
            try await restore(
                to: folder, where: filter, askingBack: request, isDryRun: isDryRun, progress: progress)
        }
    }

    private func restore(
        to folder: URL, where filter: PhotoFilter, askingBack request: ArchiveRequest?, isDryRun: Bool,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> RestoreReport {
        let (selection, order) = (try filter.checked(), try request?.checked())
        let (user, store) = try await open(for: .looking)
        var settings = RestoreSettings()
        settings.isDryRun = isDryRun
        settings.asksBack = order
        let restore = Restore(store: store, user: user, settings: settings, cache: cache(user), pause: pause)
        let counter = ProgressCounter(report: progress)
        let summary: RestoreSummary
        do {
            summary = try await restore.run(into: folder.path, selection) { counter.note($0) }
        } catch {
            throw PhotolalaError(error, folder: folder)
        }
        return RestoreReport(
            folder: folder, summary: summary, isDryRun: isDryRun, stopped: try await reason(for: summary.ending))
    }
}
