import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// A restore: downloads photos and videos from the store to a folder, with their names and dates.
///
/// Nothing is written outside the folder, existing files are never replaced, and a file gets its name only once it is
/// complete and verified. A further run downloads only what is missing. Archived photos can be requested, and are
/// restored by a later run.
package struct Restore: Sendable {
    let store: any ObjectStore
    let user: UserID
    let settings: RestoreSettings
    private let cache: (any CatalogCache)?
    let pause: Backoff

    /// - Parameter cache: Caches the catalog's files on this device.
    package init(
        store: any ObjectStore, user: UserID, settings: RestoreSettings = RestoreSettings(),
        cache: (any CatalogCache)? = nil, pause: Backoff
    ) {
        self.store = store
        self.user = user
        self.settings = settings
        self.cache = cache
        self.pause = pause
    }

    /// Restores the selected entries, with the files that belong to them. Files that fail are listed in the summary and
    /// do not stop the others.
    /// - Parameter ids: The beginnings of MD5s: restores only these versions, also from the trash, without the files that
    ///   belong to them. Empty for the photos of the library.
    /// - Throws: Only if the restore could not begin.
    package func run(
        into target: String, _ selection: PhotoSelection = PhotoSelection(), versions ids: [String] = [],
        report: @escaping @Sendable (RestoreEvent) -> Void
    ) async throws(RestoreError) -> RestoreSummary {
        let entries = try await entries(selection, ids)
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

    private func entries(
        _ selection: PhotoSelection, _ ids: [String]
    ) async throws(RestoreError) -> CatalogEntries {
        let catalogs = CatalogStore(store: store, user: user, cache: cache, pause: pause)
        do throws(SelectionError) {
            guard !ids.isEmpty else { return try await catalogs.select(selection).completed }
            let found = try await catalogs.select(selection) { $0.entriesWithTrash }
            return try TrashVersions.withPrefixes(ids).of(found.entries)
        } catch { throw .selection(error) }
    }

    /// Returns the library's catalog.
    func catalog() async throws(CatalogError) -> Catalog {
        try await CatalogStore(store: store, user: user, cache: cache, pause: pause).load().catalog
    }

    /// Restores entries to an open folder, under the given paths.
    /// - Parameters:
    ///   - bytes: The total size of all entries.
    ///   - onOutcome: Called for each finished file in turn.
    func restore(
        _ entries: some Collection<CatalogEntry>, of bytes: Int64, into folder: FolderHandle,
        _ report: @escaping @Sendable (RestoreEvent) -> Void,
        onOutcome: (CatalogEntry, RestoreOutcome) async -> Void = { _, _ in }
    ) async -> RestoreSummary {
        var summary = RestoreSummary()
        summary.progress.totalFiles = entries.count
        // The catalog is untrusted: sums of sizes are capped at the largest number.
        summary.progress.totalBytes = bytes
        report(.started(summary.progress))
        var streak = FailureStreak(limit: settings.failuresInARow)
        let refusal = ArchiveRefusal()
        await withTaskGroup(of: (CatalogEntry, RestoreOutcome).self) { group in
            var remaining = entries.makeIterator()
            var running = 0
            while true {
                while running < settings.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    let entry = remaining.next()
                {
                    let step = RestoreStep(
                        entry: entry, folder: folder, restore: self, refusal: refusal, report: report)
                    group.addTask { (entry, await step.run()) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.record(entry, outcome, &streak)
                await onOutcome(entry, outcome)
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

/// The settings of a restore.
package struct RestoreSettings: Sendable {
    /// The number of files that are downloaded in parallel.
    package var parallelFiles = 6
    /// The number of attempts for each transfer.
    package var attempts = 3
    /// The minimum number of bytes for which a partial download is kept and resumed.
    package var resumableBytes: Int64 = 8 << 20
    /// Whether the restore only determines what would be restored, and writes nothing.
    package var isDryRun = false
    /// The restore stops when this many files in a row fail at the store.
    package var failuresInARow = 8
    /// How archived photos are requested; `nil` if they are not.
    package var retrievalOrder: RetrievalRequest?

    package init() {}
}

extension RestoreSummary {
    /// Creates the summary of a dry run into a folder that does not exist yet.
    fileprivate init(restoringAll entries: CatalogEntries) {
        (progress.totalFiles, progress.totalBytes) = (entries.count, entries.bytes)
        (progress.restoredFiles, progress.restoredBytes) = (entries.count, entries.bytes)
    }

    mutating func record(_ entry: CatalogEntry, _ outcome: RestoreOutcome, _ streak: inout FailureStreak) {
        progress.count(outcome, size: entry.size)
        switch outcome {
        case .restored: streak.reset()
        case .alreadyThere: return
        case .restoredBeside(let name):
            streak.reset()
            restoredBeside.append((entry.path, name))
        case .failed(let failure):
            failures.append((entry.path, failure))
            if failure == .file(.outOfSpace) { ending = .stopped(.folder(.outOfSpace)) }
            // The store responds.
            if case .archived = failure { streak.reset() }
            guard case .store(let error) = failure, let reason = streak.reasonToStop(after: error) else { return }
            ending = .stopped(reason)
        }
    }
}
