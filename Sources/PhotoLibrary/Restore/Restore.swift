import ObjectStorage
import PhotolalaAPI

/// Brings photos and videos from the store to a folder, with their names and dates.
///
/// Nothing is written outside the folder, nothing that stands there is replaced, and no file has its name before all of
/// it is there and verified. Run again it fetches only what is missing. Archived photos can be asked for, and come with a
/// later run.
package struct Restore: Sendable {
    let store: any ObjectStore
    let user: UserID
    let settings: RestoreSettings
    private let cache: CatalogCache?
    let pause: Backoff

    /// - Parameter cache: keeps the catalog's files on this device.
    package init(
        store: any ObjectStore, user: UserID, settings: RestoreSettings = RestoreSettings(),
        cache: CatalogCache? = nil, pause: Backoff
    ) {
        self.store = store
        self.user = user
        self.settings = settings
        self.cache = cache
        self.pause = pause
    }

    /// Restores the entries that are selected, with those that belong to them. Files that fail are in the summary and
    /// never stop the others.
    /// - Throws: only when it could not begin.
    package func run(
        into target: String, _ selection: PhotoSelection = PhotoSelection(),
        report: @escaping @Sendable (RestoreEvent) -> Void
    ) async throws(RestoreError) -> RestoreSummary {
        let entries = try await entries(selection)
        let folder: FolderHandle
        do {
            let isDryRun = settings.isDryRun
            folder = try await FileWork.run { () throws(FileError) in
                if !isDryRun { try LocalFolder.create(target) }
                return try FolderHandle(target)
            }
        } catch {
            if error == .missing, settings.isDryRun { return RestoreSummary(restoringAll: entries) }
            throw error == .cancelled ? .cancelled : .folder(error)
        }
        return await restore(entries, of: entries.bytes, into: folder, report)
    }

    private func entries(_ selection: PhotoSelection) async throws(RestoreError) -> CatalogEntries {
        let catalogs = CatalogStore(store: store, user: user, cache: cache, pause: pause)
        do { return try await catalogs.select(selection).completed } catch { throw .selection(error) }
    }

    /// Brings entries to an open folder, under the paths that they have here.
    /// - Parameters:
    ///   - bytes: of all of them.
    ///   - settled: told of each file in turn, when it is done.
    func restore(
        _ entries: some Collection<CatalogEntry>, of bytes: Int64, into folder: FolderHandle,
        _ report: @escaping @Sendable (RestoreEvent) -> Void,
        settled: (CatalogEntry, RestoreOutcome) async -> Void = { _, _ in }
    ) async -> RestoreSummary {
        var summary = RestoreSummary()
        summary.progress.totalFiles = entries.count
        // A catalog is a stranger's word: sizes that add up to more than there are numbers are capped.
        summary.progress.totalBytes = bytes
        report(.started(summary.progress))
        var streak = FailureStreak(limit: settings.failuresInARow)
        let refusal = ArchiveRefusal()
        await withTaskGroup(of: (CatalogEntry, RestoreOutcome).self) { group in
            var rest = entries.makeIterator()
            var running = 0
            while true {
                while running < settings.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    let entry = rest.next()
                {
                    let step = RestoreStep(
                        entry: entry, folder: folder, restore: self, refusal: refusal, report: report)
                    group.addTask { (entry, await step.run()) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.settle(entry, outcome, &streak)
                await settled(entry, outcome)
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
    /// Bytes from which on what came of a file is kept when it breaks off, and gone on with.
    package var keptBytes: Int64 = 8 << 20
    /// Looks what would come, and writes nothing.
    package var isDryRun = false
    /// So many files in a row that the store did not give stop the restore.
    package var failuresInARow = 8
    /// How archived photos are asked for; `nil` leaves them where they are.
    package var asksBack: RetrievalOrder?

    package init() {}
}

extension RestoreSummary {
    /// Of a folder that is not there yet.
    fileprivate init(restoringAll entries: CatalogEntries) {
        (progress.totalFiles, progress.totalBytes) = (entries.count, entries.bytes)
        (progress.restoredFiles, progress.restoredBytes) = (entries.count, entries.bytes)
    }

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
            // The store answers.
            if case .archived = failure { streak.reset() }
            guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
            ending = .stopped(reason)
        }
    }
}
