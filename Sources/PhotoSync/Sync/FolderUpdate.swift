import Foundation
import PhotoCatalog
import PhotolalaAPI

/// The last stage of a sync: downloads new entries to the folder, and moves files to its trash or to other paths.
///
/// Before a file is placed or removed, this is announced. After a crash, a file found at an announced path counts as in
/// sync, and a missing one does not count as removed by the user.
struct FolderUpdate: Sendable {
    private let sync: Sync
    private let opened: OpenedFolder
    private let folder: FolderHandle
    private let syncState: SyncState
    private let report: @Sendable (SyncEvent) -> Void
    private let local: LocalPhotos
    private(set) var summary: SyncSummary

    init(_ run: SyncRun) {
        (sync, opened, folder, syncState) = (run.sync, run.opened, run.folder, run.syncState)
        (report, local, summary) = (run.report, run.local, run.summary)
    }

    /// Carries out a plan. Failures are recorded in the summary.
    mutating func run(_ plan: SyncPlan) async {
        guard !plan.isEmpty, !Task.isCancelled else {
            if Task.isCancelled { summary.ending = .cancelled }
            return
        }
        do throws(SyncError) {
            var remaining = plan.arrivals
            let blocked = blockedEntries(plan)
            if !blocked.isEmpty { remaining.removeAll { blocked.contains($0.identity) } }
            let leaving = plan.departures.filter { !blocked.contains($0.synced.entry) }
            var departed = try await moveToTrash(leaving, wanted: remaining)
            remaining += try await moveFreedToTrash(blocked, plan, &departed)
            if !departed.retained.isEmpty { remaining.removeAll { $0.entry.path.isAtOrBelow(departed.retained) } }
            try await clearTargets(of: remaining)
            var placed = PlacedFiles(
                folder: folder, syncState: syncState, journal: opened.journal, now: sync.backup.now, flush: sync.flush)
            remaining = try await finishDepartures(departed, remaining, &placed)
            if Task.isCancelled { summary.ending = .cancelled } else { await fetch(remaining, &placed) }
            try await savePlaced(placed)
        } catch {
            summary.ending = TransferEnding(error)
        }
    }

    /// Moves files whose new path became free when other files left a folder with that name.
    /// - Returns: The entries that arrive there.
    private mutating func moveFreedToTrash(
        _ blocked: Set<EntryIdentity>, _ plan: SyncPlan, _ departed: inout DepartureResult
    ) async throws(SyncError) -> [SyncPlan.Arrival] {
        guard !blocked.isEmpty else { return [] }
        try await clearTargets(of: plan.arrivals.filter { blocked.contains($0.identity) })
        let freed = blocked.subtracting(blockedEntries(plan))
        let arrivals = plan.arrivals.filter { freed.contains($0.identity) }
        let more = try await moveToTrash(plan.departures.filter { freed.contains($0.synced.entry) }, wanted: arrivals)
        departed.left += more.left
        departed.retained.formUnion(more.retained)
        departed.moved.merge(more.moved, uniquingKeysWith: +)
        return arrivals
    }

    /// Removes empty folders that have the names of arriving files.
    private func clearTargets(of arrivals: [SyncPlan.Arrival]) async throws(SyncError) {
        let (folder, paths) = (folder, arrivals.map(\.entry.path))
        guard !paths.isEmpty, !Task.isCancelled else { return }
        try await sync.files { () throws(FileError) in
            for path in paths { folder.removeEmpty(path.name, in: path.folders) }
        }
    }

    /// Stores the pending records in a task that is not cancelled, even if this one is.
    private func savePlaced(_ placed: PlacedFiles) async throws(SyncError) {
        let result = await Task { () -> Result<Void, SyncError> in
            var placed = placed
            do throws(SyncError) { return .success(try await placed.save()) } catch { return .failure(error) }
        }.value
        try result.get()
    }

    /// Returns the entries whose file cannot be moved because another file is at the new path.
    private func blockedEntries(_ plan: SyncPlan) -> Set<EntryIdentity> {
        guard !plan.departures.isEmpty else { return [] }
        let targets = Dictionary(
            plan.arrivals.map { ($0.identity, $0.entry.path) }, uniquingKeysWith: { first, _ in first })
        return plan.departures.reduce(into: []) { blocked, departure in
            let entry = departure.synced.entry
            guard let target = targets[entry], local[target] == nil,
                let home = try? folder.descend(target.folders, makes: false),
                let occupant = try? home.fingerprint(of: target.name), occupant != departure.photo.file.fingerprint
            else { return }
            blocked.insert(entry)
        }
    }

    /// Downloads entries from the store.
    private mutating func fetch(_ arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles) async {
        guard !arrivals.isEmpty else { return }
        // Only entries whose own path differs from the path in the folder.
        let names = arrivals.lazy.filter { $0.identity.path != $0.entry.path }.map { ($0.entry.path, $0.identity.path) }
        let entryPaths = Dictionary(names, uniquingKeysWith: { first, _ in first })
        let report = report
        summary.toFolder = await sync.restore.restore(
            arrivals.map(\.entry), of: arrivals.reduce(0) { $0.addingCapped($1.entry.size) }, into: folder,
            { report(.toFolder($0)) },
            onOutcome: { entry, outcome in
                var path = entry.path
                switch outcome {
                case .restored: break
                case .restoredBeside(let name):
                    guard let alternative = LibraryPath((path.folders + [name]).joined(separator: "/")) else { return }
                    path = alternative
                    placed.recordRemoval(entry.path)
                // The next sync determines the path.
                case .alreadyThere, .failed: return
                }
                let entryPath = entryPaths[entry.path] ?? entry.path
                placed.record(
                    SyncedFile(path: path, md5: entry.md5, entryPath: entryPath), entry,
                    modified: entry.modified)
                // If this fails, the next sync finds the files to be equal.
                if placed.isBatchFull { try? await placed.save() }
            })
        summary.ending = summary.toFolder.ending
    }

    /// The results of removing files from their paths.
    private struct DepartureResult {
        /// Files whose content is needed at another path.
        var moved: [ContentDigest: [LocalTrash.Location]] = [:]
        var left: [LibraryPath] = []
        var retained: Set<LibraryPath> = []
    }

    /// Moves files to the folder's trash.
    private mutating func moveToTrash(
        _ departures: [SyncPlan.Departure], wanted: [SyncPlan.Arrival]
    ) async throws(SyncError) -> DepartureResult {
        var departed = DepartureResult()
        guard !departures.isEmpty else { return departed }
        var wanted = wanted.reduce(into: [ContentDigest: Int]()) { $0[$1.identity.md5, default: 0] += 1 }
        try await recordIntent(departures.map { SyncRow.inSync($0.synced.at($0.photo.path).notInPlace) })
        let day = Timestamp(seconds: Int64(sync.backup.now().timeIntervalSince1970), nanoseconds: 0)
        let trash = LocalTrash(root: folder, day: String(day.description.prefix(10)))
        for departure in departures {
            let (photo, md5) = (departure.photo, departure.synced.md5)
            if Task.isCancelled {
                departed.retained.insert(photo.path)
                continue
            }
            do throws(FileError) {
                let location = try await FileWork.run { () throws(FileError) in
                    try trash.moveIn(photo.path, photo.file.fingerprint, md5)
                }
                guard let location else {
                    departed.retained.insert(photo.path)
                    summary.waitingFiles += 1
                    continue
                }
                departed.left.append(photo.path)
                if let count = wanted[md5], count > 0 {
                    wanted[md5] = count - 1
                    departed.moved[md5, default: []].append(location)
                } else {
                    summary.trashedFiles.append(photo.path)
                }
            } catch {
                departed.retained.insert(photo.path)
                if error != .cancelled { summary.failures.append((photo.path, error)) }
            }
        }
        return departed
    }

    /// Moves files from the folder's trash to their new paths.
    /// - Returns: The arrivals that remain.
    private mutating func putBack(
        _ moved: [ContentDigest: [LocalTrash.Location]], at arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async -> [SyncPlan.Arrival] {
        guard !moved.isEmpty else { return arrivals }
        var (moved, remaining) = (moved, [SyncPlan.Arrival]())
        let trash = LocalTrash(root: folder, day: "")
        for arrival in arrivals {
            guard let location = moved[arrival.identity.md5]?.popLast() else {
                remaining.append(arrival)
                continue
            }
            let path = arrival.entry.path
            let isPlaced = await succeeds { () throws(FileError) in try trash.moveOut(location, to: path) }
            if isPlaced {
                placed.record(arrival.file, arrival.entry, modified: location.modified)
                summary.movedFiles += 1
            } else {
                // The file stays in the folder's trash, and the entry is downloaded.
                summary.trashedFiles.append(path)
                remaining.append(arrival)
            }
        }
        return remaining
    }

    private func succeeds(_ work: @escaping @Sendable () throws(FileError) -> Void) async -> Bool {
        do {
            try await FileWork.run(work)
            return true
        } catch { return false }
    }

    /// Removes the records of files that left their paths, announces the arrivals, and moves files to their new paths.
    /// Runs in a task that is not cancelled, because photos could otherwise remain in the folder's trash.
    /// - Returns: The arrivals that remain.
    private mutating func finishDepartures(
        _ departed: DepartureResult, _ arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async throws(SyncError) -> [SyncPlan.Arrival] {
        guard !departed.left.isEmpty || !arrivals.isEmpty else { return [] }
        let before = (update: self, placed: placed)
        let result = await Task { () -> Result<(FolderUpdate, PlacedFiles, [SyncPlan.Arrival]), SyncError> in
            var (update, placed) = before
            do throws(SyncError) {
                try await update.recordRemovals(departed.left)
                try await update.recordIntent(arrivals.map { SyncRow.inSync($0.file.notInPlace) })
                let remaining = await update.putBack(departed.moved, at: arrivals, &placed)
                return .success((update, placed, remaining))
            } catch { return .failure(error) }
        }.value
        let (after, placedAfter, remaining) = try result.get()
        (summary, placed) = (after.summary, placedAfter)
        return remaining
    }

    /// Removes records after a flush only: a file that reappears at the next mount would be treated as a new photo.
    private func recordRemovals(_ paths: [LibraryPath]) async throws(SyncError) {
        guard !paths.isEmpty else { return }
        let (folder, syncState, flush) = (folder, syncState, sync.flush)
        try await sync.files { () throws(FileError) in try flush(folder) }
        try await sync.state(at: syncState.path) { () throws(FileError) in
            try syncState.write(paths.map(SyncRow.removed))
        }
    }

    private func recordIntent(_ rows: [SyncRow]) async throws(SyncError) {
        let syncState = syncState
        try await sync.state(at: syncState.path) { () throws(FileError) in try syncState.recordIntent(rows) }
    }
}

extension TransferEnding {
    fileprivate init(_ error: SyncError) {
        self =
            switch error {
            case .folder(let error): .stopped(.folder(error))
            case .state(let error, let path): .stopped(.state(error, path: path))
            case .catalog(let error): .stopped(.catalog(error))
            case .store(let error): .stopped(.catalog(.store(error)))
            // The others occur only before a sync begins.
            case .cancelled, .underWay, .nested, .notConfirmed: .cancelled
            }
    }
}

extension SyncPlan.Arrival {
    /// The file that the arrival creates.
    fileprivate var file: SyncedFile { SyncedFile(path: entry.path, md5: identity.md5, entryPath: identity.path) }
}

extension SyncedFile {
    fileprivate func at(_ path: LibraryPath) -> SyncedFile {
        SyncedFile(path: path, md5: md5, entryPath: entryPath, isSettled: isInPlace)
    }
}
