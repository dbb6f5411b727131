import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Makes the missing previews and thumbnails of a library from its stored originals. It can be stopped at any time and
/// run again: what is stored is not made again.
package struct PreviewFill: Sendable {
    let store: any ObjectStore
    let user: UserID
    let maker: any PictureMaker
    private let cache: (any CatalogCache)?
    private let quality: Int
    private let folder: String
    private let pause: Backoff

    /// The number of originals that are downloaded and decoded at the same time.
    private static let parallelFiles = 3
    /// The number of attempts for each upload.
    private static let attempts = 3
    /// The run stops when this many contents in a row fail at the store.
    private static let failuresInARow = 8

    /// - Parameters:
    ///   - quality: The JPEG quality of previews, 1 to 100.
    ///   - folder: A folder for originals, used only for this; created if it does not exist, and removed at the end.
    ///   - cache: Caches the catalog's files on this device.
    package init(
        store: any ObjectStore, user: UserID, maker: any PictureMaker, quality: Int, folder: String,
        cache: (any CatalogCache)? = nil, pause: Backoff
    ) {
        self.store = store
        self.user = user
        self.maker = maker
        self.quality = quality
        self.folder = folder
        self.cache = cache
        self.pause = pause
    }

    /// The outcome for one content.
    enum Outcome: Sendable {
        case made
        case failed(PreviewFillFailure)
    }

    /// Makes the pictures of the selected entries, each content once. Originals are downloaded a few at a time and
    /// removed again; archived ones are skipped.
    /// - Throws: Only if the run could not begin.
    package func run(
        _ selection: PhotoSelection, report: @escaping @Sendable (VerificationEvent) -> Void
    ) async throws(PreviewFillError) -> PreviewFillSummary {
        let catalogs = CatalogStore(store: store, user: user, cache: cache, pause: pause)
        let entries: CatalogEntries
        do { entries = try await catalogs.select(selection).entries.distinctContents } catch {
            throw .selection(error)
        }
        let stored: StoredPictures
        do { stored = try await .load(from: store, user: user) } catch { throw .store(error) }
        let missing = entries.reordered(
            entries.indices.filter { isMissing(entries[$0], in: stored) }.map { entries.order[$0] })
        let summary = await make(missing, stored, report)
        await maker.endIdleProcesses()
        // After an interruption it holds what need not be downloaded again.
        if summary.ending == .completed { await remove(folder) }
        return summary
    }

    private func isMissing(_ entry: CatalogEntry, in stored: StoredPictures) -> Bool {
        guard maker.canMake(entry.type) else { return false }
        return !stored.thumbnails.contains(entry.md5) || wantsPreview(entry) && !stored.previews.contains(entry.md5)
    }

    private func wantsPreview(_ entry: CatalogEntry) -> Bool {
        Preview.isUseful(for: entry.type, size: entry.size, entry.media)
    }

    private func make(
        _ entries: CatalogEntries, _ stored: StoredPictures, _ report: @escaping @Sendable (VerificationEvent) -> Void
    ) async -> PreviewFillSummary {
        var summary = PreviewFillSummary()
        summary.progress = ReadingProgress(totalFiles: entries.count, totalBytes: entries.bytes)
        report(.started(summary.progress))
        var streak = FailureStreak(limit: Self.failuresInARow)
        await withTaskGroup(of: (CatalogEntry, Outcome).self) { group in
            var remaining = entries[...]
            var running = 0
            while true {
                while running < Self.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    let entry = remaining.popFirst()
                {
                    let hasThumbnail = stored.thumbnails.contains(entry.md5)
                    group.addTask { (entry, await make(entry, hasThumbnail: hasThumbnail)) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.record(entry, outcome, &streak)
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

    /// Downloads an original, makes its pictures and stores them.
    private func make(_ entry: CatalogEntry, hasThumbnail: Bool) async -> Outcome {
        let name = "\(entry.md5)"
        let original = CatalogEntry(
            path: LibraryPath(known: name), md5: entry.md5, size: entry.size, modified: entry.modified,
            type: entry.type,
            media: entry.media)
        do throws(RestoreFailure) {
            try await PhotoReader(store: store, user: user, pause: pause).download(original, into: folder)
        } catch { return .failed(.original(error)) }
        let path = "\(folder)/\(name)"
        let made: Pictures
        do throws(ThumbnailError) {
            made = try await maker.pictures(of: path, type: entry.type, preview: wantsPreview(entry) ? quality : nil)
        } catch {
            // Kept for another attempt only if this one was interrupted.
            if error != .cancelled { await remove(path) }
            return .failed(.tool(error))
        }
        await remove(path)
        var attempt = 1
        while true {
            do throws(ObjectStoreError) {
                try await made.store(of: entry.md5, in: store, user, withThumbnail: !hasThumbnail)
                return .made
            } catch {
                guard error.isTransient, attempt < Self.attempts, !Task.isCancelled else {
                    return .failed(.upload(error))
                }
                await pause.wait(attempt: attempt)
                attempt += 1
            }
        }
    }

    private func remove(_ path: String) async {
        try? await FileWork.run { () throws(FileError) in try? FileManager.default.removeItem(atPath: path) }
    }
}

/// The reason why a run could not begin.
package enum PreviewFillError: Error, Sendable {
    case selection(SelectionError)
    case store(ObjectStoreError)
}

/// The reason why a content has no preview.
package enum PreviewFillFailure: Sendable {
    case original(RestoreFailure)
    case tool(ThumbnailError)
    case upload(ObjectStoreError)
}

/// The results of a run.
package struct PreviewFillSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = ReadingProgress(totalFiles: 0, totalBytes: 0)
    /// Contents whose missing pictures were stored.
    package var made = 0
    /// Contents of which the tool made no picture, each with its first path.
    package var notMade: [LibraryPath] = []
    /// Contents that are archived, each with its first path.
    package var archived: [LibraryPath] = []
    /// Contents that could not be read or whose pictures could not be stored, each with its first path.
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []

    package init() {}

    mutating func record(_ entry: CatalogEntry, _ outcome: PreviewFill.Outcome, _ streak: inout FailureStreak) {
        progress.finishedFiles += 1
        progress.finishedBytes = progress.finishedBytes.addingCapped(entry.size)
        switch outcome {
        case .made:
            made += 1
            streak.recordStored()
        case .failed(.tool):
            notMade.append(entry.path)
            streak.reset()
        case .failed(.original(.archived)):
            archived.append(entry.path)
            streak.reset()
        case .failed(.original(let failure)): fail(entry, failure, &streak)
        case .failed(.upload(let error)): fail(entry, .store(error), &streak)
        }
    }

    private mutating func fail(_ entry: CatalogEntry, _ failure: RestoreFailure, _ streak: inout FailureStreak) {
        progress.failedFiles += 1
        failures.append((entry.path, failure))
        switch failure {
        case .store(let error):
            if let reason = streak.reasonToStop(after: error) { ending = .stopped(reason) }
        case .file(.outOfSpace): ending = .stopped(.outOfSpace)
        case .file, .notStored, .contentMismatch, .archived: streak.reset()
        }
    }
}
