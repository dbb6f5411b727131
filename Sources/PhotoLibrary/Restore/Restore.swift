import ObjectStorage
import PhotolalaAPI

/// Brings photos and videos from the store to a folder, with their names and dates.
///
/// Nothing is written outside the folder, nothing that stands there is replaced, and no file has its name before all of
/// it is there and verified. Run again it fetches only what is missing.
package struct Restore: Sendable {
    let store: any ObjectStore
    let user: UserID
    let settings: RestoreSettings
    let pause: Backoff

    package init(
        store: any ObjectStore, user: UserID, settings: RestoreSettings = RestoreSettings(), pause: Backoff
    ) {
        self.store = store
        self.user = user
        self.settings = settings
        self.pause = pause
    }

    /// Restores the entries that `isWanted` picks. Files that fail are in the summary and never stop the others.
    /// - Throws: only when it could not begin.
    package func run(
        into target: String, isWanted: (CatalogEntry) -> Bool = { _ in true },
        report: @escaping @Sendable (RestoreEvent) -> Void
    ) async throws(RestoreError) -> RestoreSummary {
        let catalog: Catalog
        do {
            catalog = try await CatalogStore(store: store, user: user, pause: pause).load().catalog
        } catch {
            throw .catalog(error)
        }
        let folder: FolderHandle
        do {
            folder = try await FileWork.run { () throws(FileError) in
                try LocalFolder.create(target)
                return try FolderHandle(target)
            }
        } catch {
            throw error == .cancelled ? .cancelled : .folder(error)
        }
        return await restore(catalog.entries.filter(isWanted), into: folder, report)
    }

    private func restore(
        _ entries: [CatalogEntry], into folder: FolderHandle, _ report: @escaping @Sendable (RestoreEvent) -> Void
    ) async -> RestoreSummary {
        var summary = RestoreSummary()
        summary.progress.totalFiles = entries.count
        // A catalog is a stranger's word: sizes that add up to more than there are numbers are capped.
        summary.progress.totalBytes = entries.reduce(0) { sum, entry in
            let (total, overflow) = sum.addingReportingOverflow(entry.size)
            return overflow ? .max : total
        }
        report(.started(summary.progress))
        var streak = FailureStreak(limit: settings.failuresInARow)
        await withTaskGroup(of: (CatalogEntry, RestoreOutcome).self) { group in
            var rest = entries[...]
            var running = 0
            while true {
                while running < settings.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    let entry = rest.popFirst()
                {
                    let step = RestoreStep(entry: entry, folder: folder, restore: self, report: report)
                    group.addTask { (entry, await step.run()) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.settle(entry, outcome, &streak)
                report(.finished(entry.path, outcome, summary.progress))
            }
        }
        if Task.isCancelled, summary.ending == .completed, summary.progress.finishedFiles < entries.count {
            summary.ending = .cancelled
        }
        if summary.ending == .completed, let stop = await streak.reasonToStop(asking: store, user: user) {
            summary.ending = .stopped(stop)
        }
        return summary
    }
}

/// How a restore goes about it.
package struct RestoreSettings: Sendable {
    /// Files fetched at the same time.
    package var parallelFiles = 6
    /// A transfer that breaks off is tried this many times in all.
    package var attempts = 3
    /// So many files in a row that the store did not give stop the restore.
    package var failuresInARow = 8

    package init() {}
}

extension RestoreSummary {
    fileprivate mutating func settle(_ entry: CatalogEntry, _ outcome: RestoreOutcome, _ streak: inout FailureStreak) {
        progress.count(outcome, size: entry.size)
        switch outcome {
        case .restored: streak.reset()
        case .alreadyThere: return
        case .restoredBeside(let name):
            streak.reset()
            restoredBeside.append((entry.path, name))
        case .failed(let failure):
            failures.append((entry.path, failure))
            if failure == .file(.outOfSpace) { ending = .stopped(.outOfSpace) }
            guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
            ending = .stopped(reason)
        }
    }
}
