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
        do throws(FileError) {
            var rest = plan.arrivals
            let stuck = blockedEntries(plan)
            if !stuck.isEmpty { rest.removeAll { stuck.contains($0.identity) } }
            let leaving = plan.departures.filter { !stuck.contains($0.synced.entry) }
            var taken = try await moveToTrash(leaving, wanted: rest)
            rest += try await moveFreedToTrash(stuck, plan, &taken)
            if !taken.stayed.isEmpty { rest.removeAll { $0.entry.path.isAtOrBelow(taken.stayed) } }
            try await clearTargets(of: rest)
            var placed = PlacedFiles(
                folder: folder, syncState: syncState, journal: opened.journal, now: sync.backup.now, flush: sync.flush)
            rest = try await finishDepartures(taken, rest, &placed)
            if Task.isCancelled { summary.ending = .cancelled } else { await fetch(rest, &placed) }
            try await savePlaced(placed)
        } catch {
            summary.ending = TransferEnding(error)
        }
    }

    /// Moves files whose new path became free when other files left a folder with that name.
    /// - Returns: The entries that arrive there.
    private mutating func moveFreedToTrash(
        _ stuck: Set<EntryIdentity>, _ plan: SyncPlan, _ taken: inout DepartureResult
    ) async throws(FileError) -> [SyncPlan.Arrival] {
        guard !stuck.isEmpty else { return [] }
        try await clearTargets(of: plan.arrivals.filter { stuck.contains($0.identity) })
        let freed = stuck.subtracting(blockedEntries(plan))
        let arrivals = plan.arrivals.filter { freed.contains($0.identity) }
        let more = try await moveToTrash(plan.departures.filter { freed.contains($0.synced.entry) }, wanted: arrivals)
        taken.left += more.left
        taken.stayed.formUnion(more.stayed)
        taken.moved.merge(more.moved, uniquingKeysWith: +)
        return arrivals
    }

    /// Removes empty folders that have the names of arriving files.
    private func clearTargets(of arrivals: [SyncPlan.Arrival]) async throws(FileError) {
        let (folder, paths) = (folder, arrivals.map(\.entry.path))
        guard !paths.isEmpty, !Task.isCancelled else { return }
        try await FileWork.run { () throws(FileError) in
            for path in paths { folder.removeEmpty(path.name, in: path.folders) }
        }
    }

    /// Stores the pending records in a task that is not cancelled, even if this one is.
    private func savePlaced(_ placed: PlacedFiles) async throws(FileError) {
        let result = await Task { () -> Result<Void, FileError> in
            var placed = placed
            do throws(FileError) { return .success(try await placed.save()) } catch { return .failure(error) }
        }.value
        try result.get()
    }

    /// Returns the entries whose file cannot be moved because another file is at the new path.
    private func blockedEntries(_ plan: SyncPlan) -> Set<EntryIdentity> {
        guard !plan.departures.isEmpty else { return [] }
        let targets = Dictionary(
            plan.arrivals.map { ($0.identity, $0.entry.path) }, uniquingKeysWith: { first, _ in first })
        return plan.departures.reduce(into: []) { stuck, departure in
            let entry = departure.synced.entry
            guard let target = targets[entry], local[target] == nil,
                let home = try? folder.descend(target.folders, makes: false),
                let there = try? home.fingerprint(of: target.name), there != departure.photo.file.fingerprint
            else { return }
            stuck.insert(entry)
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
            settled: { entry, outcome in
                var path = entry.path
                switch outcome {
                case .restored: break
                case .restoredBeside(let name):
                    guard let beside = LibraryPath((path.folders + [name]).joined(separator: "/")) else { return }
                    path = beside
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
        var stayed: Set<LibraryPath> = []
    }

    /// Moves files to the folder's trash.
    private mutating func moveToTrash(
        _ departures: [SyncPlan.Departure], wanted: [SyncPlan.Arrival]
    ) async throws(FileError) -> DepartureResult {
        var taken = DepartureResult()
        guard !departures.isEmpty else { return taken }
        var wanted = wanted.reduce(into: [ContentDigest: Int]()) { $0[$1.identity.md5, default: 0] += 1 }
        try await recordIntent(departures.map { SyncRow.inSync($0.synced.at($0.photo.path).notInPlace) })
        let day = Timestamp(seconds: Int64(sync.backup.now().timeIntervalSince1970), nanoseconds: 0)
        let trash = LocalTrash(root: folder, day: String(day.description.prefix(10)))
        for departure in departures {
            let (photo, md5) = (departure.photo, departure.synced.md5)
            if Task.isCancelled {
                taken.stayed.insert(photo.path)
                continue
            }
            do throws(FileError) {
                let place = try await FileWork.run { () throws(FileError) in
                    try trash.moveIn(photo.path, photo.file.fingerprint, md5)
                }
                guard let place else {
                    taken.stayed.insert(photo.path)
                    summary.waitingFiles += 1
                    continue
                }
                taken.left.append(photo.path)
                if let count = wanted[md5], count > 0 {
                    wanted[md5] = count - 1
                    taken.moved[md5, default: []].append(place)
                } else {
                    summary.trashedFiles.append(photo.path)
                }
            } catch {
                taken.stayed.insert(photo.path)
                if error != .cancelled { summary.failures.append((photo.path, error)) }
            }
        }
        return taken
    }

    /// Moves files from the folder's trash to their new paths.
    /// - Returns: The arrivals that remain.
    private mutating func putBack(
        _ moved: [ContentDigest: [LocalTrash.Location]], at arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async -> [SyncPlan.Arrival] {
        guard !moved.isEmpty else { return arrivals }
        var (moved, rest) = (moved, [SyncPlan.Arrival]())
        let trash = LocalTrash(root: folder, day: "")
        for arrival in arrivals {
            guard let place = moved[arrival.identity.md5]?.popLast() else {
                rest.append(arrival)
                continue
            }
            let path = arrival.entry.path
            let isPlaced = await succeeds { () throws(FileError) in try trash.moveOut(place, to: path) }
            if isPlaced {
                placed.record(arrival.file, arrival.entry, modified: place.modified)
                summary.movedFiles += 1
            } else {
                // The file stays in the folder's trash, and the entry is downloaded.
                summary.trashedFiles.append(path)
                rest.append(arrival)
            }
        }
        return rest
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
        _ taken: DepartureResult, _ arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async throws(FileError) -> [SyncPlan.Arrival] {
        guard !taken.left.isEmpty || !arrivals.isEmpty else { return [] }
        let before = (update: self, placed: placed)
        let result = await Task { () -> Result<(FolderUpdate, PlacedFiles, [SyncPlan.Arrival]), FileError> in
            var (update, placed) = before
            do throws(FileError) {
                try await update.recordRemovals(taken.left)
                try await update.recordIntent(arrivals.map { SyncRow.inSync($0.file.notInPlace) })
                let rest = await update.putBack(taken.moved, at: arrivals, &placed)
                return .success((update, placed, rest))
            } catch { return .failure(error) }
        }.value
        let (after, placedAfter, rest) = try result.get()
        (summary, placed) = (after.summary, placedAfter)
        return rest
    }

    /// Removes records after a flush only: a file that reappears at the next mount would be treated as a new photo.
    private func recordRemovals(_ paths: [LibraryPath]) async throws(FileError) {
        guard !paths.isEmpty else { return }
        let (folder, syncState, flush) = (folder, syncState, sync.flush)
        try await FileWork.run { () throws(FileError) in
            try flush(folder)
            try syncState.write(paths.map(SyncRow.removed))
        }
    }

    private func recordIntent(_ rows: [SyncRow]) async throws(FileError) {
        let syncState = syncState
        try await FileWork.run { () throws(FileError) in try syncState.recordIntent(rows) }
    }
}

extension TransferEnding {
    fileprivate init(_ error: FileError) {
        switch error {
        case .cancelled: self = .cancelled
        case .outOfSpace: self = .stopped(.outOfSpace)
        default: self = .stopped(.folder(error))
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
