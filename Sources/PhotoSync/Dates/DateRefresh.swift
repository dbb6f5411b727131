import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets

/// A refresh of capture dates: reads the dates of stored photos and videos again, for entries without a date or without
/// its offset, and adds them to the catalog.
///
/// The author of an entry and all other facts remain unchanged. Dates that were added are not searched again, so a
/// refresh can be stopped at any time and run again.
package struct DateRefresh: Sendable {
    enum Outcome: Sendable {
        /// A date was found; `isOfZone` indicates that its offset comes from the zone.
        case dated(CatalogChange, isOfZone: Bool)
        case undated
        case failed(RestoreFailure)
    }

    /// The number of photos that are read in parallel.
    private static let parallelFiles = 6
    private static let failuresInARow = 8
    /// The number of photos whose dates are committed together.
    private static let commitSize = 500

    private let store: any ObjectStore
    private let user: UserID
    private let stateFolder: String
    private let zone: CaptureZone?
    private let pause: Backoff
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - stateFolder: The folder in which this device stores cached catalogs and its backup state.
    ///   - zone: The device's time zone, for photos that do not record theirs. Without it their dates get no offset.
    package init(
        store: any ObjectStore, user: UserID, stateFolder: String, zone: CaptureZone?, pause: Backoff,
        now: @escaping @Sendable () -> Date
    ) {
        (self.store, self.user, self.stateFolder, self.zone) = (store, user, stateFolder, zone)
        (self.pause, self.now) = (pause, now)
    }

    /// Refreshes the dates of the selected entries. Entries that cannot be read do not stop the others.
    /// - Parameters:
    ///   - folders: Folders of this device that were backed up. Unchanged files are read there instead of from the
    ///     store.
    ///   - isDryRun: Reads the same data and writes nothing.
    /// - Throws: Only if the refresh could not begin.
    package func run(
        _ selection: PhotoSelection, folders: [String], isDryRun: Bool,
        report: @escaping @Sendable (VerificationEvent) -> Void
    ) async throws(DateRefreshError) -> DateRefreshSummary {
        let cache = CatalogFolderCache(folder: CatalogFolderCache.folder(in: stateFolder, user: user))
        let catalogs = CatalogStore(store: store, user: user, cache: cache, pause: pause)
        let copies = try await LocalCopies.open(folders, of: user, stateFolder: stateFolder)
        var version: CatalogStore.Version
        let selected: CatalogStore.SelectionResult
        do throws(SelectionError) { selected = try await catalogs.select(selection) } catch { throw .selection(error) }
        version = selected.version
        if !isDryRun {
            do throws(CatalogError) { version = try await catalogs.endingAbandonedPurge(version) } catch {
                throw .selection(.catalog(error))
            }
        }
        let media = StoredMedia(store: store, user: user, copies: copies, pause: pause)
        let limit = Timestamp.latestCapture(at: Timestamp(whole: now()))
        var queue = DateQueue(wanted: selected.entries, all: selected.all) { files in
            FolderDates(
                of: files.map { ($0.path, $0.type) }, source: StoredDateSource(media: media, files: files), zone: zone,
                until: limit)
        }
        var summary = DateRefreshSummary()
        summary.progress = ReadingProgress(totalFiles: queue.count, totalBytes: 0)
        report(.started(summary.progress))
        var commits = DateCommits(catalogs: isDryRun ? nil : catalogs, version: version, size: Self.commitSize)
        await read(&queue, media, &commits, &summary, report)
        await commits.finish(&summary)
        return summary
    }

    private func read(
        _ queue: inout DateQueue, _ media: StoredMedia, _ commits: inout DateCommits,
        _ summary: inout DateRefreshSummary, _ report: @escaping @Sendable (VerificationEvent) -> Void
    ) async {
        var streak = FailureStreak(limit: Self.failuresInARow)
        await withTaskGroup(of: (CatalogEntry, Outcome).self) { group in
            var running = 0
            while true {
                while running < Self.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    let item = queue.next()
                {
                    group.addTask { (item.entry, await Self.readDate(at: item, media)) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.record(entry, outcome, &streak)
                report(.finished(entry.path, summary.progress))
                if case .dated(let change, _) = outcome { await commits.add(change, &summary) }
            }
        }
        guard summary.ending == .completed else { return }
        if Task.isCancelled, summary.progress.finishedFiles < summary.progress.totalFiles {
            summary.ending = .cancelled
        } else if let stop = await streak.reasonToStop(asking: store, user: user) {
            summary.ending = .stopped(stop)
        }
    }

    private static func readDate(at item: DateQueue.Item, _ media: StoredMedia) async -> Outcome {
        do {
            let reading = try await media.reading(of: item.entry)
            let (date, isOfZone) = try await item.dates.resolveDate(item.entry.path, reading.clues)
            return item.change(date).map { .dated($0, isOfZone: isOfZone) } ?? .undated
        } catch let failure as RestoreFailure {
            return .failed(failure)
        } catch {
            return .failed(.store(.unavailable("\(error)")))
        }
    }
}

/// The stored files of one folder, as a source of dates.
struct StoredDateSource: DateSource {
    private let media: StoredMedia
    private let entries: [LibraryPath: CatalogEntry]

    init(media: StoredMedia, files: [CatalogEntry]) {
        self.media = media
        entries = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func clues(of path: LibraryPath, type: MediaType) async throws -> CaptureClues? {
        guard let entry = entries[path] else { return nil }
        return try await ignoringUnreadable { () async throws(RestoreFailure) in
            try await media.reading(of: entry).clues
        }
    }

    func sidecar(_ path: LibraryPath, limit: Int) async throws -> ByteBuffer? {
        guard let entry = entries[path] else { return nil }
        return try await ignoringUnreadable { () async throws(RestoreFailure) in
            try await media.bytes(of: entry, limit: limit)
        }
    }

    /// Returns `nil` for objects that are archived, damaged or missing; throws if the store does not respond.
    private func ignoringUnreadable<Value>(_ work: () async throws(RestoreFailure) -> Value?) async throws -> Value? {
        do throws(RestoreFailure) { return try await work() } catch {
            switch error {
            case .archived, .notStored, .contentMismatch, .store(.corrupted): return nil
            case .file, .store: throw error
            }
        }
    }
}
