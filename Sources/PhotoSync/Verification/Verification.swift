import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets

/// A verification: reads stored contents of a library back and compares them with the catalog. Nothing is written or
/// repaired.
package struct Verification: Sendable {
    let store: any ObjectStore
    let user: UserID
    private let cache: (any CatalogCache)?
    let pause: Backoff
    private let randomness: Randomness

    /// The number of contents that are read in parallel.
    private static let parallelFiles = 6
    /// The number of attempts for each read.
    static let attempts = 3
    /// The verification stops when this many contents in a row fail at the store.
    private static let failuresInARow = 8

    /// - Parameters:
    ///   - cache: Caches the catalog's files on this device.
    ///   - randomness: Draws the sample.
    package init(
        store: any ObjectStore, user: UserID, cache: (any CatalogCache)? = nil, pause: Backoff,
        randomness: Randomness = .system
    ) {
        self.store = store
        self.user = user
        self.cache = cache
        self.pause = pause
        self.randomness = randomness
    }

    /// Reads contents of the selected entries, each content once.
    /// - Parameter sample: Returns how many of the given number of contents to read.
    /// - Throws: Only if the verification could not begin.
    package func run(
        _ selection: PhotoSelection, sample: (Int) -> Int, report: @escaping @Sendable (VerificationEvent) -> Void
    ) async throws(SelectionError) -> VerificationSummary {
        let catalogs = CatalogStore(store: store, user: user, cache: cache, pause: pause)
        let entries = try await catalogs.select(selection).entries.distinctContents
        let chosen = randomness.sample(min(max(sample(entries.count), 0), entries.count), of: entries.count)
        return await read(entries.reordered(chosen.map { entries.order[$0] }), of: entries.count, report)
    }

    private func read(
        _ entries: CatalogEntries, of contents: Int, _ report: @escaping @Sendable (VerificationEvent) -> Void
    ) async -> VerificationSummary {
        var summary = VerificationSummary(contents: contents)
        summary.progress = ReadingProgress(totalFiles: entries.count, totalBytes: entries.bytes)
        report(.started(summary.progress))
        var streak = FailureStreak(limit: Self.failuresInARow)
        await withTaskGroup(of: (CatalogEntry, RestoreFailure?).self) { group in
            var remaining = entries[...]
            var running = 0
            while true {
                while running < Self.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    let entry = remaining.popFirst()
                {
                    group.addTask { (entry, await check(entry, report)) }
                    running += 1
                }
                guard let (entry, failure) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, failure != nil { continue }
                summary.record(entry, failure, &streak)
                report(.finished(entry.path, summary.progress))
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

    /// Returns what is wrong with a content; `nil` if it is intact.
    private func check(
        _ entry: CatalogEntry, _ report: @escaping @Sendable (VerificationEvent) -> Void
    ) async -> RestoreFailure? {
        let key = ObjectKey(known: StorageLayout.photo(user, md5: entry.md5.description))
        var attempt = 1
        while true {
            do throws(ObjectStoreError) {
                guard let reading = try await store.read(key, range: nil) else { return .notStored }
                guard reading.info.size == entry.size else { return .contentMismatch }
                let digest = try await reading.body.digest { report(.received(entry.path, bytes: $0)) }
                return digest == entry.md5 ? nil : .contentMismatch
            } catch {
                guard error.isTransient, attempt < Self.attempts, !Task.isCancelled else {
                    return RestoreFailure(reading: error)
                }
                await pause.wait(attempt: attempt)
                attempt += 1
            }
        }
    }
}

extension ObjectStoreError {
    /// Whether an immediate retry of a failed read may succeed.
    var isTransient: Bool {
        switch self {
        case .unavailable, .outcomeUnknown, .conflict: true
        default: false
        }
    }
}
