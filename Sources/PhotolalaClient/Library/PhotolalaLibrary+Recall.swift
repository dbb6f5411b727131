import ObjectStorage
import PhotoCatalog
import PhotoSync

extension PhotolalaLibrary {
    /// Requests archived photos from the archive without downloading them, so that they can be restored some hours later.
    /// Photos that were requested before are not requested again.
    ///
    /// ```swift
    /// let estimate = try await library.recall(isDryRun: true).report
    /// for option in estimate.options { print(option.speed, option.hours, option.dollars) }
    /// let report = try await library.recall().report
    /// ```
    /// - Parameters:
    ///   - request: The speed, and how long the photos stay available.
    ///   - filter: The photos to request. Their companion files are requested with them.
    ///   - isDryRun: Requests nothing, and determines how long each speed takes and what it costs the operator of the
    ///     photo store.
    public func recall(
        _ request: ArchiveRequest = ArchiveRequest(), where filter: PhotoFilter = PhotoFilter(), isDryRun: Bool = false
    ) -> Transfer<TransferProgress, RecallReport> {
        Transfer { progress throws(PhotolalaError) in
            try await recall(request, where: filter, isDryRun: isDryRun, progress: progress)
        }
    }

    private func recall(
        _ request: ArchiveRequest, where filter: PhotoFilter, isDryRun: Bool,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> RecallReport {
        let (selection, order) = (try filter.checked(), try request.checked())
        let (user, store) = try await open(for: .reading)
        let recall = PhotoRecall(CatalogStore(store: store, user: user, cache: cache(user), pause: pause))
        let summary: RecallSummary
        do {
            let plan = try await recall.plan(selection)
            summary = try await recall.run(plan, isDryRun ? nil : order) { progress(TransferProgress($0)) }
        } catch let error as SelectionError {
            throw PhotolalaError(error)
        } catch let error as ObjectStoreError {
            throw PhotolalaError(error)
        } catch {
            throw PhotolalaError(code: .internalError, detail: "Cannot request photos: unexpected error: \(error).")
        }
        return RecallReport(
            summary, request, isDryRun: isDryRun,
            stopped: try await reason(for: TransferEnding(summary.ending), of: user))
    }
}

extension TransferProgress {
    fileprivate init(_ recall: RecallProgress) {
        self.init()
        (totalFiles, totalBytes) = (recall.totalFiles, recall.totalBytes)
        (finishedFiles, finishedBytes) = (recall.finishedFiles, recall.finishedBytes)
    }
}

extension TransferEnding {
    fileprivate init(_ ending: RecallSummary.Ending) {
        switch ending {
        case .completed: self = .completed
        case .cancelled: self = .cancelled
        case .stopped(.denied(let reason)): self = .stopped(.denied(reason))
        case .stopped(let error): self = .stopped(.storeUnavailable("\(error)"))
        }
    }
}
